/* Whose phone is away, on the pages that are told so: beside the name, and beside whom the table waits for. */

import { get, make } from "./companion.js";

const DOT = " · ";
const { content: sign, dataset: { styles } } = get("phone-away");
const marked = (name = "") => {
  const mark = sign.firstElementChild.cloneNode(true);
  if (name) mark.lastElementChild.prepend(`${name}: `);
  return mark;
};
// Beside the name: in the list of the seats, else where the shared screen says who is ahead.
const placeOf = (seat) => {
  const row = get(`seat-${seat}`) ?? document.querySelector(`.people [data-seat="${seat}"]`);
  return row?.lastElementChild ?? get(`side-${seat}`)?.firstElementChild;
};
// Whom the table waits for, by seat: the shared screen names them, elsewhere the list of the seats does.
const awaited = () => {
  const named = [...document.querySelectorAll("#turn [data-waits]")];
  if (named.length) return new Map(named.map((one) => [one.dataset.waits, one.textContent]));
  const rows = [...document.querySelectorAll("#people .to-move")];
  return new Map(rows.map((row) => [row.id.replace("seat-", ""), row.firstElementChild.textContent.trim()]));
};

const show = () => {
  const seats = JSON.parse(get("main").dataset.away ?? "[]");
  document.querySelectorAll(".phone-away").forEach((old) => {
    if (old.nextSibling?.data === DOT) old.nextSibling.remove();
    old.remove();
  });
  seats.forEach((seat) => placeOf(seat)?.append(marked()));
  const waits = awaited();
  const names = [...waits].filter(([seat]) => seats.includes(seat)).map(([, name]) => name);
  if (!names.length) return;
  const mark = marked(waits.size > 1 ? names.join(", ") : "");
  const words = document.querySelector("#turn > .words");
  const why = document.querySelector("#turn > p:not(.waiting)");
  if (words) words.append(mark);
  else if (why) why.prepend(mark, DOT);
  else get("turn").querySelector(".now").after(mark);
};
// What is beside it on the shared screen is laid out again.
const news = () => {
  show();
  dispatchEvent(new Event("resize"));
};
document.addEventListener("htmx:after:swap", show);
document.addEventListener("away", news);
const look = make("link", { rel: "stylesheet", href: styles });
look.addEventListener("load", news);
document.head.append(look);
show();
