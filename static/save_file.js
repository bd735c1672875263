/* What is on the page goes into a file of this device. */

import { make } from "./companion.js";

const LONG = 60_000; // milliseconds that a browser may take to save a file

export const saveFile = (content, name, type = content.type) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LONG);
};

export const fileName = (words) => words.replace(/[^\p{L}\p{N}]+/gu, "-");
