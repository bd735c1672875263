/* How many milliseconds Companion's clock is ahead of this device's; null where nothing came, or no time. */

export const askNow = async (signal) => {
  const asked = Date.now();
  try {
    const answer = await fetch("/now", { cache: "no-store", signal });
    const came = Date.now();
    const now = Number(await answer.text());
    return answer.ok && now ? now - (asked + came) / 2 : null;
  } catch {
    return null;
  }
};
