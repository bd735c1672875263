/* A hand that was hidden on this phone lies hidden when its page comes anew, until its owner shows it. This is no
   module: it runs where it stands, before a card of the hand was seen. */

window.hideHands ??= (() => {
  const KEPT = "hidden-hands";
  const MOST = 40; // hands that this device remembers
  const name = (hand) => `${location.pathname}#${hand.id}`;
  const hidden = () => {
    try {
      return [JSON.parse(localStorage.getItem(KEPT)) ?? []].flat();
    } catch {
      return [];
    }
  };
  const keep = (hand) => {
    const others = hidden().filter((other) => other !== name(hand));
    try {
      localStorage.setItem(KEPT, JSON.stringify([...others, ...hand.checked ? [name(hand)] : []].slice(-MOST)));
    } catch {
      // A private window keeps nothing.
    }
  };
  document.addEventListener("change", ({ target }) => {
    if (target.matches(".hide-cards")) keep(target);
  });
  const hide = () => {
    const names = hidden();
    document.querySelectorAll(".hide-cards").forEach((hand) => {
      hand.checked ||= names.includes(name(hand));
    });
  };
  document.addEventListener("htmx:after:swap", hide); // a hand that was empty may lie there again
  return hide;
})();
window.hideHands();
