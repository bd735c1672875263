/* Whether Companion answers at all. */

const ANSWER = 2000; // milliseconds that it has to

// Null where nothing came.
export const reaches = async () => {
  const cut = new AbortController();
  setTimeout(() => cut.abort(), ANSWER);
  try {
    const answer = await fetch("/now", { cache: "no-store", signal: cut.signal });
    await answer.text();
    return answer;
  } catch {
    return null;
  }
};
