// Fills the tables of a report. Their data is in one element, deflated: see web/templates.py.
"use strict";

const ROWS_PER_PAGE = 20;

async function unpack(id) {
  const text = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

class PairTable {
  constructor(section, data) {
    const name = section.dataset.table;
    this.section = section;
    this.rows = data.rows[name].map((cells, place) => ({ cells, place }));
    this.details = data.details[name] || {};
    this.seed = Object.fromEntries(
      Object.entries(data.seed).map(([side, words]) => [side, new Set(words)]),
    );
    this.heads = [...section.querySelectorAll("th[data-kind]")];
    this.columns = this.heads.map((head) => head.dataset);
    this.opens = "opens" in section.dataset;
    for (const row of this.rows) {
      row.text = this.columns
        .map((column, n) => (column.kind === "number" ? "" : row.cells[n]))
        .join("\t")
        .toLowerCase();
    }
    this.sorted = { column: -1, falls: false };
    this.at = 0;
    this.listen();
    this.choose();
  }

  find(selector) {
    return this.section.querySelector(selector);
  }

  listen() {
    const choose = () => this.choose();
    this.find(".search").addEventListener("input", choose);
    this.find(".only-new")?.addEventListener("change", choose);
    this.find(".no-identical")?.addEventListener("change", choose);
    this.find(".back").addEventListener("click", () => this.turn(-1));
    this.find(".next").addEventListener("click", () => this.turn(1));
    this.heads.forEach((head, column) =>
      head.querySelector("button").addEventListener("click", () => this.sort(column)),
    );
  }

  // Show the rows that match, beginning with the first page.
  choose() {
    const wanted = this.find(".search").value.trim().toLowerCase();
    const onlyNew = this.find(".only-new")?.checked;
    const noIdentical = this.find(".no-identical")?.checked;
    this.chosen = this.rows.filter(
      (row) =>
        row.text.includes(wanted) &&
        (!onlyNew || this.hasNew(row)) &&
        (!noIdentical || row.cells[0] !== row.cells[1]),
    );
    this.order();
  }

  sort(column) {
    // The first click sorts numbers downwards and words upwards, the second reverses, the third ends it.
    const falls = this.columns[column].kind === "number";
    if (this.sorted.column !== column) this.sorted = { column, falls };
    else if (this.sorted.falls === falls) this.sorted = { column, falls: !falls };
    else this.sorted = { column: -1, falls: false };
    this.order();
  }

  order() {
    const { column, falls } = this.sorted;
    const sign = falls ? -1 : 1;
    this.chosen.sort((one, other) => {
      if (column < 0) return one.place - other.place;
      const [a, b] = [one.cells[column], other.cells[column]];
      return sign * (a < b ? -1 : a > b ? 1 : 0) || one.place - other.place;
    });
    this.heads.forEach((head, n) => {
      if (n === column) head.setAttribute("aria-sort", falls ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.at = 0;
    this.show();
  }

  turn(pages) {
    this.at += pages * ROWS_PER_PAGE;
    this.show();
  }

  show() {
    const shown = this.chosen.slice(this.at, this.at + ROWS_PER_PAGE);
    const total = this.chosen.length;
    this.find("tbody").replaceChildren(...shown.map((row) => this.line(row)));
    this.find(".back").disabled = this.at === 0;
    this.find(".next").disabled = this.at + ROWS_PER_PAGE >= total;
    const number = (value) => value.toLocaleString("en");
    this.find(".where").textContent = total
      ? `${number(this.at + 1)}–${number(this.at + shown.length)} of ${number(total)}`
      : this.rows.length
        ? "No rows match."
        : "No rows.";
  }

  line(row) {
    const line = document.createElement("tr");
    if (this.opens) line.append(this.opener(row, line));
    this.columns.forEach((column, n) => {
      const cell = line.insertCell();
      cell.className = this.heads[n].className;
      if (column.kind === "number") {
        cell.textContent = row.cells[n].toFixed(3);
        return;
      }
      if (column.kind === "badge") {
        const badge = document.createElement("span");
        badge.className = `badge ${row.cells[n]}`;
        badge.textContent = row.cells[n];
        cell.append(badge);
        return;
      }
      cell.dir = "auto";
      if (column.lang) cell.lang = column.lang;
      if (column.side) this.mark(cell, row.cells[n], column.side);
      else cell.textContent = row.cells[n];
    });
    return line;
  }

  mark(cell, text, side) {
    text.split(" ").forEach((word, n) => {
      if (n) cell.append(" ");
      if (this.seed[side].has(word)) return cell.append(word);
      const mark = document.createElement("em");
      mark.className = "new";
      mark.title = "not in the seed";
      mark.textContent = word;
      cell.append(mark);
    });
  }

  hasNew(row) {
    return this.columns.some(
      ({ side }, n) => side && row.cells[n].split(" ").some((word) => !this.seed[side].has(word)),
    );
  }

  opener(row, line) {
    const cell = document.createElement("td");
    cell.className = "opener";
    const detail = this.details[row.place];
    if (detail === undefined) return cell;
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-label", `Details of ${row.cells[0]} = ${row.cells[1]}`);
    button.textContent = "▸";
    cell.append(button);
    line.classList.add("opens");
    line.addEventListener("click", (event) => {
      if (!event.target.closest("button") && String(getSelection())) return;
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) {
        line.nextSibling.remove();
        return;
      }
      const below = document.createElement("tr");
      below.className = "below";
      const inside = below.insertCell();
      inside.colSpan = this.columns.length + 1;
      const box = document.createElement("div");
      box.className = "detail";
      box.innerHTML = detail; // made by a template, which has escaped its text
      inside.append(box);
      line.after(below);
    });
    return cell;
  }
}

unpack("data").then(
  (data) => {
    for (const section of document.querySelectorAll("[data-table]")) new PairTable(section, data);
  },
  () => {
    for (const where of document.querySelectorAll(".where"))
      where.textContent = "This browser is too old to unpack the rows of this table.";
  },
);
