// The review page: which pair is shown, what is decided of it, and what comes next.

import * as filters from "./filters.js";
import * as view from "./drawing.js";
import { listen, withoutFocus } from "./keys.js";
import { CONFLICT, Refused, server } from "./server.js";
import { nameOfTab } from "./tab.js";

const SIZE = 20; // pairs that are fetched at once
const FEW = 8; // when so many are left, more are fetched
const PENDING = "pending"; // what is decided but not confirmed, should the page be loaded anew
const DID = { accepted: "Accepted:", rejected: "Rejected:", corrected: "Corrected:", skipped: "Skipped:" };

const ask = server(view.notice);
const tab = await nameOfTab();

let queue = []; // the pairs in turn, the decided ones among them for as long as the page is open
let current = -1; // which of them is shown
let pair = null; // that one, with all that is known of it
let editing = false;
let busy = false; // while the server is asked, keys do nothing: they would be about another pair
let changed = false; // the filters, while the server was asked

const query = (more) => {
  const wanted = filters.asked();
  for (const [name, value] of Object.entries(more)) wanted.set(name, value);
  return wanted.toString();
};

/** Pairs from a place on, or before it. */
async function fetched(begin, size) {
  const page = await ask.get(`/pairs?${query({ begin, size })}`);
  view.drawProgress(page);
  return page.pairs;
}

async function fillAfter() {
  const begin = 1 + Math.max(-1, ...queue.map(({ place }) => place));
  let more = await fetched(begin, SIZE);
  // At the end: what is open again, as others may have taken decisions back.
  if (!more.length && begin && isOpen()) more = await fetched(0, SIZE);
  queue.push(...unknown(more));
}

/** Those that are not in the queue yet; of the others, what is decided now. */
function unknown(pairs) {
  const known = new Map(queue.map((one) => [one.place, one]));
  for (const { place, status } of pairs) if (known.has(place)) known.get(place).status = status;
  return pairs.filter(({ place }) => !known.has(place));
}

const isOpen = () => !filters.asked().has("shown");

/** Show the pair of this number in the queue; what was being edited is left. */
async function show(number) {
  edit(false);
  pair = queue[number] ? await ask.get(`/pair?place=${queue[number].place}`) : null;
  current = number;
  if (pair) queue[number].status = pair.status;
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
  queue = await fetched(0, SIZE);
  await show(0);
}

/** To the next pair. */
async function goOn() {
  do {
    if (Math.max(current + 1, following()) > queue.length - FEW) await fillAfter();
    await show(following());
    // Another tab may have been faster.
  } while (pair?.status && isOpen());
}

/** The number of the next pair that is not decided, if the filters want such; at the end, of the
 * first that was passed over. */
function following() {
  const next = pair ? current + 1 : current; // after the last, more may have come
  if (!isOpen()) return next;
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
    const next = pair ? current + 1 : following();
    if (queue[next]) await show(next);
    else view.say("This is the last pair.");
  }),
  back: () => alone(async () => {
    if (current === 0) {
      const before = unknown(await fetched(queue[0]?.place ?? 0, -SIZE));
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
    await goOn();
  });
}

/** Kept until it is confirmed; what is decided then, or nothing if it was not saved. */
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
    const since = now ? `has been ${now} in another tab` : "was decided, which another tab has taken back";
    view.notice(
      `Nothing was saved: ${decision.source} = ${decision.target} ${since} since it was shown here. `
      + "Decide again if you see it otherwise.",
    );
    return null;
  } finally {
    delete sessionStorage[PENDING];
  }
}

async function undo() {
  const answer = await ask.postOnce(`/undo?${query({})}`, { tab }).catch((error) => {
    if (error instanceof Refused) throw error;
    location.reload(); // and see
  });
  if (!answer) return;
  view.drawProgress(answer);
  view.notice("");
  if (answer.place === null) {
    if (answer.undone) view.say("Taken back, though the run no longer has it:", answer.undone);
    else view.say("Nothing to take back in this tab.");
    return;
  }
  let number = queue.findIndex(({ place }) => place === answer.place);
  if (number < 0) {
    number = Math.max(0, current);
    queue.splice(number, 0, await ask.get(`/pair?place=${answer.place}`));
  }
  await show(number);
  view.say("Taken back:", answer.undone);
}

function edit(on) {
  if (editing === on) return;
  editing = on;
  view.drawEditing(on ? pair : null);
}

/** One thing at a time: what else is asked for meanwhile is not done, but filters are looked at afterwards. */
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
listen(actions, () => edit(false), () => editing);
filters.watch(filter);

await alone(async () => {
  view.drawRun(await ask.get("/run"));
  const left = sessionStorage[PENDING];
  if (left) await send(JSON.parse(left));
  await start();
});
