// Keys decide, unless somebody is typing, or does not want them to.

import { focusPair } from "./drawing.js";

const KEYS = {
  y: "accepted",
  n: "rejected",
  e: "edit",
  " ": "skipped",
  u: "undo",
  "/": "search",
  "?": "help",
  ArrowLeft: "back",
  ArrowRight: "on",
};
const wanted = document.getElementById("keys");
wanted.checked = localStorage.keys !== "off";
wanted.addEventListener("change", () => (localStorage.keys = wanted.checked ? "on" : "off"));

/** Call the action of each key; `leave` when somebody wants to leave what is being edited. As long as
 * that is so, no key decides: not on the buttons beside the fields either. */
export function listen(actions, leave, isEditing) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (key === "Escape") {
      leave();
      if (target.closest("#filters")) focusPair();
      return;
    }
    if (isEditing() || target.closest("input, select, textarea, dialog")) return;
    // On a button, the space bar presses it.
    if (key === " " && target.closest("button, summary, a")) return;
    const action = KEYS[key] ?? KEYS[key.toLowerCase()];
    if (!action || !(wanted.checked || action === "help")) return;
    event.preventDefault();
    if (!event.repeat || key.startsWith("Arrow")) actions[action]();
  });
}

/** A button that was clicked with the mouse does not keep the keys: the space bar would press it. */
export function withoutFocus(event) {
  if (event.detail) event.currentTarget.blur();
}
