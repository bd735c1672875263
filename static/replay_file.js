// The file of a story: puts every position together out of what became other, and shows the one that is asked for.

const film = JSON.parse(document.getElementById("film").textContent);
const slots = Array.from({ length: film.n }, (_, number) => document.getElementById(`slot-${number}`));
const slider = document.getElementById("at");
const says = document.getElementById("says");
let shown = film.k.length - 1;

// A phrase that is repeated is one character, from U+E000 on, of the fragments that fill the slots.
film.f = film.f.map((one) => one.replace(/[\ue000-\uf8ff]/g, (sign) => film.w[sign.charCodeAt(0) - 0xe000]));

// What fills each slot after each entry, as numbers of fragments: those of the entry before, where nothing is other.
const positions = [];
let now = slots.map(() => []);
for (const step of film.d) {
  now = now.slice();
  for (const [slot, from, gone, come] of step) {
    now[slot] = [...now[slot].slice(0, from), ...come, ...now[slot].slice(from + gone)];
  }
  positions.push(now);
}

function filled(kind, items) {
  if (!items.length) return "";
  const [head, ...rest] = items.map((one) => film.f[one]);
  return kind === "board" ? `${head}${rest.join("")}</svg>` : `${head}<ul>${rest.join("")}</ul>`;
}

function show(at) {
  const before = positions[shown];
  const after = positions[at];
  slots.forEach((slot, number) => {
    if (before[number] === after[number]) return;
    slot.innerHTML = filled(slot.dataset.kind, after[number]);
    slot.hidden = !after[number].length;
  });
  shown = at;
  slider.value = at;
  document.getElementById("number").textContent = `${film.k[at]} / ${film.k[film.k.length - 1]}`;
  document.querySelector(".is-shown")?.classList.remove("is-shown");
  const entry = document.getElementById(`e${film.k[at]}`);
  entry.classList.add("is-shown");
  says.innerHTML = entry.lastElementChild.innerHTML;
}

const last = film.k.length - 1;
const ways = {
  first: () => 0,
  back: () => Math.max(shown - 1, 0),
  on: () => Math.min(shown + 1, last),
  last: () => last,
};

slider.addEventListener("input", () => show(Number(slider.value)));
document.addEventListener("click", (event) => {
  const way = event.target.closest("[data-go]");
  if (way) show(ways[way.dataset.go]());
  const entry = event.target.closest(".story li[id] > a, .bookmarks a");
  if (!entry) return;
  event.preventDefault();
  show(film.k.indexOf(Number(entry.hash.slice(2))));
  says.scrollIntoView();
});
// It begins in the language of whoever reads it, not of whoever has sent it.
const theirs = navigator.language.slice(0, 2);
for (const tongue of document.getElementsByName("tongue")) {
  const code = tongue.id.slice(-2);
  const speak = () => { document.documentElement.lang = code; };
  tongue.addEventListener("change", speak);
  if (code !== theirs) continue;
  tongue.checked = true;
  speak();
}
if (last >= 0) {
  document.getElementById("bar").hidden = false;
  document.body.classList.add("plays");
  show(last);
}
