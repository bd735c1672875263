/* A picture that somebody chooses is made small on the phone, and takes its own place in the form: page and table are
   the same without this. What can not be made small is sent as it is, and refused in words. */

import { make } from "./companion.js";

const WIDEST = 480; // points in the longer direction
const MOST = 40000; // bytes
const SHARPEST = 0.9;
const ROUGHEST = 0.3;

const encoded = (canvas, type, quality) => new Promise((done) => {
  canvas.toBlob(done, type, quality);
});

const drawn = (picture, longer) => {
  const scale = Math.min(1, longer / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const canvas = make("canvas", { width, height });
  const ink = canvas.getContext("2d");
  ink.fillStyle = "#fff"; // what is clear would be black in a JPEG
  ink.fillRect(0, 0, width, height);
  ink.drawImage(picture, 0, 0, width, height);
  return canvas;
};

// A browser that writes no WebP gives a PNG instead: then it is a JPEG, which all of them write.
const small = async (file) => {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
  for (let longer = WIDEST; longer >= 60; longer /= 2) {
    const canvas = drawn(picture, longer);
    for (const type of ["image/webp", "image/jpeg"]) {
      for (let quality = SHARPEST; quality >= ROUGHEST; quality -= 0.15) {
        const blob = await encoded(canvas, type, quality);
        if (blob?.type !== type) break;
        if (blob.size <= MOST) return { blob, canvas };
      }
    }
  }
  return null;
};

// What was made of the file that each field has: a form that is refused for something else comes back without it.
const taken = new Map();
const put = (input, { file, canvas }) => {
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.closest(".brought").querySelector(".chosen").replaceChildren(canvas);
};
document.addEventListener("htmx:after:swap", () => {
  for (const [id, made] of taken) {
    const input = document.getElementById(id);
    if (!input) taken.delete(id);
    else if (!input.files.length) put(input, made);
  }
});

const choose = async ({ target }) => {
  if (!target.matches?.("[data-shrink]") || !target.files.length) return;
  const [file] = target.files;
  taken.delete(target.id);
  const send = target.form.querySelector(".foot button");
  const shown = target.closest(".brought").querySelector(".chosen");
  send.disabled = true;
  try {
    const made = await small(file);
    if (target.files[0] !== file) return; // another one was chosen meanwhile, and is on its way
    if (made) {
      const { type } = made.blob;
      const one = { file: new File([made.blob], `picture.${type.slice(6)}`, { type }), canvas: made.canvas };
      taken.set(target.id, one);
      put(target, one);
    }
  } catch {
    shown.replaceChildren();
  }
  send.disabled = false;
};
document.addEventListener("change", choose);
document.querySelectorAll("[data-shrink]").forEach((target) => choose({ target })); // chosen before this came
