"""The page about a module: its table, what it exports, its memory, lines, states, templates.

Input: the name of a module, and the module. Output: the page, as Markdown.
Guarantee: whoever reads it can run the module without golpae and without the examples of hosts. Text is escaped.
"""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import Any

from golpae.build.module import Built
from golpae.diagnostics.markdown import code, escaped, fenced, grid

_PAGE = Path(__file__).with_name("page.md")


def page(name: str, built: Built) -> str:
    """Return the page."""
    templates = built.templates
    memory = templates["memory"]
    options = "".join(f", {option} {value}" for option, value in templates["options"].items())
    refused = escaped("; ".join(built.refused))
    head = ("number", "action", "keys", "conditions")
    return Template(_PAGE.read_text(encoding="utf-8")).substitute(
        heading=escaped(name),
        rules=code(templates["rules"]),
        title=escaped(templates["title"]),
        table=escaped(f"{templates['players']} players{options}"),
        golpae=templates["golpae"],
        spec=templates["spec"],
        text=memory["text"][0],
        room=memory["text"][1],
        position=memory["position"][0],
        size=memory["position"][1],
        why=memory["why"],
        reasons=f"In these rules: {refused}." if refused else "These rules have none.",
        example="\n".join(fenced("json", [_example(templates)])),
        actions="\n".join(grid(head, [_action(*numbered) for numbered in enumerate(templates["actions"])])),
    )


def _action(number: int, action: dict[str, Any]) -> tuple[str, ...]:
    keys = [*(["by"] if action["by"] else []), *(k["name"] + "?" * k["optional"] for k in action["keys"])]
    conditions = ", ".join(f"{at} {condition['name']}" for at, condition in enumerate(action["conditions"]))
    return str(number), code(action["name"]), escaped(", ".join(keys)), escaped(conditions)


def _example(templates: dict[str, Any]) -> str:
    """Return how the events of one action are written."""
    action = next(
        (a for a in templates["actions"] if a["kind"] == "play" and a["keys"]), templates["actions"][0]
    )
    keys = [f'"do":"{action["name"]}"', *(['"by":0'] if action["by"] else [])]
    keys += [f'"{key["name"]}":...' for key in action["keys"] if not key["optional"]]
    return f"{{{','.join(keys)}}}"
