// The server's clock: the burst and the careful filter of Protocol/spec/time.md. Times are BigInt microseconds
// where their differences may be wider than a Number holds.
import {timeRequest} from './frames.js';

const LAST = 2n ** 63n - 1n, FIRST = -(2n ** 63n);
const held = time => time > LAST ? LAST : time < FIRST ? FIRST : time;
const whole = number => Number.isFinite(number) ? BigInt(Math.round(number)) : 0n;

const JUMP = 100000, DRIFT_NOISE = 1e-22, FORGETTING = 4, SAMPLES_BEFORE_FORGETTING = 100;

/** Offset and drift of the server's clock against ours, and how sure that is. */
export class ClockFilter {
  #clockId = null;
  #origin; #last; #offset; #drift; #p00; #p01; #p11; #strikes;
  /** Samples taken in; round trip of the last, µs. */
  count; roundTrip;

  /** @param grain The step in which our clock counts, µs; 0 for a microsecond or less. */
  constructor(grain = 0) {
    this.grain = grain;
    this.#forget();
  }

  #forget() {
    this.count = 0;
    this.roundTrip = 0n;
    // Twice the first sample's offset: the state counts from there, so that a Number holds it exactly enough.
    this.#origin = 0n;
    this.#last = 0n;
    this.#offset = this.#drift = this.#p00 = this.#p01 = this.#p11 = this.#strikes = 0;
  }

  /** Says whose clock it is: another one than before forgets everything. */
  begin(clockId) {
    if (clockId === this.#clockId) return;
    this.#clockId = clockId;
    this.#forget();
  }

  startOver() { this.#forget(); }

  /** Takes in the best sample of a burst: the four times, BigInt. */
  add([t1, t2, t3, t4]) {
    const roundTrip = t4 - t1 - (t3 - t2);
    if (roundTrip < 0n || this.count > 0 && t4 <= this.#last) return;
    const doubled = t2 - t1 + t3 - t4;
    const bound = Math.max(1, Number(roundTrip) / 2 + this.grain), variance = (bound / 2) ** 2;
    let measured = Number(doubled - this.#origin) / 2;
    const elapsed = Number(t4 - this.#last);
    if (this.count > 0) {
      if (Math.abs(measured - this.#offset - this.#drift * elapsed) > JUMP + bound) {
        if (++this.#strikes < 2) return;
        this.#forget();
      } else {
        this.#strikes = 0;
      }
    }
    if (this.count === 0) {
      this.#origin = doubled;
      this.#p00 = variance;
    } else if (this.count === 1) {
      this.#drift = (measured - this.#offset) / elapsed;
      this.#offset = measured;
      this.#p11 = (this.#p00 + variance) / elapsed ** 2;
      this.#p00 = variance;
      this.#p01 = 0;
    } else {
      this.#predict(elapsed);
      this.#correct(measured, bound, variance);
    }
    this.#last = t4;
    this.roundTrip = roundTrip;
    this.count += 1;
  }

  #predict(elapsed) {
    this.#offset += this.#drift * elapsed;
    this.#p00 += 2 * this.#p01 * elapsed + this.#p11 * elapsed ** 2;
    this.#p01 += this.#p11 * elapsed;
    this.#p11 += DRIFT_NOISE * elapsed;
  }

  #correct(measured, bound, variance) {
    const residual = measured - this.#offset;
    if (this.count >= SAMPLES_BEFORE_FORGETTING && Math.abs(residual) > 3 * bound) {
      this.#p00 *= FORGETTING;
      this.#p01 *= FORGETTING;
      this.#p11 *= FORGETTING;
    }
    const k0 = this.#p00 / (this.#p00 + variance), k1 = this.#p01 / (this.#p00 + variance);
    this.#offset += k0 * residual;
    this.#drift += k1 * residual;
    this.#p11 -= k1 * this.#p01;
    this.#p01 -= k0 * this.#p01;
    this.#p00 -= k0 * this.#p00;
  }

  /** The drift where it is more than noise. */
  get #driftInUse() { return this.#drift ** 2 > 4 * this.#p11 ? this.#drift : 0; }
  get #half() { return Number(this.#origin & 1n) / 2; }

  /** The server's time when our clock shows `local`, BigInt both; before the first sample `local` itself. */
  serverTime(local) {
    if (this.count === 0) return local;
    const since = Number(local - this.#last);
    return held(local + (this.#origin >> 1n) + whole(this.#half + this.#offset + this.#driftInUse * since));
  }

  /** Converts the server's time `server` to our clock. */
  localTime(server) {
    if (this.count === 0) return server;
    const since = Number(server - (this.#origin >> 1n) - this.#last) - this.#half - this.#offset;
    return held(this.#last + whole(since / (1 + this.#driftInUse)));
  }

  /** At the last sample: the server's clock minus ours, µs; its standard deviation; the most it may be off by. */
  get offset() { return this.serverTime(this.#last) - this.#last; }
  get sigma() { return Math.sqrt(Math.max(0, this.#p00)); }
  get error() { return Math.ceil(Number(this.roundTrip) / 2 + this.grain) + Math.ceil(this.sigma); }
  /** Millionths; 0 while it is not known. */
  get driftPPM() { return this.#driftInUse * 1e6; }
}

/** Eight probes, one after the other, of which the one with the shortest round trip counts. */
export class ProbeBurst {
  #number = 0; #awaited = null; #left = 0; #best = null;

  get isUnderWay() { return this.#awaited !== null; }

  /** Begins a burst, and forgets one that is under way. Returns the number of the probe to send. */
  begin() {
    this.#left = 8;
    this.#best = null;
    return this.#next();
  }

  #next() {
    this.#number = this.#number + 1 & 0xffff;
    this.#left -= 1;
    return this.#awaited = this.#number;
  }

  /** Takes an answer: {send: number}, {best: the four times}, or null. */
  take(number, sample) {
    if (number !== this.#awaited) return null;
    const [t1, t2, t3, t4] = sample, roundTrip = t4 - t1 - (t3 - t2);
    if (roundTrip >= 0n && (this.#best === null || roundTrip < this.#best.roundTrip)) {
      this.#best = {roundTrip, sample};
    }
    if (this.#left > 0) return {send: this.#next()};
    const best = this.giveUp();
    return best && {best};
  }

  /** Ends the burst with what there is: the four times, or null. */
  giveUp() {
    const best = this.#best;
    this.#best = this.#awaited = null;
    return best && best.sample;
  }
}

/** The step in which `performance.now()` counts here, µs: the least of a few that were seen; 0 if it is fine. */
export function clockStep() {
  let least = Infinity, last = performance.now();
  for (let seen = 0, looks = 0; seen < 5 && looks < 1e5; looks += 1) {
    const now = performance.now();
    if (now === last) continue;
    least = Math.min(least, now - last);
    last = now;
    seen += 1;
  }
  return least < 1e3 && least > 0.0015 ? least * 1000 : 0;
}

const localMicroseconds = () => BigInt(Math.round(performance.now() * 1000));

/**
 * Keeps a filter up to date over a WebSocket: a burst at once, after 1 s, after 3 s more, then every 10 s.
 *
 *     const clock = new ClockSync(bytes => socket.send(bytes));
 *     clock.start();
 *     socket.onmessage = ({data}) => { const frame = parse(data); if (clock.take(frame)) return; … };
 */
export class ClockSync {
  filter = new ClockFilter(clockStep());
  #send; #burst = new ProbeBurst(); #sent = null; #bursts = 0; #timer = null; #warm = false;
  #wall = 0; #steady = 0;
  /** Called after each burst. */
  onchange = null;

  constructor(send) { this.#send = send; }

  start() {
    this.stop();
    this.#bursts = 0;
    this.#warm = false;
    this.#begin();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#burst.giveUp();
  }

  #begin() {
    // Who has slept, with a line or without, or had one of its clocks set, knows nothing any more.
    const wall = Date.now(), steady = performance.now();
    if (this.#wall > 0 && Math.abs(wall - this.#wall - (steady - this.#steady)) > 2000) this.filter.startOver();
    [this.#wall, this.#steady] = [wall, steady];
    this.#timer = setTimeout(() => this.#end(this.#burst.giveUp()), 2000);
    this.#probe(this.#burst.begin());
  }

  #probe(number) { this.#send(timeRequest(number, localMicroseconds())); }

  #end(best) {
    clearTimeout(this.#timer);
    if (best) this.filter.add(best);
    this.#bursts += 1;
    const pause = this.#bursts === 1 ? 1000 : this.#bursts === 2 ? 3000 : 10000;
    this.#timer = setTimeout(() => this.#begin(), pause);
    this.onchange?.();
  }

  /** Takes a frame in, and says whether it was an answer to a probe. */
  take(frame) {
    if (frame?.frame !== 'TIME_RSP') return false;
    const t4 = localMicroseconds();
    // The first message of a connection is slow for reasons of its own.
    if (!this.#warm && this.#burst.isUnderWay) {
      this.#warm = true;
      this.#probe(this.#burst.begin());
      return true;
    }
    const step = this.#burst.take(frame.probe_id, [frame.t1, BigInt(frame.t2), BigInt(frame.t3), t4]);
    if (step?.send !== undefined) this.#probe(step.send);
    else if (!this.#burst.isUnderWay && step?.best) this.#end(step.best);
    return true;
  }

  /** The server's time now, µs, a Number; and what `performance.now()` is at a server time. */
  get serverNow() { return Number(this.filter.serverTime(localMicroseconds())); }
  localMilliseconds(serverMicroseconds) {
    return Number(this.filter.localTime(BigInt(serverMicroseconds))) / 1000;
  }
}
