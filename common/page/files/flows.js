// The table of a run's flows: what each did in the latest interval and so far. Sorted by a click on a heading, filtered
// by a text; a click on a row, or Enter, charts its flow.
import * as format from "./format.js";

const latest = (name) => (flow, column) => flow.latest?.[column(name)] ?? null;
const soFar = (name) => (flow, column) => flow.so_far[column(name)];
const either = (one, other) => (flow, column) => one(flow, column) ?? other(flow, column);

const COLUMNS = [
  { title: "Flow", value: (flow) => flow.flow, say: String },
  { title: "Name", value: (flow) => flow.name, text: true },
  { title: "Transport", value: (flow) => flow.transport, text: true },
  { title: "Sent", value: either(latest("sent_bps"), soFar("sent_bps")), say: format.bits },
  { title: "Received", value: either(latest("throughput_bps"), soFar("throughput_bps")), say: format.bits },
  { title: "Packets sent", value: soFar("sent_packets"), say: format.count },
  { title: "Packets received", value: soFar("received_packets"), say: format.count },
  { title: "Missing", value: (flow, column) => soFar("lost")(flow, column) ?? soFar("missing_packets")(flow, column), say: format.count },
  { title: "Delay, median", value: either(latest("delay_p50_ns"), soFar("delay_p50_ns")), say: format.time },
  { title: "Delay, 99 %", value: either(latest("delay_p99_ns"), soFar("delay_p99_ns")), say: format.time },
  { title: "RTT", value: soFar("rtt_transport_ns"), say: format.time },
  { title: "From", value: (flow) => flow.from, text: true },
  { title: "To", value: (flow) => flow.to, text: true },
  { title: "Sends", value: (flow) => flow.traffic, text: true },
];

export class Flows {
  constructor(table, column, choose) {
    this.table = table;
    this.column = column;
    this.choose = choose;
    this.order = { by: 0, down: false };
    this.filter = "";
    this.rows = new Map();
    this.body = table.createTBody();
    const head = table.createTHead().insertRow();
    this.headings = COLUMNS.map((one, i) => {
      const heading = document.createElement("th");
      const button = document.createElement("button");
      heading.scope = "col";
      heading.className = one.text ? "text" : "";
      button.type = "button";
      button.textContent = one.title;
      button.addEventListener("click", () => this.sortBy(i));
      heading.append(button);
      head.append(heading);
      return heading;
    });
  }

  sortBy(column) {
    this.order = { by: column, down: this.order.by === column ? !this.order.down : !COLUMNS[column].text && column > 0 };
    this.arrange();
  }

  /** flows: of a run's description. Returns how many are shown. */
  show(flows, chosen) {
    const same = this.flows?.length === flows.length && flows.every((one, i) => one.flow === this.flows[i].flow);
    this.flows = flows;
    if (same) { // rows stay where they are, with the focus
      this.mark(chosen);
      this.update();
      return this.body.rows.length;
    }
    this.rows.clear();
    for (const flow of flows) {
      const row = document.createElement("tr");
      row.tabIndex = 0;
      row.addEventListener("click", () => this.choose(flow.flow));
      row.addEventListener("keydown", (event) => event.key === "Enter" && this.choose(flow.flow));
      COLUMNS.forEach((one) => { row.insertCell().className = one.text ? "text" : ""; });
      this.rows.set(flow.flow, row);
    }
    this.mark(chosen);
    this.update();
    return this.arrange();
  }

  mark(chosen) {
    this.rows.forEach((row, flow) => row.setAttribute("aria-selected", String(flow === chosen)));
  }

  /** Writes what has changed into the cells. */
  update() {
    const known = COLUMNS.map(() => false);
    for (const flow of this.flows) {
      const cells = this.rows.get(flow.flow).cells;
      COLUMNS.forEach((one, i) => {
        const value = one.value(flow, this.column);
        const text = one.text ? value : one.say(value);
        known[i] ||= value !== null && value !== "";
        if (cells[i].textContent !== text) {
          cells[i].textContent = text;
          cells[i].title = one.text ? text : "";
        }
      });
    }
    COLUMNS.forEach((one, i) => {
      this.headings[i].hidden = !known[i];
      this.rows.forEach((row) => { row.cells[i].hidden = !known[i]; });
    });
  }

  matches(flow) {
    return [flow.name, flow.transport, flow.from, flow.to, flow.traffic].some((text) => text.toLowerCase().includes(this.filter));
  }

  arrange() {
    const { by, down } = this.order;
    const key = (flow) => COLUMNS[by].value(flow, this.column);
    const compare = (a, b) => (a === null) - (b === null)
      || (typeof a === "string" ? a.localeCompare(b, undefined, { numeric: true }) : a - b) * (down ? -1 : 1);
    const shown = this.flows.filter((flow) => this.matches(flow)).sort((a, b) => compare(key(a), key(b)));
    this.body.replaceChildren(...shown.map((flow) => this.rows.get(flow.flow)));
    this.headings.forEach((heading, i) => {
      heading.setAttribute("aria-sort", i !== by ? "none" : down ? "descending" : "ascending");
    });
    return shown.length;
  }
}
