/* A board of many squares: seen from near it is moved with a finger, seen whole a tap goes near. Comes before board.js,
   which must not hear of such a tap. */
(() => {
  "use strict";
  const root = document.documentElement;
  const get = (id) => document.getElementById(id);

  const measure = () => {
    const view = get("board-view");
    const files = view && Number(getComputedStyle(view).getPropertyValue("--files"));
    root.classList.toggle("fits", Boolean(view) && view.clientWidth >= files * 44);
  };
  // It begins where its reader's pieces are.
  const centre = () => {
    const view = get("board-view");
    if (!view) return;
    const own = [...view.querySelectorAll(".overlay button[name='value'], .pick + label:not(.away)")].map((one) => one.getBoundingClientRect());
    const box = view.getBoundingClientRect();
    const middle = (from, to) => (Math.min(...own.map((one) => one[from])) + Math.max(...own.map((one) => one[to]))) / 2;
    const [x, y] = own.length ? [middle("left", "right"), middle("top", "bottom")] : [box.left + view.scrollWidth / 2, box.bottom + view.scrollHeight];
    view.scrollBy(x - box.left - box.width / 2, y - box.top - box.height / 2);
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
  let asked = false;
  document.addEventListener("htmx:after:swap", () => {
    measure();
    const asks = Boolean(document.querySelector(".overlay button[name='value']"));
    if (asks && !asked) centre();
    asked = asks;
  });
  addEventListener("resize", measure);
  measure();
  centre();
})();
