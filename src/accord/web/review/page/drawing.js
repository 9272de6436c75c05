// Draws the page. Phrases are inserted as text, never as HTML. Only the alignment matrix and the
// contexts are HTML: they come from templates on the server, which escape the text.

const at = (id) => document.getElementById(id);
const numberFormat = new Intl.NumberFormat("en");
const STATUSES = ["accepted", "rejected", "corrected", "skipped"];
const SIGNS = { accepted: "✓", rejected: "✗", corrected: "✎", skipped: "…" };
const SIDES = ["source", "target"];

let languages = ["", ""];

export function drawRun(run) {
  languages = run.languages;
  const names = languages.map(languageName);
  const pair = names.every(Boolean) ? ` · ${names.join(" – ")}` : "";
  at("run").textContent = `${run.name}${pair} · ${numberFormat.format(run.pairs)} pairs`;
  document.title = `Review of ${run.name} · Accord`;
  SIDES.forEach((side, n) => {
    at(`${side}-name`).textContent = names[n] || (n ? "Target" : "Source");
    for (const id of [side, `${side}-input`]) setLanguage(at(id), n);
  });
  if (names.every(Boolean)) {
    at("there").textContent = `${names[0]} to ${names[1]}`;
    at("back").textContent = `${names[1]} to ${names[0]}`;
  }
  at("confidence-filter").hidden = !run.hasConfidence;
}

function languageName(tag) {
  try {
    return tag && new Intl.DisplayNames("en", { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

function setLanguage(element, side) {
  if (languages[side]) element.lang = languages[side];
  element.dir = "auto";
}

export function drawProgress({ counts, estimate, chosen }) {
  at("chosen").textContent = `${numberFormat.format(chosen)} pair${chosen === 1 ? "" : "s"} to show`;
  at("done-words").textContent = counts.undecided
    ? `No other pair matches. Unreviewed pairs of the run: ${numberFormat.format(counts.undecided)}.`
    : "Every pair of the run is reviewed.";
  for (const status of [...STATUSES, "undecided"]) at(status).textContent = numberFormat.format(counts[status]);
  const percent = (share) => (share > 0.995 && share < 1 ? "over 99%" : `${Math.round(100 * share)}%`);
  at("estimate").classList.toggle("known", estimate !== null);
  at("precision").replaceChildren();
  if (!estimate) {
    at("precision").textContent = "Precision: shown after about 20 pairs reviewed in order";
    return;
  }
  const { precision, low, high } = estimate;
  const strong = makeElement("strong", `Precision ${percent(precision)}`);
  const between = low === high ? ", all pairs reviewed" : `, 95% interval from ${percent(low)} to ${percent(high)}`;
  at("precision").append(strong, between);
  at("precision").title =
    `Estimated share of correct pairs among ${numberFormat.format(estimate.pairs)}, from the decisions so far, `
    + `${numberFormat.format(estimate.drawn)} of them on pairs drawn at random`;
  at("interval").style.insetInlineStart = `${100 * low}%`;
  at("interval").style.inlineSize = `${100 * (high - low)}%`;
  at("middle").style.insetInlineStart = `${100 * precision}%`;
}

/** Draw the pair, with the decision on it and its contexts. */
export function drawPair(pair) {
  at("pair").hidden = pair === null;
  at("done").hidden = pair !== null;
  // Screen readers announce it.
  at("pair-name").replaceChildren(...(pair ? describePair(pair) : [at("done-words").textContent]));
  if (!pair) return;
  SIDES.forEach((side) => (at(side).textContent = pair[side]));
  drawConfidence(pair);
  at("kind").textContent = pair.kind;
  at("new").hidden = !pair.new;
  at("status").hidden = !pair.status;
  at("status").textContent = pair.status ? `${SIGNS[pair.status]} ${pair.status}` : "";
  at("status").className = `badge ${pair.status ?? ""}`;
  at("put").hidden = !pair.corrected;
  if (pair.corrected) {
    const [source, target] = pair.corrected;
    at("put").replaceChildren("corrected to ", ...describePair({ source, target }));
  }
  at("contexts-list").innerHTML = pair.contexts;
  at("contexts").hidden = !pair.contexts;
}

function drawConfidence({ confidence, confidenceText }) {
  at("confidence").hidden = at("confidence-bar").hidden = confidence === null;
  if (confidence === null) return;
  at("confidence-number").textContent = confidenceText;
  at("confidence-bar").firstElementChild.style.inlineSize = `${100 * confidence}%`;
}

export function drawMatrix(html) {
  at("matrix").innerHTML = html;
}

/** Draw the pairs around the one that is shown; `choose` is called with the number of a pair. */
export function drawQueue(queue, current, choose) {
  const first = Math.max(0, current - 3);
  const items = queue.slice(first, first + 12).map((pair, n) => {
    const number = first + n;
    const button = makeElement("button");
    button.type = "button";
    if (number === current) button.setAttribute("aria-current", "true");
    const sign = makeElement("span", SIGNS[pair.status] ?? "");
    sign.className = `sign ${pair.status ?? ""}`;
    sign.setAttribute("aria-hidden", "true");
    const texts = makeElement("span");
    texts.className = "texts";
    texts.append(makeText(pair.source, 0), makeText(pair.target, 1));
    const confidence = makeElement("span", pair.confidenceText);
    confidence.className = "number muted";
    button.append(sign, texts, confidence);
    if (pair.status) button.append(makeHiddenText(pair.status));
    button.addEventListener("click", () => choose(number));
    const item = makeElement("li");
    item.append(button);
    return item;
  });
  at("turn").replaceChildren(...items);
}

/** Report what has happened, also to screen readers. */
export function say(words, pair = null) {
  at("said").replaceChildren(words);
  if (pair) at("said").append(" ", ...describePair(pair));
}

export function notice(words) {
  at("notice").hidden = !words;
  at("notice").textContent = words;
}

/** Replace the phrases by fields with the texts of the pair; for null, show the phrases again. */
export function drawEditing(pair) {
  const hasFocus = at("sides").contains(document.activeElement);
  for (const side of SIDES) {
    at(side).hidden = pair !== null;
    at(`${side}-input`).hidden = pair === null;
    if (pair) at(`${side}-input`).value = pair[side];
  }
  at("editing").hidden = pair === null;
  at("deciding").hidden = pair !== null;
  if (pair) at("target-input").select();
  else if (hasFocus) focusPair();
}

export function focusPair() {
  at("pair").focus({ preventScroll: true });
}

export const readEdits = () => SIDES.map((side) => at(`${side}-input`).value);

const describePair = ({ source, target }) => [makeText(source, 0), " = ", makeText(target, 1)];

function makeText(text, side) {
  const span = makeElement("bdi", text);
  setLanguage(span, side);
  return span;
}

function makeHiddenText(text) {
  const span = makeElement("span", text);
  span.className = "hidden-text";
  return span;
}

function makeElement(name, text = "") {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
