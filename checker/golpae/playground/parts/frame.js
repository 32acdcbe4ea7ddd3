// A frame without rights, which shows the page that it is sent. Such a page has a policy of its own.

addEventListener("message", ({ data, source }) => {
  if (source !== parent || typeof data?.page !== "string") return;
  document.open();
  document.write(data.page);
  document.close();
});
parent.postMessage({ waits: true }, "*");
