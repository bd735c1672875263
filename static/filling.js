/* Long forms: numbers that cost points, and lists that are kept on this phone. Every form works without it. */
(() => {
  "use strict";
  const count = (form) => {
    const budget = form?.querySelector(".budget");
    if (!budget) return;
    const said = budget.querySelector("output");
    const left = [...form.querySelectorAll("[data-cost]")].reduce(
      (sum, field) => sum - field.dataset.cost * field.querySelector("input").value, Number(budget.dataset.points),
    );
    const words = left < 0 ? said.dataset.over : said.dataset.left;
    said.textContent = words.replace("{left}", String(left).replace("-", "\u2212"));
    budget.classList.toggle("is-over", left < 0);
  };
  // What was refused is gone as soon as something is changed.
  const changed = (form) => {
    count(form);
    form?.querySelector(".budget")?.parentElement.querySelector(".wrong")?.remove();
    form?.querySelector(".steps.is-wrong")?.classList.remove("is-wrong");
  };
  document.addEventListener("input", ({ target }) => changed(target.form));
  document.addEventListener("click", ({ target }) => {
    const step = target.closest("[data-step]");
    const input = step?.parentElement.querySelector("input");
    if (step?.dataset.step > 0) input.stepUp();
    else if (step) input.stepDown();
    if (step) changed(step.form);
  });

  // Kept lists: under one name for each kind of each game, a list by its own name.
  const about = (box) => JSON.parse(box.dataset.list);
  const place = (box) => `kept/${about(box).game}/${about(box).list}`;
  const lists = (box) => {
    try { return JSON.parse(localStorage.getItem(place(box))) ?? {}; } catch { return {}; }
  };
  const tell = (box, words, name = "") => {
    box.querySelector(".wrong")?.remove();
    box.querySelector("[role=status]").textContent = box.dataset[words].replace("{name}", () => name);
  };
  const write = (box, kept, words, name) => {
    try { localStorage.setItem(place(box), JSON.stringify(kept)); tell(box, words, name); } catch { tell(box, "full"); }
    show(box);
  };
  const show = (box) => {
    const row = box.querySelector("template").content;
    box.querySelector(".kept-lists").replaceChildren(...Object.entries(lists(box)).map(([name, values]) => {
      const made = row.cloneNode(true);
      const [use, forget] = made.querySelectorAll("button");
      use.textContent = name;
      use.addEventListener("click", () => fill(box, JSON.stringify({ ...about(box), name, values })));
      forget.setAttribute("aria-label", forget.getAttribute("aria-label").replace("{name}", () => name));
      forget.addEventListener("click", () => {
        if (forget.textContent !== forget.dataset.sure) { forget.textContent = forget.dataset.sure; return; }
        const left = lists(box);
        delete left[name];
        write(box, left, "gone", name);
      });
      return made;
    }));
  };
  const LONGEST = 4001; // what is longer than 4,000 characters is no list, and is told so
  // The table looks whether a list fits, and fills it in or says why not.
  const fill = (box, list) => {
    const sent = box.querySelector("[name=kept]");
    sent.value = list.slice(0, LONGEST);
    sent.form.requestSubmit(box.querySelector("[data-plan]"));
    sent.value = "";
  };
  const READ = { number: (sent) => sent.at(-1) && Number(sent.at(-1)), yes_no: (sent) => sent.at(-1) === "1", many: (sent) => sent };
  const values = (box) => {
    const form = new FormData(box.closest("form"));
    const read = ([name, kind]) => [name, (READ[kind] ?? ((sent) => sent.at(-1)))(form.getAll(`f.${name}`))];
    const filled = Object.entries(JSON.parse(box.dataset.kinds)).map(read).filter(([, value]) => (value ?? "") !== "");
    return { ...about(box).values, ...Object.fromEntries(filled) };
  };
  const named = (box) => box.querySelector("[type=text]").value.trim();
  const keep = (box) => {
    if (!named(box)) { tell(box, "nameless"); box.querySelector("[type=text]").focus(); return; }
    write(box, { ...lists(box), [named(box)]: values(box) }, "keptAs", named(box));
  };
  const save = (box) => {
    const list = JSON.stringify({ ...about(box), name: named(box), values: values(box) }, null, 2);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([list], { type: "application/json" }));
    link.download = `${named(box).replace(/[^\p{L}\p{N}]+/gu, "-") || about(box).list}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const within = ({ target }) => target.closest?.(".keeping");
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-keep]")) keep(within(event));
    if (event.target.closest("[data-save]")) save(within(event));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !within(event) || event.target.type !== "text") return;
    event.preventDefault();
    keep(within(event));
  });
  document.addEventListener("change", async (event) => {
    const [file] = (within(event) && event.target.files) || [];
    if (!file) return;
    const list = await file.slice(0, 4 * LONGEST).text().catch(() => "-"); // a character is four bytes at most
    event.target.value = "";
    fill(within(event), list);
  });

  // What opens lies under the foot of the sheet: it comes into sight.
  document.addEventListener("toggle", ({ target }) => {
    if (target.matches?.(".keeping[open]")) target.scrollIntoView();
  }, true);

  const fresh = () => {
    document.querySelectorAll("form").forEach(count);
    document.querySelectorAll(".keeping").forEach(show);
  };
  document.addEventListener("htmx:after:swap", fresh);
  fresh();
})();
