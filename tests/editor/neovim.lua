-- What somebody does in Neovim with a rule text, and what Neovim shows. The answers go to a file, as JSON.

local folder, python, answers = vim.env.FOLDER, vim.env.PYTHON, vim.env.ANSWERS
local PATIENCE = 60000 -- milliseconds for what a server has to show
local out = {}

local function await(what, condition)
  if not vim.wait(PATIENCE, condition, 50) then
    error(what .. " did not come")
  end
end

local function ask(method, params)
  local answered = vim.lsp.buf_request_sync(0, method, params, PATIENCE) or {}
  for _, answer in pairs(answered) do
    return answer.result
  end
end

local function messages()
  return vim.tbl_map(function(one)
    return one.message
  end, vim.diagnostic.get(0))
end

local function replace(row, words, others)
  local line = vim.api.nvim_buf_get_lines(0, row - 1, row, true)[1]
  local from, to = line:find(words, 1, true)
  vim.api.nvim_buf_set_lines(0, row - 1, row, true, { line:sub(1, from - 1) .. others .. line:sub(to + 1) })
end

local function row_of(words)
  return vim.fn.search("\\V" .. words, "w")
end

local function session()
  vim.cmd("edit " .. folder .. "/pond.golpae")
  local id = vim.lsp.start_client({ name = "golpae", cmd = { python, "-m", "golpae", "lsp" }, root_dir = folder })
  vim.lsp.buf_attach_client(0, id)

  -- Somebody misspells a word, sees the fault, and mends it.
  local row = row_of("stage := giving")
  replace(row, "stage", "stag")
  await("the fault", function()
    return #vim.diagnostic.get(0, { lnum = row - 1 }) > 0
  end)
  out.fault = messages()
  replace(row, "stag ", "stage ")
  await("the text without the fault", function()
    return #vim.diagnostic.get(0, { lnum = row - 1 }) == 0
  end)

  -- A name is looked up, gone to and completed.
  row_of("alike(other")
  out.hover = ask("textDocument/hover", vim.lsp.util.make_position_params()).contents.value
  vim.lsp.buf.definition()
  await("the definition", function()
    return vim.api.nvim_get_current_line():find("define alike", 1, true) ~= nil
  end)
  row_of("p's hand <= 4")
  vim.fn.search("hand", "c")
  local offers = ask("textDocument/completion", vim.lsp.util.make_position_params())
  out.offers = vim.tbl_map(function(one)
    return one.label
  end, offers.items or offers)

  -- An action gets another name, and the text its style.
  row_of("give(tile)")
  vim.lsp.buf.rename("pass-on")
  await("the new name", function()
    return row_of("action pass-on(tile)") > 0
  end)
  replace(row_of("define alike"), "a, b", "a,b")
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = PATIENCE })
  else
    vim.lsp.buf.formatting_sync(nil, PATIENCE)
  end
  out.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n"

  -- Lenses stand above properties and variants.
  vim.lsp.codelens.refresh()
  await("a lens", function()
    return #vim.lsp.codelens.get(0) > 0
  end)
  out.lenses = vim.tbl_map(function(one)
    return one.command.title
  end, vim.lsp.codelens.get(0))
end

local worked, why = pcall(session)
if not worked then
  out.wrong = tostring(why)
end
local file = io.open(answers, "w")
file:write(vim.fn.json_encode(out))
file:close()
vim.cmd("qall!")
