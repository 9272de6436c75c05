// Puts things into the page. Text of phrases goes in as text, never as HTML; what HTML there is, the
// picture of the word links and the contexts, the server has made and escaped.

const at = (id) => document.getElementById(id);
const whole = new Intl.NumberFormat("en");
const STATUSES = ["accepted", "rejected", "corrected", "skipped"];
const SIGNS = { accepted: "✓", rejected: "✗", corrected: "✎", skipped: "…" };
const SIDES = ["source", "target"];

let languages = ["", ""];

export function drawRun(run) {
  languages = run.languages;
  const names = languages.map(languageName);
  const pair = names.every(Boolean) ? ` · ${names.join(" – ")}` : "";
  at("run").textContent = `${run.name}${pair} · ${whole.format(run.pairs)} pairs`;
  document.title = `Review of ${run.name} · Accord`;
  SIDES.forEach((side, n) => {
    at(`${side}-name`).textContent = names[n] || (n ? "Target" : "Source");
    for (const id of [side, `${side}-input`]) inLanguage(at(id), n);
  });
  if (names.every(Boolean)) {
    at("there").textContent = `${names[0]} to ${names[1]}`;
    at("back").textContent = `${names[1]} to ${names[0]}`;
  }
  at("probability-filter").hidden = !run.hasProbability;
}

function languageName(tag) {
  try {
    return tag && new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

function inLanguage(element, side) {
  if (languages[side]) element.lang = languages[side];
  element.dir = "auto";
}

export function drawProgress({ counts, estimate, chosen }) {
  at("chosen").textContent = `${whole.format(chosen)} pair${chosen === 1 ? "" : "s"} to show`;
  at("done-words").textContent = counts.undecided
    ? `No other pair is left here. To be decided in the run: ${whole.format(counts.undecided)}.`
    : "Every pair of the run is decided.";
  for (const status of [...STATUSES, "undecided"]) at(status).textContent = whole.format(counts[status]);
  const percent = (share) => (share > 0.995 && share < 1 ? "over 99 %" : `${Math.round(100 * share)} %`);
  at("estimate").classList.toggle("known", estimate !== null);
  at("precision").replaceChildren();
  if (!estimate) {
    at("precision").textContent = "Precision: decide some 20 in turn";
    return;
  }
  const { precision, low, high } = estimate;
  const strong = made("strong", `Precision ${percent(precision)}`);
  const between = low === high ? " and all are decided" : ` between ${percent(low)} and ${percent(high)}`;
  at("precision").append(strong, between);
  at("precision").title = 
    `The share of right ones among ${whole.format(estimate.pairs)} pairs, told from what is decided and from the `
    + `${whole.format(estimate.drawn)} that were drawn at random; it is in the interval with a probability of 95 in 100`;
  at("interval").style.insetInlineStart = `${100 * low}%`;
  at("interval").style.inlineSize = `${100 * (high - low)}%`;
  at("middle").style.insetInlineStart = `${100 * precision}%`;
}

/** The pair, with what is decided of it and where it was seen. */
export function drawPair(pair) {
  at("pair").hidden = pair === null;
  at("done").hidden = pair !== null;
  // Screen readers say it, whatever has brought the pair here.
  at("pair-name").replaceChildren(...(pair ? named(pair) : [at("done-words").textContent]));
  if (!pair) return;
  SIDES.forEach((side) => (at(side).textContent = pair[side]));
  drawProbability(pair);
  at("kind").textContent = pair.kind;
  at("new").hidden = !pair.new;
  at("status").hidden = !pair.status;
  at("status").textContent = pair.status ? `${SIGNS[pair.status]} ${pair.status}` : "";
  at("status").className = `badge ${pair.status ?? ""}`;
  at("put").hidden = !pair.corrected;
  if (pair.corrected) {
    const [source, target] = pair.corrected;
    at("put").replaceChildren("corrected to ", ...named({ source, target }));
  }
  at("contexts-list").innerHTML = pair.contexts;
  at("contexts").hidden = !pair.contexts;
}

function drawProbability({ probability, sure }) {
  at("probability").hidden = at("probability-bar").hidden = probability === null;
  if (probability === null) return;
  at("probability-number").textContent = sure;
  at("probability-bar").firstElementChild.style.inlineSize = `${100 * probability}%`;
}

export function drawPicture(html) {
  at("picture").innerHTML = html;
}

/** The pairs around the one that is shown; `choose` is called with the number of one. */
export function drawQueue(queue, current, choose) {
  const first = Math.max(0, current - 3);
  const items = queue.slice(first, first + 12).map((pair, n) => {
    const number = first + n;
    const button = made("button");
    button.type = "button";
    if (number === current) button.setAttribute("aria-current", "true");
    const sign = made("span", SIGNS[pair.status] ?? "");
    sign.className = `sign ${pair.status ?? ""}`;
    sign.setAttribute("aria-hidden", "true");
    const texts = made("span");
    texts.className = "texts";
    texts.append(spanned(pair.source, 0), spanned(pair.target, 1));
    const sure = made("span", pair.sure);
    sure.className = "number muted";
    button.append(sign, texts, sure);
    if (pair.status) button.append(hidden(pair.status));
    button.addEventListener("click", () => choose(number));
    const item = made("li");
    item.append(button);
    return item;
  });
  at("turn").replaceChildren(...items);
}

/** What has happened, for all to read and for screen readers to say. */
export function say(words, pair = null) {
  at("said").replaceChildren(words);
  if (pair) at("said").append(" ", ...named(pair));
}

export function notice(words) {
  at("notice").hidden = !words;
  at("notice").textContent = words;
}

/** The fields in place of the phrases, or the phrases again; the texts in the fields. */
export function drawEditing(pair) {
  const isInside = at("sides").contains(document.activeElement);
  for (const side of SIDES) {
    at(side).hidden = pair !== null;
    at(`${side}-input`).hidden = pair === null;
    if (pair) at(`${side}-input`).value = pair[side];
  }
  at("editing").hidden = pair === null;
  at("deciding").hidden = pair !== null;
  if (pair) at("target-input").select();
  else if (isInside) focusPair();
}

export function focusPair() {
  at("pair").focus({ preventScroll: true });
}

export const edited = () => SIDES.map((side) => at(`${side}-input`).value);

const named = ({ source, target }) => [spanned(source, 0), " = ", spanned(target, 1)];

function spanned(text, side) {
  const span = made("bdi", text);
  inLanguage(span, side);
  return span;
}

function hidden(text) {
  const span = made("span", text);
  span.className = "hidden-text";
  return span;
}

function made(name, text = "") {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
