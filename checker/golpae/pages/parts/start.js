// What runs when the page has been read.

const page = new Page(read("game"));
