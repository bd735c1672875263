/* A view that comes between press and release lays fresh squares, and browsers then click nothing. The square beneath
   the pointer is clicked where it means what was pressed. */

const squareUnder = ({ target }) => target.closest?.(".reach :is(a, button)");
const meaning = ({ value, href, dataset }) => value || href || dataset.place;
let pressed = null;
document.addEventListener("pointerdown", (event) => {
  pressed = event.pointerType === "mouse" && event.button === 0 ? squareUnder(event) : null;
});
document.addEventListener("pointerup", (event) => {
  const square = pressed && !pressed.isConnected && squareUnder(event);
  const same = square && meaning(square) === meaning(pressed);
  pressed = null;
  // A click that counts none is one by keys.
  if (same) square.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
});
