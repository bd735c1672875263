/* Who waits for a seat asks again without loading the page, until there is a word. */

const waits = "data-again";
const knockAgain = async () => {
  try {
    const answer = await fetch(location.href);
    if (answer.redirected || !(await answer.text()).includes(waits)) {
      location.assign(answer.url);
      return;
    }
  } catch {
    // It is asked again.
  }
  setTimeout(knockAgain, 2000);
};
if (document.querySelector(`[${waits}]`)) setTimeout(knockAgain, 2000);
