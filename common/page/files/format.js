// Numbers as people read them. null: unknown.

const UNKNOWN = "–";
const LARGE = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]];
const TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

/** Three significant digits, without an exponent. */
function digits(value) {
  const whole = Math.abs(value);
  return value.toFixed(whole >= 100 || whole === 0 ? 0 : whole >= 10 ? 1 : 2);
}

function scaled(value, unit) {
  const [factor, prefix] = LARGE.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return `${digits(value / factor)} ${prefix}${unit}`;
}

export const bits = (bps) => (bps === null ? UNKNOWN : scaled(bps, "bit/s"));
export const packets = (pps) => (pps === null ? UNKNOWN : scaled(pps, "pkt/s"));
export const bytes = (count) => (count === null ? UNKNOWN : scaled(count, "B"));
export const count = (number) => (number === null ? UNKNOWN : Math.round(number).toLocaleString("en"));

export function time(ns) {
  if (ns === null) {
    return UNKNOWN;
  }
  const [factor, unit] = TIMES.find(([least]) => Math.abs(ns) >= least) ?? [1, "ns"];
  return `${digits(ns / factor)} ${unit}`;
}

/** The same without zeros behind the point: "5.00 ms" as "5 ms". */
export const short = (text) => text.replace(/\.0+(?= |$)|(\.\d*[1-9])0+(?= |$)/, "$1");

/** 75.5 as "1:15". */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Nanoseconds since 1970 as the browser's local time. */
export const instant = (ns) => new Date(ns / 1e6).toLocaleString();
