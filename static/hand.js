/* A hand by finger: a card is swiped up to be played, and a finger that goes along a hand that lies whole, or along
   what is read of a card, looks at one after another. Taps and buttons do the same. */

const MOVED = 12; // pixels after which a touch is no tap
const FAR = 56; // and after which a card that is let go is played
const HIGHEST = 110;
const cards = "#hands label.card, .in-row > label.card";
const inputOf = (card) => document.getElementById(card.htmlFor);
const hidden = (card) => card.closest(".spread")?.querySelector(".hide-cards")?.checked;

const pick = (card) => {
  const input = inputOf(card);
  if (!input || input.checked) return;
  // Of several that may be picked it goes alone, unless it was one of them.
  card.parentElement.querySelectorAll(".pick-of-many:checked").forEach((other) => {
    other.checked = false;
  });
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
};
// What is done with a card by its first button; one that goes to the board has its squares lit up instead.
const play = (card) => {
  const ways = card.matches(".hand .card")
    ? card.nextElementSibling?.querySelectorAll(".buttons > .button")
    : card.closest("form")?.querySelectorAll(".spread-ways > .button");
  const way = [...ways ?? []].find((button) => !button.matches("[data-pick]"));
  if (way && ![...ways].some((button) => button.matches("[data-pick]"))) way.click();
};

let touch = null;
const laidDown = () => {
  if (!touch) return;
  touch.card?.classList.remove("is-going", "is-far");
  touch.card?.style.removeProperty("--up");
  touch = null;
};
document.addEventListener("pointerdown", (event) => {
  laidDown();
  if (event.pointerType === "mouse" || !event.isPrimary) return;
  const card = event.target.closest(cards);
  const words = event.target.closest(".card-ways");
  if (words && event.target.closest(".extra, .buttons")) return;
  if (card ? hidden(card) : !words) return;
  touch = { card, words, row: card?.closest(".cards"), x: event.clientX, y: event.clientY, way: "" };
});

const wayOf = (across, up) => {
  if (Math.max(Math.abs(across), Math.abs(up)) < MOVED) return "";
  if (touch.card && up > Math.abs(across)) return "up";
  const whole = touch.words || (touch.row && touch.row.scrollWidth <= touch.row.clientWidth);
  return whole && Math.abs(across) > Math.abs(up) ? "along" : "none";
};
const along = (event) => {
  const card = document.elementFromPoint(event.clientX, touch.y)?.closest(cards);
  if (card && touch.row?.contains(card)) pick(card);
};
document.addEventListener("pointermove", (event) => {
  if (!touch) return;
  const up = touch.y - event.clientY;
  touch.way ||= wayOf(event.clientX - touch.x, up);
  if (touch.way === "along") along(event);
  if (touch.way !== "up") return;
  pick(touch.card);
  touch.card.classList.add("is-going");
  touch.card.classList.toggle("is-far", up >= FAR);
  touch.card.style.setProperty("--up", `${-Math.min(Math.max(up, 0), HIGHEST)}px`);
});
// The browser must not take it for a throw of the page, which would swallow the next tap.
document.addEventListener("touchmove", (event) => {
  if (touch?.way && touch.way !== "none" && event.cancelable) event.preventDefault();
}, { passive: false });
document.addEventListener("pointerup", (event) => {
  if (!touch) return;
  const { card, words, way, x, y } = touch;
  laidDown();
  if (way === "up" && y - event.clientY >= FAR) play(card);
  if (way !== "along" || !words || Math.abs(event.clientX - x) < FAR) return;
  const all = [...words.parentElement.querySelectorAll("label.card")];
  const next = all[all.indexOf(words.previousElementSibling) + (event.clientX < x ? 1 : -1)];
  if (next) pick(next);
});
document.addEventListener("pointercancel", laidDown);
