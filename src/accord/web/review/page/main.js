// The review page: which pair is shown, the decision on it, and what comes next.

import * as filters from "./filters.js";
import * as view from "./drawing.js";
import { listen, dropFocus } from "./keys.js";
import { CONFLICT, Refused, connect } from "./server.js";
import { nameOfTab } from "./tab.js";

const SIZE = 20; // pairs per request
const FEW = 8; // when fewer are left, more are fetched
const PENDING = "pending"; // a decision that is not confirmed, in case the page is reloaded
const DID = { accepted: "Accepted:", rejected: "Rejected:", corrected: "Corrected:", skipped: "Skipped:" };

const ask = connect(view.notice);
const tab = await nameOfTab();

let queue = []; // the pairs in review order, with those reviewed since the page was opened
let current = -1; // which of them is shown
let pair = null; // the pair that is shown, with all its details
let editing = false;
let busy = false; // during a request, keys are ignored: they would apply to another pair
let changed = false; // whether the filters have changed during a request

const query = (more) => {
  const wanted = filters.readFilters();
  for (const [name, value] of Object.entries(more)) wanted.set(name, value);
  return wanted.toString();
};

/** Fetch pairs from a place on, or before it. */
async function fetchPairs(begin, size) {
  const page = await ask.get(`/pairs?${query({ begin, size })}`);
  view.drawProgress(page);
  return page.pairs;
}

async function fillAfter() {
  const begin = 1 + Math.max(-1, ...queue.map(({ place }) => place));
  let more = await fetchPairs(begin, SIZE);
  // At the end, start again from the first pair: other tabs may have undone decisions.
  if (!more.length && begin && showsUnreviewed()) more = await fetchPairs(0, SIZE);
  queue.push(...dropKnown(more));
}

/** Return the pairs that are not in the queue yet; update the status of the others. */
function dropKnown(pairs) {
  const known = new Map(queue.map((one) => [one.place, one]));
  for (const { place, status } of pairs) if (known.has(place)) known.get(place).status = status;
  return pairs.filter(({ place }) => !known.has(place));
}

const showsUnreviewed = () => !filters.readFilters().has("shown");

/** Show the pair of this number in the queue; editing ends. */
async function show(number) {
  edit(false);
  pair = queue[number] ? await ask.get(`/pair?place=${queue[number].place}`) : null;
  current = number;
  if (pair) queue[number].status = pair.status;
  view.drawPair(pair);
  view.drawQueue(queue, current, choose);
  if (pair) drawMatrix(pair.place);
}

/** Draw the alignment matrix when it arrives, if its pair is still shown. */
async function drawMatrix(place) {
  const html = await ask.text(`/matrix?place=${place}`).catch(() => "");
  if (pair?.place === place) view.drawMatrix(html);
}

async function start() {
  queue = await fetchPairs(0, SIZE);
  await show(0);
}

/** Show the next pair. */
async function showNext() {
  do {
    if (Math.max(current + 1, findNext()) > queue.length - FEW) await fillAfter();
    await show(findNext());
    // Another tab may already have reviewed it.
  } while (pair?.status && showsUnreviewed());
}

/** Return the number of the next pair; if unreviewed pairs are shown, of the next of these or, at the
 * end, of the first that was passed over. */
function findNext() {
  const next = pair ? current + 1 : current; // after the last one, more may have been fetched
  if (!showsUnreviewed()) return next;
  const open = [...queue.keys()].filter((number) => !queue[number].status);
  return open.find((number) => number >= next) ?? open[0] ?? queue.length;
}

const choose = (number) => alone(async () => {
  await show(number);
  view.focusPair();
});

const actions = {
  accepted: () => decide("accepted"),
  rejected: () => decide("rejected"),
  skipped: () => decide("skipped"),
  edit: () => alone(() => pair && edit(true)),
  undo: () => alone(undo),
  on: () => alone(async () => {
    if (current > queue.length - FEW) await fillAfter();
    const next = pair ? current + 1 : findNext();
    if (queue[next]) await show(next);
    else view.say("This is the last pair.");
  }),
  back: () => alone(async () => {
    if (current === 0) {
      const before = dropKnown(await fetchPairs(queue[0]?.place ?? 0, -SIZE));
      queue.unshift(...before);
      current += before.length;
    }
    if (current > 0) await show(current - 1);
    else view.say("This is the first pair.");
  }),
  search: filters.search,
  help: () => document.getElementById("help").showModal(),
};

function decide(status, corrected = null) {
  if (!pair) return undefined;
  const { source, target, seen } = pair;
  return alone(async () => {
    const saved = await send({ source, target, status, corrected, seen, tab });
    if (!saved) return;
    queue[current].status = saved;
    await showNext();
  });
}

/** Send a decision, keeping it until it is confirmed. Return the status, or null if it was not saved. */
async function send(decision) {
  sessionStorage[PENDING] = JSON.stringify(decision);
  try {
    const answer = await ask.post(`/decide?${query({})}`, decision);
    view.notice("");
    view.say(DID[answer.status], decision);
    view.drawProgress(answer);
    return answer.status;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status !== CONFLICT) {
      view.notice(error.message);
      return null;
    }
    view.drawProgress(error.answer);
    if (pair) await show(current);
    const now = error.answer.status;
    const since = now ? `has been ${now} in another tab` : "was reviewed, and another tab has undone that";
    view.notice(
      `Nothing was saved: ${decision.source} = ${decision.target} ${since} since it was shown here. `
      + "Decide again if you disagree.",
    );
    return null;
  } finally {
    delete sessionStorage[PENDING];
  }
}

async function undo() {
  const answer = await ask.postOnce(`/undo?${query({})}`, { tab }).catch((error) => {
    if (error instanceof Refused) throw error;
    location.reload(); // shows whether the decision was undone
  });
  if (!answer) return;
  view.drawProgress(answer);
  view.notice("");
  if (answer.place === null) {
    if (answer.undone) view.say("Undone, although the run no longer has it:", answer.undone);
    else view.say("Nothing to undo in this tab.");
    return;
  }
  let number = queue.findIndex(({ place }) => place === answer.place);
  if (number < 0) {
    number = Math.max(0, current);
    queue.splice(number, 0, await ask.get(`/pair?place=${answer.place}`));
  }
  await show(number);
  view.say("Undone:", answer.undone);
}

function edit(on) {
  if (editing === on) return;
  editing = on;
  view.drawEditing(on ? pair : null);
}

/** Run one action at a time: others are ignored meanwhile, but changed filters are applied afterwards. */
async function alone(work) {
  if (busy) return;
  busy = true;
  document.getElementById("pair").ariaBusy = "true";
  try {
    await work();
  } catch (error) {
    view.notice(error.message);
    throw error;
  } finally {
    busy = false;
    document.getElementById("pair").ariaBusy = "false";
    if (changed) filter();
  }
}

function filter() {
  changed = busy;
  alone(start);
}

async function save(form) {
  try {
    const response = await ask.file(`/export/${form}`);
    const name = /filename="(.+)"/.exec(response.headers.get("Content-Disposition"))[1];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
    view.say(`Exported ${name}.`);
  } catch (error) {
    view.notice(error.message);
  }
  document.getElementById("export").open = false;
}

document.getElementById("sides").addEventListener("submit", (event) => {
  event.preventDefault();
  if (editing) decide("corrected", view.readEdits());
});
document.getElementById("leave").addEventListener("click", () => edit(false));
document.getElementById("done-clear").addEventListener("click", filters.clear);
document.getElementById("help-button").addEventListener("click", actions.help);
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", (event) => {
    actions[button.dataset.do]();
    dropFocus(event);
  });
}
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", () => save(button.dataset.export));
}
addEventListener("beforeunload", (event) => {
  if (sessionStorage[PENDING]) event.preventDefault();
});
listen(actions, () => edit(false), () => editing);
filters.watch(filter);

await alone(async () => {
  view.drawRun(await ask.get("/run"));
  const pending = sessionStorage[PENDING];
  if (pending) await send(JSON.parse(pending));
  await start();
});
