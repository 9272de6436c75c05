// The review page: which pair is shown, what is decided of it, and what comes next.

import * as filters from "./filters.js";
import * as view from "./drawing.js";
import { listen, withoutFocus } from "./keys.js";
import { CONFLICT, Refused, server } from "./server.js";

const SIZE = 20; // pairs that are fetched at once
const FEW = 8; // when so many are left, more are fetched
const PENDING = "pending"; // what is decided but not confirmed, should the page be loaded anew
const DID = { accepted: "Accepted:", rejected: "Rejected:", corrected: "Corrected:", skipped: "Skipped:" };

const ask = server(view.notice);
// A tab undoes what was decided in it.
const tab = (sessionStorage.tab ??= crypto.getRandomValues(new Uint32Array(4)).join("-"));

let queue = []; // the pairs in turn, the decided ones among them for as long as the page is open
let current = -1; // which of them is shown
let pair = null; // that one, with all that is known of it
let chosen = 0; // how many pairs the filters let through
let editing = false;
let busy = false; // while the server is asked, keys do nothing: they would be about another pair
let round = 0; // counts up when the filters change: what was asked for before is not shown

const query = (more) => {
  const wanted = filters.asked();
  for (const [name, value] of Object.entries(more)) wanted.set(name, value);
  return wanted.toString();
};

/** Pairs from a place on, or before it; none if the filters have changed meanwhile. */
async function fetched(begin, size) {
  const asked = round;
  const page = await ask.get(`/pairs?${query({ begin, size })}`);
  if (asked !== round) return [];
  chosen = page.chosen;
  view.drawChosen(chosen);
  view.drawProgress(page);
  return page.pairs;
}

async function fillAfter() {
  const begin = queue.length ? queue.at(-1).place + 1 : 0;
  let more = await fetched(begin, SIZE);
  // At the end: those that were passed over.
  if (!more.length && begin && isOpen()) more = await fetched(0, SIZE);
  const known = new Set(queue.map(({ place }) => place));
  queue.push(...more.filter(({ place }) => !known.has(place)));
}

const isOpen = () => !filters.asked().has("shown");

/** Show the pair of this number in the queue. */
async function show(number) {
  current = number;
  const asked = round;
  if (!queue[number]) {
    pair = null;
    view.drawDone(
      filters.asked().size
        ? "No pair that the filters let through is left."
        : "Every pair of the run is decided.",
    );
  } else {
    const found = await ask.get(`/pair?place=${queue[number].place}`);
    if (asked !== round) return;
    pair = found;
    queue[number].status = pair.status;
  }
  view.drawPair(pair);
  view.drawQueue(queue, current, choose);
  if (pair) drawPicture(pair.place);
}

/** The picture comes when it does, if its pair is still there. */
async function drawPicture(place) {
  const html = await ask.text(`/picture?place=${place}`).catch(() => "");
  if (pair?.place === place) view.drawPicture(html);
}

async function start() {
  round += 1;
  queue = [];
  const first = await fetched(0, SIZE);
  queue = first;
  await show(0);
}

/** To the next pair that is not decided, as far as the filters want such. */
async function goOn() {
  let next = current + 1;
  for (;;) {
    if (next > queue.length - FEW) await fillAfter();
    await show(next);
    // Another tab may have been faster.
    if (!pair?.status || !isOpen()) return;
    next += 1;
  }
}

const choose = (number) => alone(() => show(number));

const actions = {
  accepted: () => decide("accepted"),
  rejected: () => decide("rejected"),
  skipped: () => decide("skipped"),
  edit: () => pair && edit(true),
  undo: () => alone(undo),
  on: () => alone(async () => {
    if (current > queue.length - FEW) await fillAfter();
    if (queue[current + 1]) await show(current + 1);
    else view.say("This is the last pair.");
  }),
  back: () => alone(async () => {
    if (current === 0) {
      const before = await fetched(queue[0]?.place ?? 0, -SIZE);
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
  return alone(() => send({ source, target, status, corrected, seen, tab }));
}

/** Kept until it is confirmed, then the next pair. */
async function send(decision) {
  sessionStorage[PENDING] = JSON.stringify(decision);
  try {
    const answer = await ask.post(`/decide?${query({})}`, decision);
    view.notice("");
    view.say(DID[answer.status], decision);
    view.drawProgress(answer);
    if (isOpen()) view.drawChosen((chosen -= decision.seen ? 0 : 1));
    if (queue[current]) queue[current].status = answer.status;
    edit(false);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status !== CONFLICT) {
      view.notice(error.message);
      return;
    }
    const now = error.answer.status;
    edit(false);
    await show(Math.max(0, current));
    view.notice(
      (now
        ? `Nothing was saved: this pair has been ${now} in another tab since it was shown here.`
        : "Nothing was saved: the decision on this pair has been taken back in another tab since.") +
        " It is shown as it is now; decide again if you see it otherwise.",
    );
    return;
  } finally {
    delete sessionStorage[PENDING];
  }
  await goOn();
}

async function undo() {
  const answer = await ask.postOnce(`/undo?${query({})}`, { tab }).catch((error) => {
    if (error instanceof Refused) throw error;
    location.reload(); // and see
  });
  if (!answer) return;
  view.drawProgress(answer);
  if (answer.place === null) {
    view.say("Nothing to take back in this tab.");
    return;
  }
  let number = queue.findIndex(({ place }) => place === answer.place);
  if (number < 0) {
    number = Math.max(0, current);
    queue.splice(number, 0, await ask.get(`/pair?place=${answer.place}`));
  }
  await show(number);
  view.notice("");
  view.say("Taken back:", pair);
}

function edit(on) {
  if (editing === on) return;
  editing = on;
  view.drawEditing(on ? pair : null);
}

/** One thing at a time. */
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
  }
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
  if (editing) decide("corrected", view.edited());
});
document.getElementById("leave").addEventListener("click", () => edit(false));
document.getElementById("done-clear").addEventListener("click", filters.clear);
document.getElementById("help-button").addEventListener("click", actions.help);
for (const button of document.querySelectorAll("[data-do]")) {
  button.addEventListener("click", (event) => {
    actions[button.dataset.do]();
    withoutFocus(event);
  });
}
for (const button of document.querySelectorAll("[data-export]")) {
  button.addEventListener("click", () => save(button.dataset.export));
}
addEventListener("beforeunload", (event) => {
  if (sessionStorage[PENDING]) event.preventDefault();
});
listen(actions, () => edit(false));
filters.watch(() => {
  edit(false);
  alone(start);
});

await alone(async () => {
  view.drawRun(await ask.get("/run"));
  const left = sessionStorage[PENDING];
  await start();
  if (left) await send(JSON.parse(left));
});
