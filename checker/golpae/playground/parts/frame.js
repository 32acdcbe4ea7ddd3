// A frame without rights, which shows the page that it is sent. Such a page has a policy of its own.

// Outside the sandbox of golpae's own page, whoever shows this frame could run scripts in its name: then it does nothing.
addEventListener("message", ({ data, source }) => {
  if (self.origin !== "null" || source !== parent || typeof data?.page !== "string") return;
  document.open();
  document.write(data.page);
  document.close();
});
parent.postMessage({ waits: true }, "*");
