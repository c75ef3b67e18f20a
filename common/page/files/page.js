// The live page of a program's runs (docs/guide/page.md). What the program says is set as text, never as HTML.
import { ask, askText, follow } from "./stream.js";
import { available, Charts } from "./charts.js";
import { Flows } from "./flows.js";
import * as format from "./format.js";
import { element } from "./element.js";

const ALL = 0; // the number of all flows together
const MOST_ROWS = 4000; // of a chart; then the program's own, which has joined old ones
const AGAIN_MS = 2000;

// Of a run: what each is called while it goes on and when it is over (null: left out then), and how it is said: of all
// intervals together, or of the latest.
const FIGURES = [
  { name: "sent_bps", running: "Sending", ended: "Sent, mean", say: format.bits, latest: true },
  { name: "throughput_bps", running: "Receiving", ended: "Received, mean", say: format.bits, latest: true },
  { name: "sent_packets", running: "Packets sent", ended: "Packets sent", say: format.count },
  { name: "received_packets", running: "Packets received", ended: "Packets received", say: format.count },
  { name: "received_bytes", running: "Payload received", ended: "Payload received", say: format.bytes },
  { name: "missing_packets", running: "Missing so far", ended: null, say: format.count },
  { name: "lost", running: "Lost", ended: "Lost", say: format.count },
  { name: "delay_p50_ns", running: "Delay, median", ended: "Delay, median, at worst", say: format.time, latest: true },
  { name: "delay_p99_ns", running: "Delay, 99 %", ended: "Delay, 99 %, at worst", say: format.time, latest: true },
  { name: "rtt_transport_ns", running: "Round trip", ended: "Round trip, at the end", say: format.time },
  { name: "retransmitted", running: "Sent again", ended: "Sent again", say: format.count },
];
// Of all intervals together, as joined() in common/figures/interval_row.cpp has them: sums, and upper bounds. The others
// are the latest one's.
const SUMS = ["received_over_s", "sent_packets", "sent_bytes", "received_packets", "received_bytes", "returned_packets", "retransmitted"];
const LARGEST = ["delay_p50_ns", "delay_p90_ns", "delay_p99_ns", "delay_max_ns"];
const RATES = [
  ["sent_pps", "sent_packets", "interval_s", 1], ["sent_bps", "sent_bytes", "interval_s", 8],
  ["packet_rate_pps", "received_packets", "received_over_s", 1], ["throughput_bps", "received_bytes", "received_over_s", 8],
];

const at = (id) => document.getElementById(id);

const page = {
  program: null, // what it is and what its figures are
  runs: [],
  asked: "", // the run and the flow that are to be shown
  run: null, // the description of the one that is shown
  flow: ALL, // the one that is charted
  rows: [], // of that flow
  next: 0, // the number of the first interval after these
  newest: true, // shows each run that begins
  stop: new AbortController(), // ends the stream of events
};
let charts = null;
let flows = null;

const column = (name) => page.program.figures.findIndex((figure) => figure.name === name);

function connection(state, text) {
  at("connection").className = state;
  at("connection").textContent = text;
}

function notice(text) {
  at("notice").textContent = text;
  at("notice").hidden = !text;
}

/** Tells what goes wrong with it, unless something else is shown by then. */
function start(work) {
  const { signal } = page.stop;
  work.catch((error) => signal.aborted || notice(error.message));
}

const quality = (word) => ({ complete: "good", all: "good", as_asked: "good", within: "good", lossy: "warn", interrupted: "warn", unknown: "warn" })[word] ?? "bad";
const counted = (number, what) => `${format.count(number)} ${what}${number === 1 ? "" : "s"}`;
const endWord = (run) => (run.ended_ns === null ? "running" : run.end);

// Runs.

/** Elements of runs stay when others come, so that who is about to click one, or has the focus there, keeps it. */
function showRuns() {
  at("no-runs").hidden = page.runs.length > 0;
  const known = new Map([...at("runs").children].map((item) => [item.dataset.run, item]));
  const items = page.runs.map((run) => {
    const item = known.get(`${page.program.instance} ${run.number}`) ?? itemOf(run);
    const state = item.querySelector(".state");
    state.textContent = endWord(run);
    state.className = `state ${run.ended_ns === null ? "good" : quality(run.end)}`;
    if (run.number === page.run?.number) {
      item.firstChild.setAttribute("aria-current", "true");
    } else {
      item.firstChild.removeAttribute("aria-current");
    }
    return item;
  });
  if (items.length !== at("runs").children.length || items.some((item, i) => item !== at("runs").children[i])) {
    at("runs").replaceChildren(...items);
  }
}

function itemOf(run) {
  const item = element("li");
  item.dataset.run = `${page.program.instance} ${run.number}`;
  const button = element("button", run.experiment || `run ${run.number}`);
  button.type = "button";
  button.append(element("small", format.instant(run.began_ns)), element("small", counted(run.flow_count, "flow")), element("small", "", "state"));
  button.addEventListener("click", () => choose(run.number, ALL));
  item.append(button);
  return item;
}

/** By the user: it stays. */
function choose(run, flow) {
  page.newest = run === page.runs[0]?.number && flow === ALL;
  location.hash = page.newest ? "" : new URLSearchParams(flow === ALL ? { run } : { run, flow }).toString();
  show(run, flow);
}

function chosen() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const run = Number(asked.get("run"));
  page.newest = !run;
  return run ? [run, Number(asked.get("flow")) || ALL] : [page.runs[0]?.number, ALL];
}

// One run.

function terms(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([term, text, className]) => [element("dt", term), element("dd", text, className)]));
  list.hidden = pairs.length === 0;
}

function showRun() {
  const run = page.run;
  at("run").hidden = false;
  at("name").textContent = run.experiment || `run ${run.number}`;
  at("state").textContent = endWord(run);
  at("state").className = run.ended_ns === null ? "good" : quality(run.end);
  document.title = `${run.experiment || `run ${run.number}`}: ${endWord(run)} - ${page.program.program}`;
  terms(at("verdicts"), [["Sent", run.verdict_text, run.verdict], ["Network", run.network_text, run.network]]
    .filter(([, text]) => text !== null).map(([term, text, word]) => [term, text, quality(word)]));
  terms(at("facts"), [
    ...run.hosts.map((host) => [host.role, [host.name, host.address].filter(Boolean).join(", ")]),
    ["began", format.instant(run.began_ns)],
    ...(run.ended_ns === null ? [] : [["ended", format.instant(run.ended_ns)]]),
    ...(run.run_id ? [["run", run.run_id]] : []),
  ]);
  at("note").textContent = run.note ?? "";
  at("flows-part").hidden = run.flows.length === 0;
  showFiles(run);
  showFigures();
  countShown(flows.show(run.flows, page.flow));
}

function showFiles(run) {
  const own = `/api/runs/${run.number}`;
  const offered = [
    { name: "rows (CSV)", path: `${own}/rows.csv` },
    ...(run.report_json ? [{ name: "report (JSON)", path: `${own}/report.json` }] : []),
    ...(run.report_text ? [{ name: "report (text)", path: `${own}/report.txt` }] : []),
    ...run.files.filter((file) => !file.picture),
  ];
  at("files").replaceChildren(...offered.map((file) => {
    const link = element("a", file.bytes ? `${file.name}, ${format.bytes(file.bytes)}` : file.name);
    link.href = file.path;
    link.setAttribute("download", "");
    const item = element("li");
    item.append(link);
    return item;
  }));
  at("pictures").replaceChildren(...run.files.filter((file) => file.picture).map((file) => {
    const picture = element("img");
    picture.src = file.path;
    picture.alt = file.name;
    picture.loading = "lazy";
    return picture;
  }));
  start(showReport(run));
}

async function showReport(run) {
  at("report-part").hidden = !run.report_text;
  if (!run.report_text) {
    return;
  }
  const { signal } = page.stop;
  const text = await askText(`/api/runs/${run.number}/report.txt`);
  if (!signal.aborted) {
    at("report").textContent = text;
  }
}

function showFigures() {
  const { so_far: sums, latest, rows, ended_ns: ended } = page.run;
  const value = (figure) => (ended === null && figure.latest ? latest : sums)[column(figure.name)];
  const title = (figure) => (ended === null ? figure.running : figure.ended);
  const tile = (name, text) => {
    const item = element("li");
    item.append(element("span", name), element("strong", text));
    return item;
  };
  const known = FIGURES.filter((figure) => title(figure) && value(figure) !== null);
  at("figures").replaceChildren(...(rows === 0 ? [] : [tile("Time", format.clock(sums[column("t_s")] + sums[column("interval_s")]))]),
    ...known.map((figure) => tile(title(figure), figure.say(value(figure)))));
}

function countShown(shown) {
  const all = page.run.flows.length;
  at("shown").textContent = shown === all ? counted(all, "flow") : `${shown} of ${counted(all, "flow")}`;
}

function showCharts() {
  const flow = page.run.flows.find((one) => one.flow === page.flow);
  at("charted").hidden = !flow;
  at("charted-flow").textContent = flow ? `Flow ${flow.flow}, ${flow.name}` : "";
  charts?.show(page.rows);
}

/** Of the flow that is charted. An answer that comes when another one is shown is dropped. */
async function loadRows() {
  const { signal } = page.stop;
  const history = await ask(`/api/runs/${page.run.number}/rows.json?flow=${page.flow}`);
  if (signal.aborted) {
    return;
  }
  const newer = Math.max(0, page.next - history.next); // came meanwhile
  page.rows = history.rows.concat(page.rows.slice(page.rows.length - newer));
  page.next = history.next + newer;
  if (page.rows.length === 0 && page.run.rows > 0) {
    notice("The program has no rows of this run, or no more: it keeps only so many of all runs.");
  }
  showCharts();
}

/** Shows a run from its beginning, and follows it. */
async function show(run, flow) {
  page.asked = `${run} ${flow}`;
  page.stop.abort();
  page.stop = new AbortController();
  const signal = page.stop.signal;
  if (run) {
    try {
      const found = await ask(`/api/runs/${run}`);
      if (signal.aborted) {
        return;
      }
      page.run = found;
      page.flow = found.flows.some((one) => one.flow === flow) ? flow : ALL;
      page.rows = [];
      page.next = 0;
      notice("");
      showRuns();
      showRun();
      await loadRows();
    } catch (error) {
      if (!signal.aborted) {
        notice(error.message);
      }
    }
  }
  if (!signal.aborted) {
    listen(run ?? 0, signal);
  }
}

// What happens.

/** Adds an interval to the sums of all before. */
function add(sums, row) {
  const [from, length] = [column("t_s"), column("interval_s")];
  if (page.run.rows === 0) {
    row.forEach((value, i) => { sums[i] = value; });
    return;
  }
  sums[length] = row[from] + row[length] - sums[from];
  for (const [i, figure] of page.program.figures.entries()) {
    if (i === from || i === length || row[i] === null) {
      continue;
    }
    const both = sums[i] !== null;
    if (SUMS.includes(figure.name)) {
      sums[i] = (sums[i] ?? 0) + row[i];
    } else if (both && LARGEST.includes(figure.name)) {
      sums[i] = Math.max(sums[i], row[i]);
    } else if (both && figure.name === "delay_min_ns") {
      sums[i] = Math.min(sums[i], row[i]);
    } else {
      sums[i] = row[i];
    }
  }
  for (const [rate, counted, over, factor] of RATES) {
    const seconds = sums[column(over)];
    const number = sums[column(counted)];
    sums[column(rate)] = number === null || !seconds ? null : factor * number / seconds;
  }
}

function addRows({ number, rows }) {
  for (const [flow, ...row] of rows) {
    if (flow === page.flow && number >= page.next) {
      page.rows.push(row);
      page.next = number + 1;
    }
    if (number < page.run.rows) {
      continue;
    }
    const of = flow === ALL ? page.run : page.run.flows.find((one) => one.flow === flow);
    if (of) {
      add(of.so_far, row);
      of.latest = row;
    }
  }
  page.run.rows = Math.max(page.run.rows, number + 1);
  showFigures();
  flows.update();
  if (page.rows.length > MOST_ROWS) {
    start(loadRows());
  } else {
    showCharts();
  }
}

const EVENTS = {
  hello({ instance }) {
    if (instance !== page.program.instance) {
      begin();
    }
  },
  runs({ runs }) {
    page.runs = runs;
    showRuns();
    if (page.newest && runs.length > 0 && runs[0].number !== page.run?.number) {
      show(runs[0].number, ALL);
    }
  },
  run(run) {
    const before = page.run;
    page.run = run;
    run.flows.forEach((flow, i) => { flow.latest = run.ended_ns === null ? before.flows[i]?.latest : null; });
    showRun();
  },
  rows: addRows,
  gap() {
    show(page.run.number, page.flow);
  },
  gone() {
    notice("The program has forgotten this run: it keeps only the latest ones.");
  },
};

async function listen(run, signal) {
  const take = (name, data) => {
    if (!signal.aborted) {
      connection("live", "live");
      EVENTS[name]?.(data);
    }
  };
  try {
    await follow(`/api/events?run=${run}&next=${page.run?.rows ?? 0}`, signal, take);
  } catch (error) {
    if (!signal.aborted) {
      console.info(`no events: ${error.message}`);
    }
  }
  if (!signal.aborted) {
    connection("gone", `${page.program.program} does not answer: what is here was true before`);
    setTimeout(() => signal.aborted || begin(), AGAIN_MS);
  }
}

/** Loads all: at first, and when the program has gone or begun again. */
async function begin() {
  page.stop.abort();
  try {
    const found = await ask("/api/runs");
    const restarted = page.program !== null && page.program.instance !== found.instance;
    page.program = found;
    page.runs = found.runs;
    if (restarted) {
      page.run = null;
      at("run").hidden = true;
      location.hash = "";
    }
    at("program").textContent = `${found.program} ${found.version}`;
    connection("live", "live");
    charts ??= available() ? new Charts(at("charts"), column) : null;
    at("no-charts").hidden = charts !== null;
    flows ??= new Flows(at("flows"), column, (flow) => choose(page.run.number, flow === page.flow ? ALL : flow));
    showRuns();
    show(...chosen());
  } catch (error) {
    connection("gone", `no answer: ${error.message}`);
    setTimeout(begin, AGAIN_MS);
  }
}

at("chart-all").addEventListener("click", () => choose(page.run.number, ALL));
at("filter").addEventListener("input", () => {
  flows.filter = at("filter").value.toLowerCase();
  countShown(flows.arrange());
});
addEventListener("hashchange", () => {
  const [run, flow] = chosen();
  if (page.asked !== `${run} ${flow}`) {
    show(run, flow);
  }
});
begin();
