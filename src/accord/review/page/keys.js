// Keys decide, unless somebody is typing, or does not want them to.

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

/** Call the action of each key; `leave` when somebody wants to leave what is being edited. */
export function listen(actions, leave) {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (key === "Escape") {
      leave();
      if (target.closest("#filters")) document.getElementById("pair").focus({ preventScroll: true });
      return;
    }
    if (target.closest("input, select, textarea, dialog")) return;
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
  if (event.detail) document.activeElement.blur();
}
