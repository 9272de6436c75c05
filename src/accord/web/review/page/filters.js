// What the form of filters asks for. It is kept in the address, so that a reload keeps it.

const form = document.getElementById("filters");
const fold = document.getElementById("filters-fold");
const PAUSE = 150; // milliseconds after a key
const DEFAULTS = { shown: "undecided", kind: "all" };

/** What is asked for, without what is the default. */
export function asked() {
  const wanted = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const field = form.elements[name];
    if (value !== "" && value !== DEFAULTS[name] && field.validity.valid) wanted.set(name, value);
  }
  return wanted;
}

function showWhetherOn() {
  document.getElementById("filtered").hidden = asked().size === 0;
}

/** Call `changed` whenever something else is asked for. */
export function watch(changed) {
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements[name];
    if (field?.type === "checkbox") field.checked = value === field.value;
    else if (field) field.value = value;
  }
  showWhetherOn();
  fold.open = !matchMedia("(max-width: 60rem)").matches;
  let last = asked().toString();
  let timer = 0;
  const look = () => {
    const now = asked().toString();
    if (now === last) return;
    last = now;
    history.replaceState(null, "", now ? `?${now}` : location.pathname);
    showWhetherOn();
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

/** Put the cursor where one types what is searched for. */
export function search() {
  fold.open = true;
  form.elements.contains.select();
}
