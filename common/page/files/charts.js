// The charts of a run: lines over time, drawn by dygraphs. Names are set as text, so dygraphs' own legend is left out.
import * as format from "./format.js";
import { element } from "./element.js";

const KINDS = [
  { title: "Throughput", say: format.bits, lines: [["sent_bps", "sent"], ["throughput_bps", "received"]] },
  { title: "Packet rate", say: format.packets, lines: [["sent_pps", "sent"], ["packet_rate_pps", "received"]] },
  { title: "One-way delay", say: format.time, free: true,
    lines: [["delay_p50_ns", "median"], ["delay_p90_ns", "90 %"], ["delay_p99_ns", "99 %"], ["delay_max_ns", "largest"]] },
  { title: "Missing packets", say: format.count, lines: [["missing_packets", "missing so far"]] },
  { title: "Round trip of the transport", say: format.time, lines: [["rtt_transport_ns", "smoothed"]] },
  { title: "Sent again by the transport", say: format.count, lines: [["retransmitted", "in the interval"]] },
  { title: "Replies", say: format.count, lines: [["returned_packets", "in the interval"]] },
];

export const available = () => typeof Dygraph !== "undefined";

/** For axes of which only whole numbers mean something. */
const whole = (say) => (value) => (Number.isInteger(value) ? say(value) : "");
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** One chart, in a figure with a caption that tells the latest values, or those under the pointer. */
class Chart {
  constructor(kind, place, zoomed) {
    this.kind = kind;
    this.zoomed = zoomed;
    this.figure = element("figure");
    this.box = element("div", "", "chart");
    const caption = element("figcaption");
    caption.append(element("b", kind.title));
    this.values = kind.lines.map(([, label], i) => {
      const value = element("span");
      value.append(element("i", "", `series-${i + 1}`), element("span", label));
      caption.append(value);
      return value;
    });
    this.box.setAttribute("role", "img");
    this.figure.append(caption, this.box);
    place.append(this.figure);
  }

  colours() {
    return {
      colors: this.kind.lines.map((_, i) => style(`--series-${i + 1}`)),
      axes: {
        x: { axisLineColor: style("--line"), gridLineColor: style("--line") },
        y: { axisLineColor: style("--line"), gridLineColor: style("--line") },
      },
    };
  }

  options() {
    const { colors, axes } = this.colours();
    const { touchstart, touchmove, touchend, ...mouse } = Dygraph.defaultInteractionModel; // a finger scrolls the page
    return {
      labels: ["time", ...this.kind.lines.map(([name]) => name)],
      colors,
      strokeWidth: 1.6,
      connectSeparatedPoints: true,
      includeZero: !this.kind.free,
      interactionModel: mouse,
      rightGap: 8,
      axes: {
        x: { ...axes.x, axisLabelFormatter: whole(format.clock), pixelsPerLabel: 42, drawGrid: false },
        y: { ...axes.y, axisLabelFormatter: this.kind.say === format.count ? whole(format.count) : (value) => format.short(this.kind.say(value)), axisLabelWidth: 76, pixelsPerLabel: 26 },
      },
      drawPoints: false,
      highlightCallback: (event, x, points, row) => this.tell(this.rows[row]),
      unhighlightCallback: () => this.tell(this.latest()),
      zoomCallback: (from, to) => this.zoomed(this, [from, to]),
    };
  }

  tell(row) {
    if (!row) {
      return;
    }
    const said = this.kind.lines.map(([, label], i) => `${label} ${this.kind.say(row[i + 1])}`);
    this.values.forEach((value, i) => { value.lastChild.textContent = said[i]; });
    const known = said.filter((_, i) => !this.values[i].hidden);
    this.box.setAttribute("aria-label", `${this.kind.title} at ${format.clock(row[0])}: ${known.join(", ")}`);
  }

  show(rows) {
    this.rows = rows;
    this.values.forEach((value, i) => { value.hidden = rows.every((row) => row[i + 1] === null); });
    this.figure.hidden = this.values.every((value) => value.hidden);
    if (this.figure.hidden) {
      return;
    }
    if (this.graph) {
      this.graph.updateOptions({ file: rows, drawPoints: rows.length < 2 });
    } else {
      this.graph = new Dygraph(this.box, rows, { ...this.options(), drawPoints: rows.length < 2 });
    }
    this.tell(this.latest());
  }

  /** The last row with a value. */
  latest() {
    return this.rows.findLast((row) => row.slice(1).some((value) => value !== null));
  }
}

export class Charts {
  /** place: an element; column(name): where a figure stands in a row. */
  constructor(place, column) {
    Dygraph.PLUGINS = Dygraph.PLUGINS.filter((plugin) => plugin === Dygraph.Plugins.Axes || plugin === Dygraph.Plugins.Grid);
    this.column = column;
    this.charts = KINDS.map((kind) => new Chart(kind, place, (from, range) => this.zoom(from, range)));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.charts.forEach((chart) => chart.graph?.updateOptions(chart.colours()));
    });
  }

  /** All charts show the same time. */
  zoom(from, range) {
    const whole = from.graph && !from.graph.isZoomed("x");
    for (const chart of this.charts) {
      if (chart !== from && chart.graph) {
        chart.graph.updateOptions({ dateWindow: whole ? null : range });
      }
    }
  }

  /** rows: figures in the order of the program, an array each. */
  show(rows) {
    const [from, length] = [this.column("t_s"), this.column("interval_s")];
    // What came after the flows had ended takes no time, and has no rate.
    const longest = rows.reduce((most, row) => Math.max(most, row[length]), 0);
    const shown = rows.filter((row, i) => i < rows.length - 1 || row[length] >= longest / 10);
    for (const chart of this.charts) {
      const columns = chart.kind.lines.map(([name]) => this.column(name));
      chart.show(shown.map((row) => [row[from] + row[length], ...columns.map((at) => row[at])]));
    }
  }
}
