// Measurements of this listener's own playback: Protocol/spec/meter.md.

const ERRORS_MAX = 6000, RANGE = 60_000_000;
const held = (value, most) => Math.max(0, Math.min(most, Math.round(value)));

/** The p-th percentile of ascending values: the one in place ⌈n·p/100⌉. */
export const percentile = (sorted, p) => sorted[Math.max(0, Math.ceil(sorted.length * p / 100) - 1)];

export class Meter {
  /** Since Play was pressed. */
  total = {underruns: 0, resyncs: 0, lost: 0, undecodable: 0};
  /** The buffered sound, ms; null if nothing is audible. */
  buffer = null;
  /** Errors of the last while, µs, with their sign. */
  recent = [];
  #window; #lastSeq = null; #starvations = 0; #jumps = 0;

  constructor() { this.#open(performance.now()); }

  #open(at) { this.#window = {at, errors: [], underruns: 0, resyncs: 0, lost: 0}; }

  #count(what, number) {
    this.total[what] += number;
    if (what in this.#window) this.#window[what] += number;
  }

  /** Play was pressed, or the stream begins again: earlier values do not count. */
  restart() {
    this.#lastSeq = null;
    this.recent = [];
    this.buffer = null;
  }

  /** Counts packets that are missing by their numbers. */
  packets(packets) {
    for (const {seq} of packets) {
      if (this.#lastSeq !== null) {
        const missing = (seq - this.#lastSeq - 1) | 0;
        if (missing > 0 && missing < 1e6) this.#count('lost', missing);
      }
      this.#lastSeq = seq;
    }
  }

  undecodable(count) { this.#count('undecodable', count); }

  /** Takes a report of the output. `isDue`: whether sound was due when it last ran out. */
  report({errors, ahead, starvations, jumps, isSounding}, isDue) {
    this.#window.errors.push(...errors);
    if (this.#window.errors.length > ERRORS_MAX) this.#window.errors.splice(0, ERRORS_MAX / 2);
    this.recent = [...this.recent, ...errors].slice(-1000);
    this.buffer = isSounding ? ahead / 1000 : null;
    if (starvations > this.#starvations && isDue) this.#count('underruns', starvations - this.#starvations);
    if (jumps > this.#jumps) this.#count('resyncs', jumps - this.#jumps);
    this.#starvations = starvations;
    this.#jumps = jumps;
  }

  /** Sync errors of the last seconds: {p50, p95, max}, µs; null where nothing was measured. */
  get sync() { return distribution(this.recent); }

  /**
   * Returns the values of `listening.report` and begins a new window. Unmeasured values are left out.
   *
   * @param filter The filter of the server's clock.
   *
   * @param latency µs, or null.
   */
  take(filter, latency) {
    const now = performance.now(), {at, errors, underruns, resyncs, lost} = this.#window;
    this.#open(now);
    const report = {window_ms: Math.max(1, held(now - at, 600_000)), underruns, resyncs, lost};
    const sync = distribution(errors);
    if (sync) report.sync_error_us = sync;
    if (this.buffer !== null) report.buffer_ms = held(this.buffer, 600_000);
    if (filter.count > 0) {
      report.clock = {
        error_us: held(filter.error, RANGE), rtt_us: held(Number(filter.roundTrip), RANGE),
        drift_ppb: Math.max(-1e8, Math.min(1e8, Math.round(filter.driftPPM * 1000))),
      };
    }
    if (latency !== null) report.output_latency_us = held(latency, RANGE);
    return report;
  }
}

function distribution(errors) {
  if (errors.length === 0) return null;
  const sorted = errors.map(error => held(Math.abs(error), RANGE)).sort((one, other) => one - other);
  return {p50: percentile(sorted, 50), p95: percentile(sorted, 95), max: sorted.at(-1)};
}
