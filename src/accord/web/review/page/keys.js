// Keyboard shortcuts. They are inactive while somebody is typing, or if they are turned off.

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

/** Call the action of each key, and `leave` for Escape. While a pair is being edited no key decides, not
 * even on the buttons next to the fields. */
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

/** Take the focus from a button that was clicked with the mouse: the space bar would press it. */
export function dropFocus(event) {
  if (event.detail) event.currentTarget.blur();
}
