/* What this device remembers of each of many places, the newest of them. */

import { storage } from "./companion.js";

export const remembered = (name, most) => {
  const all = () => storage.readList(name).filter(Array.isArray);
  const read = (place) => all().find(([one]) => one === place)?.[1];
  const write = (place, what) => {
    const others = all().filter(([one]) => one !== place);
    storage.writeData(name, [...others, [place, what]].slice(-most));
  };
  return { read, write };
};
