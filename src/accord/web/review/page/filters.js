// The form of filters. Its values are kept in the address, so that they survive a reload.

const form = document.getElementById("filters");
const fold = document.getElementById("filters-fold");
const PAUSE = 150; // milliseconds after a key
const DEFAULTS = { shown: "undecided", kind: "all" };

/** Return the values of the filters, without the defaults. */
export function readFilters() {
  const wanted = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const field = form.elements[name];
    if (value !== "" && value !== DEFAULTS[name] && field.validity.valid) wanted.set(name, value);
  }
  return wanted;
}

function showIfActive() {
  document.getElementById("filtered").hidden = readFilters().size === 0;
}

/** Call `changed` whenever the filters change. */
export function watch(changed) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements[name];
    if (field?.type === "checkbox") field.checked = value === field.value;
    else if (field) field.value = value;
  }
  showIfActive();
  fold.open = !matchMedia("(max-width: 60rem)").matches;
  let last = readFilters().toString();
  let timer = 0;
  const look = () => {
    const now = readFilters().toString();
    if (now === last) return;
    last = now;
    history.replaceState(null, "", now ? `?${now}` : location.pathname);
    showIfActive();
    changed();
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  });
  form.addEventListener("reset", () => setTimeout(look));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
}

export function clear() {
  form.reset();
}

/** Move the cursor to the search field. */
export function search() {
  fold.open = true;
  form.elements.contains.select();
}
