/* A board of many squares: seen from near it is moved with a finger, seen whole a tap goes near. Comes before board.js,
   which must not hear of such a tap. */
(() => {
  "use strict";
  const root = document.documentElement;
  const get = (id) => document.getElementById(id);

  const measure = () => {
    const view = get("board-view");
    const style = view && getComputedStyle(view);
    const [files, ranks] = ["--f", "--r"].map((name) => Number(style?.getPropertyValue(name)));
    const fits = get("board")?.matches(".hexes")
      ? (width, height) => width >= (files * 3 + 1) * 12.8 && height >= (ranks + 0.5) * 44.4
      : (width) => width >= files * 44;
    root.classList.toggle("fits", Boolean(view) && fits(view.clientWidth, parseFloat(style.maxHeight)));
  };
  // It begins where its reader's pieces are, or most of them.
  const boxes = (view, which) => [...view.querySelectorAll(which)].map((one) => one.getBoundingClientRect());
  const own = (view) => boxes(view, ".overlay > label:not(.away):is(.own, :not(.look))");
  const answers = (view) => boxes(view, ".overlay button[name='value']");
  const together = (all, width, height) => all
    .flatMap(({ left }) => all.map(({ top }) => all.filter((one) => one.left >= left && one.right <= left + width && one.top >= top && one.bottom <= top + height)))
    .reduce((most, some) => (some.length > most.length ? some : most));
  const centre = () => {
    const view = get("board-view");
    if (!view) return;
    const box = view.getBoundingClientRect();
    const found = answers(view).length ? answers(view) : own(view);
    const shown = found.length ? together(found, box.width, box.height) : [];
    const middle = (from, to) => (Math.min(...shown.map((one) => one[from])) + Math.max(...shown.map((one) => one[to]))) / 2;
    const [x, y] = shown.length ? [middle("left", "right"), middle("top", "bottom")] : [box.left + view.scrollWidth / 2, box.bottom + view.scrollHeight];
    view.scrollBy(x - box.left - box.width / 2, y - box.top - box.height / 2);
  };
  // And again when its reader's turn begins or the pieces come, but not under a finger.
  let fingers = 0;
  for (const name of ["touchstart", "touchend", "touchcancel"]) {
    document.addEventListener(name, (event) => { fingers = event.touches.length; }, { passive: true });
  }
  const title = () => document.querySelector(".phases h2")?.textContent;
  const turn = () => {
    const view = get("board-view");
    const asks = document.querySelector("form[action$='/answer']");
    return view && !asks && get("dock").matches(".is-mine") && own(view).length ? title() ?? "mine" : null;
  };
  document.addEventListener("click", (event) => {
    const squares = event.target.closest(".squares");
    if (!squares || root.classList.contains("fits") || !get("whole")?.checked) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const [box, view] = [squares.getBoundingClientRect(), get("board-view")];
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    get("whole").checked = false;
    view.scrollTo(x * view.scrollWidth - view.clientWidth / 2, y * view.scrollHeight - view.clientHeight / 2);
  }, true);
  // A question leads to where it is answered, and back from there to what its reader was looking at.
  let asked = false;
  let back = null;
  let begun = turn();
  document.addEventListener("htmx:after:swap", () => {
    measure();
    const asks = Boolean(document.querySelector(".overlay button[name='value']"));
    const now = turn();
    const view = get("board-view");
    if (asks && !asked && view) back = [view.scrollLeft, view.scrollTop];
    if (((asks && !asked) || (now && now !== begun)) && !fingers) centre();
    else if (!asks && asked && back && !fingers) view?.scrollTo(...back);
    asked = asks;
    begun = now ?? (title() ? begun : null);
  });
  addEventListener("resize", measure);
  measure();
  centre();
})();
