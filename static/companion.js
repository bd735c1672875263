/* What every page does beyond htmx, and what other scripts import. Every page works without it. What comes first here
   hears first of a fresh view. */

import { get, hasHtmx, make, shownVersion, storage } from "./base.js";
import { sayAgain, showUnsent } from "./live.js";
import { measure } from "./measure.js";
import { open } from "./sheet.js";
import { notSent, sound } from "./later.js";
import { newer } from "./stage.js";

export const began = Number(get("recap")?.dataset.ruling ?? 0); // the newest ruling that the page came with

// The tab says whose turn it is, too: its title begins as the strip does.
const headline = () => document.querySelector("#turn h2")?.textContent ?? "";
const leads = document.title.startsWith(headline()); // that of a replay begins otherwise
const named = document.title.slice(headline().length);
let mark = "";
// A title that is set anew takes time even where it is the same.
export const entitle = (sign = mark) => {
  const title = sign + (leads && headline() ? headline() + named : document.title.slice(mark.length));
  mark = sign;
  if (document.title !== title) document.title = title;
};
document.addEventListener("htmx:after:swap", () => {
  entitle();
  const lang = get("state")?.lang;
  if (lang && lang !== document.documentElement.lang) location.reload(); // another language was chosen elsewhere
});

export { get, hasHtmx, make, measure, newer, notSent, open, sayAgain, shownVersion, showUnsent, sound, storage };
