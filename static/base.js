/* What every script of ours stands on: the elements of a page, and what this device keeps. */

const root = document.documentElement;
// Scripts that came twice are those of a newer Companion, on a page that was open meanwhile.
if (root.classList.contains("scripted")) location.reload();
root.classList.add("scripted");

export const get = (id) => document.getElementById(id);

export const make = (tag, has = {}, ...within) => {
  const made = Object.assign(document.createElement(tag), has);
  made.append(...within);
  return made;
};

// What this device keeps: nothing in a private window, or where it is full.
export const storage = {
  read(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name, value) {
    try {
      localStorage.setItem(name, value);
      return true;
    } catch {
      return false;
    }
  },
  readData(name) {
    try {
      return JSON.parse(storage.read(name));
    } catch {
      return null;
    }
  },
  readList(name) {
    const list = storage.readData(name);
    return Array.isArray(list) ? list : [];
  },
  writeData: (name, value) => storage.write(name, JSON.stringify(value)),
};

// Until htmx has come, which runs after all scripts of ours, a page works as one without scripts.
export const hasHtmx = () => typeof htmx.ajax === "function"; // before, the name is that of its element

export const shownVersion = () => get("state")?.dataset.version ?? "";
