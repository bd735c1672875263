/* What is on the page goes into a file of this device. */

import { make } from "./companion.js";

export const saveFile = (content, name, type) => {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

export const fileName = (words) => words.replace(/[^\p{L}\p{N}]+/gu, "-");
