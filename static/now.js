/* Companion is asked what time it is: how far its clock is ahead of this device's, and whether it answers at all. */

const ANSWER = 2000; // milliseconds that it has to

// Null where nothing came; `ahead` is null where what came was no time.
export const askNow = async (signal) => {
  const asked = Date.now();
  try {
    const answer = await fetch("/now", { cache: "no-store", signal });
    const came = Date.now();
    const now = Number(await answer.text());
    return { ok: answer.ok, ahead: answer.ok && now ? now - (asked + came) / 2 : null };
  } catch {
    return null;
  }
};

export const askSoon = async () => {
  const cut = new AbortController();
  const end = setTimeout(() => cut.abort(), ANSWER);
  const answer = await askNow(cut.signal);
  clearTimeout(end);
  return answer;
};
