([thumb, still, noted]) => {
  const found = [];
  const tell = (rule, element, box) => {
    const words = (element.getAttribute("aria-label") ?? element.innerText ?? "").trim().replace(/\s+/g, " ").slice(0, 60);
    const { left, top, right, bottom } = box ?? element.getBoundingClientRect();
    found.push({ rule, what: `${words} [${[left, top, right, bottom].map(Math.round)}]` });
  };
  const shown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })
    && element.getBoundingClientRect().width > 1;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  // Its middle and those of its edges, a few pixels within, lie in the window and on top: corners may be round.
  const inSight = (element) => {
    const box = element.getBoundingClientRect();
    const xs = [box.left + 4, (box.left + box.right) / 2, box.right - 4];
    const ys = [box.top + 4, (box.top + box.bottom) / 2, box.bottom - 4];
    return [[1, 0], [0, 1], [1, 1], [2, 1], [1, 2]].every(([x, y]) => {
      const there = document.elementFromPoint(xs[x], ys[y]);
      return there && (element.contains(there) || there.contains(element));
    });
  };
  const look = (rule, selector) => all(selector).forEach((element) => {
    if (!inSight(element)) tell(rule, element);
  });
  const picked = all(".pick:checked + label + .targets .about");
  picked.filter((one) => !inSight(one)).forEach((one) => tell("what the picked piece may do", one));
  const fixed = innerWidth < 900 || innerHeight <= 512;
  if (!picked.length) look("the question", fixed ? "#dock > .now" : "#dock > .now.asked");
  // whoever reads a card has it over the foot of the scene
  const scene = document.querySelector(".pick-card:checked") ? "#nowhere" : "#clash-now[open]";
  look("who meets whom", `${scene} .fighter`);
  look("dice that are asked for, and what came up", `${scene} .lies`);
  const answers = all("#dock form[action$='/answer'] button");
  if (!picked.length) look("a face to tap", ".pad-faces button");
  if (answers.length <= 6 && !picked.length) answers.filter((one) => !inSight(one)).forEach((one) => tell("an answer", one));
  answers.filter((one) => noted.includes(one.value) && !one.querySelector("small")).forEach((one) => tell("a choice shows what follows", one));
  const main = all("#state .button.main").filter((one) => !one.closest("details"));
  if (!picked.length) main.filter((one) => !one.closest(".card-ways") && !inSight(one)).forEach((one) => tell("the primary button", one));
  if (main.length > 1) tell("one primary button", main[1]);
  if (still && all("#dock [data-ends]").length === 1) all("#dock .button.main[data-ends]").forEach((one) => tell("what is left comes before its end", one));
  look("what the picked card may do", ".pick-card:checked + label + .card-ways .buttons > .button");
  look("where what is picked may go", ".board:not(.many, .hexes) .reach :is(button, a)");
  const chipped = all("#chips button").map((one) => one.getAttribute("aria-label"));
  const able = [...document.querySelectorAll(".overlay[action$='/act'] > label:not(.look, .quiet, .away)")];
  if (!picked.length) able.forEach((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const words = one.textContent.trim().replace(/\s+/g, " ");
    if (!there?.closest(".board") && !chipped.includes(words)) tell("who can act is in sight or has a chip", one);
  });
  // what is only said beforehand needs no die; what falls on a bare square shows its odds as a picture
  all(".reach a.fight:not(.bare, [href*=heal_enemy])").filter((one) => !one.querySelector("small")).forEach((one) => tell("a target shows what it needs", one));
  const parts = [...document.querySelectorAll("[id]")];
  parts.filter(({ id }, at) => parts.findIndex((one) => one.id === id) < at).forEach((one) => tell(`one part is called ${one.id}`, one));
  const nameless = "#state :is(.units > li, .track > li, .zone, .line, .squares .piece, .strip, .dock, .tracker):not([id])";
  document.querySelectorAll(nameless).forEach((one) => tell("each part has a name", one));
  // two rolls against each other may come to the same
  const said = new Map();
  all("#state :is(h2, p, b, .headline)").filter((one) => !one.closest(".play-more, .roster, .tableau, .tracker, .lies, .duel, .hand, .fighter")).forEach((one) => {
    const words = one.innerText.trim().replace(/\s+/g, " ").replace(/\W+$/u, "");
    if (words.length < 16) return;
    const other = said.get(words);
    if (other && !other.contains(one) && inSight(one) && inSight(other)) tell("one thing once", one);
    said.set(words, one);
  });
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (fixed && scrollHeight > innerHeight) tell("the page does not scroll", document.documentElement);
  const play = document.getElementById("state");
  if (fixed && play.scrollHeight > play.clientHeight + 1) tell("all places fit", play);
  const [first] = main.filter((one) => one.closest("#dock"));
  if (innerHeight > innerWidth && fixed && !picked.length && first) {
    const { bottom } = (first.closest(".buttons") ?? first).getBoundingClientRect();
    if (bottom < innerHeight - 28) tell("the next step is at the foot", first);
  }
  const cited = /\b[A-Z][A-Z0-9]+-[A-Z]?\d+\b/;
  const own = (one) => [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join("").trim();
  all("#state *").filter((one) => cited.test(own(one)) && !one.closest(".line, .why, .values-now, .wrong"))
    .forEach((one) => tell("clauses only under why", one));
  if (document.getAnimations().length) tell("nothing moves where that is asked for", document.body);
  if (scrollWidth > innerWidth) tell("nothing to scroll sideways", document.documentElement);
  const tapped = ":is(#state, .top) :is(button, summary, .button, .open-more, .close, label.card), .about a:not(.rule-sign)"; // a sign stands in its line of text
  all(tapped).filter((one) => !one.matches(".overlay > *, .reach *")).forEach((element) => {
    const { width, height } = element.getBoundingClientRect();
    if (width < thumb - 0.5 || height < thumb - 0.5) tell("large enough for a thumb", element);
  });
  return found;
}
