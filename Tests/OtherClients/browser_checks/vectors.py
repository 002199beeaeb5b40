"""Protocol/vectors through clock.js, playback.js and frames.js, in the browser that is to run them."""
import json
from pathlib import Path

VECTORS = Path(__file__).resolve().parents[3] / "Protocol" / "vectors"

# What each kind of message is run by: takes a test with its input parsed, and returns what is wrong with it, or null.
RUNNERS = r"""
const {ClockFilter, ProbeBurst} = await import('/clock.js');
const {positionAt, PlaybackView} = await import('/playback.js');
const {parse, endOf, unheardSamples} = await import('/frames.js');

const big = value => BigInt(value);
const near = (value, other) => { const gap = big(value) - big(other); return gap <= 1n && gap >= -1n; };
const close = (value, other) => Math.abs(value - other) <= Math.max(1e-9, 1e-6 * Math.max(Math.abs(value), Math.abs(other)));
const sample = step => ['t1', 't2', 't3', 't4'].map(key => big(step[key]));
const words = value => JSON.stringify(value, (_, inner) => typeof inner === 'bigint' ? String(inner) : inner);
const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], two => parseInt(two, 16)).buffer;
const hex = array => [...array].map(byte => byte.toString(16).padStart(2, '0')).join('');

const runners = {
  clock_filter({given, value}) {
    const filter = new ClockFilter();
    for (const [number, step] of given.steps.entries()) {
      const want = value.steps[number];
      if (step.clock_id) filter.begin(step.clock_id); else filter.add(sample(step));
      const has = {count: filter.count, offset: filter.offset, sigma: filter.sigma, drift: filter.driftPPM, error: filter.error};
      const wrong = what => `step ${number + 1}: ${what}: ${words(has)} instead of ${words(want)}`;
      if (filter.count !== want.count) return wrong('count');
      if (filter.count > 0) {
        const held = want.offset_us > 2n ** 63n - 1n ? 2n ** 63n - 1n : want.offset_us;
        if (!near(filter.offset, want.offset_us)) return wrong('offset');
        if (!close(filter.sigma, want.sigma_us)) return wrong('sigma');
        if (!close(filter.driftPPM, want.drift_ppm)) return wrong('drift');
        if (filter.roundTrip !== big(want.rtt_us)) return wrong('round trip');
        if (!near(filter.error, want.error_us)) return wrong('error');
      }
      for (const time of want.times ?? []) {
        const server = filter.serverTime(big(time.local_us));
        if (!near(server, time.server_us)) return wrong(`at ${time.local_us} ${server}`);
        const back = filter.localTime(big(time.server_us));
        if (!near(back, time.back_us)) return wrong(`back from ${time.server_us} ${back}`);
      }
    }
  },
  probe_burst({given, value}) {
    const burst = new ProbeBurst(), numbers = [];
    const told = step => {
      if (step?.send !== undefined) { numbers.push(step.send); return {do: 'send'}; }
      return step?.best ? {best: step.best.map(Number)} : {do: 'ignore'};
    };
    for (const [number, step] of given.steps.entries()) {
      const done = step.begin ? told({send: burst.begin()})
        : step.give_up ? told({best: burst.giveUp()})
        : told(burst.take(numbers[step.answer - 1] ?? 60000, sample(step)));
      if (words(done) !== words(value.steps[number])) return `step ${number + 1}: ${words(done)}`;
    }
  },
  playback({given, value}) {
    for (const {at_us, position_us} of value.positions) {
      if (positionAt(given, at_us) !== position_us) return `at ${at_us}: ${positionAt(given, at_us)}`;
    }
  },
  playback_view({given, value}) {
    const view = new PlaybackView(given.playback, given.upcoming), [first, ...rest] = value.steps;
    const look = ({looks}) => {
      for (const want of looks) {
        const at = want.at_us, force = view.at(at);
        const has = {at_us: at, position_us: view.position(at), state: force.state, revision: force.revision};
        if (words(has) !== words(want)) return `${words(has)} instead of ${words(want)}`;
      }
    };
    let wrong = look(first);
    for (const [number, {now_us, playback}] of given.then.entries()) {
      view.apply(playback, now_us);
      wrong ??= look(rest[number]);
    }
    return wrong;
  },
  timeline({given, value}) {
    for (const [number, {samples}] of given.packets.entries()) {
      const want = value.packets[number];
      if (typeof want.play_at_us === 'string') continue;  // no frame carries it
      const packet = {play_at_us: want.play_at_us, samples}, skip = unheardSamples(given.stream, packet);
      if (skip !== want.skip || samples - skip !== want.render) return `packet ${number}: ${skip} unheard`;
      if (endOf(packet) !== want.end_us) return `packet ${number}: ends ${endOf(packet)}`;
    }
  },
  bundle_times({given, value}) {
    const entry = samples => samples.toString(16).padStart(8, '0') + '0001fc';
    const playAt = BigInt.asUintN(64, big(given.play_at_us)).toString(16).padStart(16, '0');
    const count = given.samples.length.toString(16).padStart(2, '0');
    const bundle = parse(bytes('1100000700000000' + playAt + count + given.samples.map(entry).join('')));
    const has = bundle?.packets.map(packet => packet.play_at_us);
    if (words(has) !== words(value.play_at_us)) return words(has);
  },
  server_frame({bytes: text, value, result}) {
    const frame = parse(bytes(text));
    if (result !== 'valid' || value.frame === 'ignorable') return frame === null ? undefined : `accepted as ${words(frame)}`;
    if (frame === null) return 'refused';
    const listed = packet => ({...packet, packet: hex(packet.packet)});
    const has = frame.packets ? {...frame, packets: frame.packets.map(listed)} : frame.packet ? listed(frame) : frame;
    const differs = (mine, want) => want !== null && typeof want === 'object'
      ? Object.keys(want).some(key => differs(mine?.[key], want[key])) : String(mine) !== String(want);
    const {t4, offset_us, round_trip_us, ...want} = value;
    if (differs(has, want)) return `${words(has)} instead of ${words(want)}`;
  },
};
"""


NOISE = r"""
const {parse} = await import('/frames.js');
let seed = 1, refused = 0, taken = 0;
const dice = count => (seed = Math.imul(seed, 1103515245) + 12345 >>> 0, (seed >>> 8) % count);
for (let k = 0; k < 100000; k += 1) {
  const whole = frames[dice(frames.length)], cut = Uint8Array.from(whole.match(/../g), two => parseInt(two, 16));
  let data = cut.slice(0, dice(8) ? cut.length : dice(cut.length + 1));
  for (let n = dice(4); n > 0 && data.length; n -= 1) data[dice(data.length)] = dice(256);
  const frame = parse(data.buffer);
  if (frame === null) refused += 1;
  else if (typeof frame.frame === 'string') taken += 1;
  else throw new Error('neither null nor a frame');
}
return [taken, refused];
"""


def noise(browser):
    """Spoiled and cut messages are frames or skipped, never errors."""
    frames = [test["bytes"] for path in sorted(VECTORS.glob("frame_*.json"))
              for test in json.loads(path.read_text(encoding="utf-8"))["tests"]
              if test["message"] == "server_frame" and test["result"] == "valid"]
    taken, refused = browser.evaluate(f"(async () => {{ const frames = {json.dumps(frames)}; {NOISE} }})()")
    wrong = [] if taken > 1000 and refused > 1000 else ["one kind is missing"]
    return [f"{taken} spoiled messages are frames, {refused} are skipped"], wrong


def run(browser):
    """A line for each kind of message: how many were run, and what is wrong with which."""
    lines, wrong = [], []
    tests = {}
    for path in sorted(VECTORS.glob("*.json")):
        for test in json.loads(path.read_text(encoding="utf-8"))["tests"]:
            if test["message"] == "playback" and path.stem != "positions":
                continue
            test["where"] = f"{path.stem} {test['id']} ({test['comment']})"
            tests.setdefault(test["message"], []).append(test)
    kinds = ["clock_filter", "probe_burst", "playback", "playback_view", "timeline", "bundle_times", "server_frame"]
    for kind in kinds:
        chosen = tests.get(kind, [])
        for test in chosen:
            if "text" in test:
                test["given"] = json.loads(test["text"])
        found = browser.evaluate(
            f"(async () => {{ {RUNNERS} const wrong = []; for (const test of {json.dumps(chosen)}) {{"
            f" let fault; try {{ fault = runners.{kind}(test); }} catch (error) {{ fault = String(error.stack); }}"
            f" if (fault) wrong.push(test.where + ': ' + fault); }} return wrong; }})()")
        lines.append(f"{len(chosen)} {kind}")
        wrong += found
        if not chosen:
            wrong.append(f"there are no vectors of {kind}")
    return lines, wrong
