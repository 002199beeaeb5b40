"""The cases of the vectors, and what comes of them."""
import json, math, random

from timing_checks import clock, joining, playback, timeline

SAFE = 2**53 - 1


def wide(number):
    return number if abs(number) <= SAFE else str(number)


class Family:
    def __init__(self, name, notes):
        self.name, self.notes, self.tests = name, notes, []

    def add(self, comment, message, given, value, *flags):
        self.tests.append({
            "id": len(self.tests) + 1, "comment": comment, "flags": list(flags), "message": message,
            "text": json.dumps(given, separators=(",", ":"), ensure_ascii=False), "value": value, "result": "valid"})

    def text(self):
        used = {flag for test in self.tests for flag in test["flags"]}
        notes = {flag: self.notes[flag] for flag in sorted(self.notes) if flag in used}
        head = json.dumps(notes, indent=2, ensure_ascii=False).replace("\n", "\n  ")
        tests = ",\n".join(
            "    {\n" + ",\n".join(f"      {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
                                   for key, value in test.items()) + "\n    }" for test in self.tests)
        return (f'{{\n  "schema": "../schema/vectors.json",\n  "family": {json.dumps(self.name)},\n'
                f'  "notes": {head},\n  "tests": [\n{tests}\n  ]\n}}\n')


NOTES = {
    "boundary": "At a limit, or one past it.",
    "overflow": "Numbers at the ends of their types.",
    "rounding": "The exact result is no whole microsecond.",
    "tolerance": "offset_us, error_us and times within 1; sigma_us and drift_ppm within a millionth of themselves.",
    "wrap": "A number that wraps does.",
}


# The clock

class Laboratory:
    """Two clocks and a network between them, made up. Seeded: the same each time."""

    def __init__(self, seed, offset, ppm=0, there=60, back=60, noise=200.0, local=5_000_000):
        self.random = random.Random(seed)
        self.offset, self.ppm, self.there, self.back, self.noise = offset, ppm, there, back, noise
        self.start = self.now = local

    def server(self, local):
        return local + self.offset + (local - self.start) * self.ppm // 1_000_000

    def probe(self):
        way = lambda least: least - int(self.noise * math.log(1 - self.random.random()))
        t1 = self.now
        arrival = t1 + way(self.there)
        t2, t3 = self.server(arrival), self.server(arrival + 8)
        self.now = t4 = arrival + 8 + way(self.back)
        return [t1, t2, t3, t4]

    def best(self):
        samples = [self.probe() for _ in range(8)]
        return min(samples, key=lambda s: (s[3] - s[0]) - (s[2] - s[1]))

    def bursts(self, count):
        """On opening, 1 s and 3 s later, and then each 10 s."""
        samples = []
        for number in range(count):
            samples.append(self.best())
            self.now += 1_000_000 if number == 0 else 3_000_000 if number == 1 else 10_000_000
        return samples


def run_filter(steps):
    """What the filter is after each step, and at the end what it makes of times."""
    filter, values = clock.Filter(), []
    for number, step in enumerate(steps):
        if "clock_id" in step:
            filter.begin(step["clock_id"])
        else:
            filter.add(*(int(step[key]) for key in ("t1", "t2", "t3", "t4")))
        value = {"count": filter.n}
        if filter.n:
            value |= {"offset_us": wide(nearest_offset(filter)), "sigma_us": figures(filter.sigma),
                      "drift_ppm": figures(filter.drift * 1_000_000), "rtt_us": wide(filter.rtt),
                      "error_us": wide(filter.error)}
        if number == len(steps) - 1:
            locals_ = [clock.held(filter.last + after) for after in
                       (0, 1, -5_000_000, 999_999, 10_000_000, 3_600_000_000)] if filter.n else [0, 42, -42]
            value["times"] = [{"local_us": wide(local), "server_us": wide(filter.server(local)),
                               "back_us": wide(filter.local(filter.server(local)))} for local in locals_]
        values.append(value)
    return {"steps": values}


def nearest_offset(filter):
    return filter.server(filter.last) - filter.last


def figures(number):
    return float(f"{number:.12g}")


def sample(t1, t2, t3, t4):
    return {"t1": wide(t1), "t2": wide(t2), "t3": wide(t3), "t4": wide(t4)}


def samples(rows):
    return [sample(*row) for row in rows]


def even(offset, *times, trip=100):
    """Samples whose ways are equally long, the last of each's times given."""
    half = trip // 2
    return [sample(t4 - trip, t4 - half + offset, t4 - half + offset, t4) for t4 in times]


def clock_family():
    family, hour = Family("clock", NOTES), 3_600_000_000

    def case(comment, steps, *flags):
        family.add(comment, "clock_filter", {"steps": steps}, run_filter(steps), "tolerance", *flags)

    case("nothing yet", [{"clock_id": "9f2c0011aabbccdd"}])
    case("the example of README.md", samples([(5_000_000, 1_259_990_310, 1_259_990_330, 5_000_640)]))
    case("one machine, three hours apart", samples(Laboratory(1, 3 * hour, there=12, back=12, noise=3).bursts(12)))
    case("the server's clock behind by two days", samples(Laboratory(2, -48 * hour).bursts(12)))
    case("clocks that show less than nothing",
         samples(Laboratory(3, -123_456_789, local=-900_000_000_000).bursts(12)))
    case("100 millionths fast, with jitter", samples(Laboratory(4, 7 * hour, ppm=100, noise=400).bursts(40)))
    case("100 millionths slow, with jitter", samples(Laboratory(5, -7 * hour, ppm=-100, noise=400).bursts(40)))
    case("no drift: what is found is noise and not used", samples(Laboratory(6, hour, noise=900).bursts(20)))
    case("one way always 1.6 ms longer: off by half of that",
         samples(Laboratory(7, 1_000_000, there=2_000, back=400, noise=100).bursts(14)))
    case("a way of 80 ms with much jitter", samples(Laboratory(8, 5 * hour, ppm=20, there=40_000, back=40_000,
                                                               noise=15_000).bursts(25)))
    case("half a microsecond", [sample(0, 100, 100, 101), sample(1_000_000, 1_000_100, 1_000_100, 1_000_101)],
         "rounding")
    case("half a microsecond below nothing", [sample(0, -100, -100, 1), sample(1_000_000, 999_900, 999_900, 1_000_001)],
         "rounding")
    case("a round trip of nothing", even(500, 1_000, 2_000_000, 12_000_000, trip=0), "boundary")
    case("a server that takes long to answer", [sample(0, 5_050, 905_050, 900_100),
                                                sample(2_000_000, 2_005_050, 2_905_050, 2_900_100)])
    case("two samples: the drift is what lies between them", even(500, 1_000_000) + even(700, 2_000_000))
    case("out of order, and twice the same", even(500, 1_000_000) + even(900, 1_000_000, 999_999, 5))
    case("a clock that was set between sending and receiving",
         even(500, 1_000_000) + [sample(2_000_000, 0, 90, 2_000_050)] + even(500, 3_000_000))
    case("one wild sample is left out",
         even(500, *range(1_000_000, 6_000_000, 1_000_000)) + even(900_000, 6_000_000) + even(500, 7_000_000)
         + even(900_000, 8_000_000) + even(500, 9_000_000))
    case("a step of a quarter second: the second sample begins anew",
         samples(Laboratory(9, hour).bursts(8)) + samples(
             Laboratory(10, hour + 250_000, local=100_000_000).bursts(5)))
    case("100 ms and the bound are no step yet", even(0, 1_000_000, 2_000_000, 3_000_000) + even(100_040, 4_000_000),
         "boundary")
    case("a little more is one", even(0, 1_000_000, 2_000_000, 3_000_000) + even(100_060, 4_000_000, 5_000_000),
         "boundary")
    case("a step of 80 ms is followed", samples(Laboratory(11, hour).bursts(8)) + samples(
        Laboratory(12, hour + 80_000, local=100_000_000).bursts(5)))
    late = Laboratory(13, hour, ppm=15)
    steps = samples(late.bursts(106))
    late.offset += 4_000
    steps += samples(late.bursts(6))
    case("after a hundred samples what lies far off widens the variances", steps)
    tens = lambda count: [k * 10_000_000 for k in range(1, count + 1)]
    for count, gap, what in ((99, 1_000, "the hundredth sample widens nothing yet"), (100, 1_000, "the next one does"),
                             (100, 149, "if it lies further off than three bounds: not here"), (100, 151, "but here")):
        case(what, even(0, *tens(count)) + even(gap, (count + 1) * 10_000_000, (count + 2) * 10_000_000), "boundary")
    case("a drift of less than two standard deviations is not used", even(0, 1_000_000) + even(70, 2_000_000), "boundary")
    case("one of a little more is", even(0, 1_000_000) + even(71, 2_000_000), "boundary")
    case("three days asleep",
         samples(Laboratory(14, hour, ppm=10).bursts(9)) + even(hour + 2_592_000, 3 * 24 * hour, 3 * 24 * hour + 10**7))
    case("the same clock again, and another one",
         [{"clock_id": "9f2c0011aabbccdd"}] + even(1_000, 1_000_000) + [{"clock_id": "9f2c0011aabbccdd"}]
         + even(1_000, 2_000_000) + [{"clock_id": "9f2c0011aabbccde"}] + even(-7, 2_500_000))
    far = 2**62
    case("one clock at its lowest, the other at its highest", even(2 * far - 1, -far + 1_000, -far + 10_001_000),
         "overflow")
    case("times are held at their ends", even(2**63 - 1 - 5_000_000, 1_000_000, 2_000_000), "overflow")

    def burst(comment, *steps):
        machine, values = clock.Burst(), []
        for step in steps:
            if step == {"begin": True}:
                values.append({"do": machine.begin()})
                continue
            if step == {"give_up": True}:
                result = machine.give_up()
            else:
                result = machine.take(step["answer"], [int(step[key]) for key in ("t1", "t2", "t3", "t4")])
            values.append({"best": [wide(t) for t in result]} if isinstance(result, list) else {"do": result or "ignore"})
        family.add(comment, "probe_burst", {"steps": list(steps)}, {"steps": values})

    begin, end = {"begin": True}, {"give_up": True}
    answer = lambda probe, trip, t1=0: {"answer": probe} | sample(t1, 1_000, 1_000, t1 + trip)
    burst("eight probes, of which the third was quickest", begin,
          *(answer(k + 1, trip) for k, trip in enumerate([90, 80, 30, 70, 60, 50, 40, 45])))
    burst("of two as quick the first", begin,
          *(answer(k + 1, trip, t1=k) for k, trip in enumerate([90, 30, 80, 30, 60, 50, 40, 45])))
    burst("answers to other probes, and the same twice", begin, answer(0, 5), answer(2, 5), answer(1, 50), answer(1, 5),
          end)
    burst("no answer", begin, end, answer(1, 5), end)
    burst("answers of the burst before", begin, answer(1, 50), begin, answer(2, 5), answer(3, 60), end)
    burst("a clock that was set: that probe does not count", begin,
          {"answer": 1} | sample(0, 0, 100, 50), *(answer(k, 40 + k) for k in range(2, 9)))
    burst("none of them counts", begin, *({"answer": k} | sample(0, 0, 100, 50) for k in range(1, 9)))
    return family


# Playback

def view_family():
    family = Family("playback_views", NOTES)

    def line(revision, anchor, position, state=1, rate=1_000_000, epoch=7):
        return {"state": state, "anchor_us": anchor, "position_us": position, "rate_ppm": rate,
                "revision": revision % 2**32, "epoch": epoch}

    def case(comment, first, upcoming, then, times, *flags):
        """`then` are pairs of a time and what is heard at it; `times`, where each later state is looked at, or before."""
        view = playback.View(first, upcoming)
        steps, values, now = [], [], None
        for entry in [(None, None)] + then:
            if entry[1] is not None:
                now = entry[0]
                view.apply(entry[1], now)
                steps.append({"now_us": now, "playback": entry[1]})
            looks = [t for t in times if now is None or t >= now]
            values.append({"looks": [
                {"at_us": t, "position_us": playback.position(view.at(t), t), "state": view.at(t)["state"],
                 "revision": view.at(t)["revision"]} for t in looks]})
        family.add(comment, "playback_view", {"playback": first, "upcoming": upcoming, "then": steps},
                   {"steps": values}, *flags)

    s = 1_000_000
    play = line(1, 0, 0)
    case("a pause that is to come", play, [], [(10 * s, line(2, 12 * s, 12 * s, state=2))],
         [11 * s, 12 * s - 1, 12 * s, 90 * s])
    case("a seek that is to come: the old line holds until then", play, [], [(10 * s, line(2, 11 * s, 100 * s))],
         [10 * s, 11 * s - 1, 11 * s, 12 * s])
    case("a seek while paused", line(5, s, 30 * s, state=2), [], [(9 * s, line(6, 9 * s, 5 * s, state=2))],
         [9 * s, 100 * s])
    case("faster, then slower", play, [], [(10 * s, line(2, 10 * s, 10 * s, rate=1_500_000)),
                                          (20 * s, line(3, 20 * s, 25 * s, rate=999_900))], [10 * s, 15 * s, 20 * s, 30 * s])
    case("a snapshot whose line begins later stands still until then", line(3, 5 * s, 7 * s), [], [],
         [0, 5 * s - 1, 5 * s, 6 * s])
    case("upcoming ones in a snapshot take force one by one", play,
         [line(2, 4 * s, 4 * s, state=3), line(3, 6 * s, 4 * s)], [], [3 * s, 4 * s, 6 * s - 1, 6 * s, 7 * s])
    case("the same in any order", play, [line(3, 6 * s, 4 * s), line(2, 4 * s, 4 * s, state=3)], [],
         [3 * s, 4 * s, 6 * s - 1, 6 * s, 7 * s])
    case("a newer one sets aside what was to come later", play, [line(2, 20 * s, 0)],
         [(5 * s, line(3, 10 * s, 60 * s))], [9 * s, 10 * s, 20 * s, 30 * s])
    case("and what was to come at the same time", play, [line(2, 10 * s, 0)], [(5 * s, line(3, 10 * s, 60 * s))],
         [9 * s, 10 * s, 30 * s])
    case("what comes sooner stays", play, [line(2, 8 * s, 0)], [(5 * s, line(3, 10 * s, 60 * s))],
         [7 * s, 8 * s, 9 * s, 10 * s, 30 * s])
    case("one whose time is past sets all of it aside", play, [line(2, 8 * s, 0), line(3, 9 * s, 0)],
         [(5 * s, line(4, 4 * s, 60 * s))], [5 * s, 8 * s, 9 * s])
    case("an older one is an echo", line(9, 0, 0), [], [(5 * s, line(8, 5 * s, 0, state=2))], [5 * s, 6 * s])
    case("older than one that is to come is an echo too", line(7, 0, 0), [line(9, 20 * s, 0)],
         [(5 * s, line(8, 6 * s, 0, state=2))], [7 * s, 21 * s])
    case("hearing the same twice changes nothing", play, [],
         [(5 * s, line(2, 6 * s, 50 * s)), (5 * s, line(2, 6 * s, 50 * s)), (7 * s, line(2, 6 * s, 50 * s))], [7 * s, 8 * s])
    case("numbers that wrap", line(-2, 0, 0), [], [(s, line(-1, s, s, state=2)), (2 * s, line(0, 2 * s, s)),
                                                  (3 * s, line(-1, 3 * s, 0, state=0)), (4 * s, line(1, 4 * s, 99 * s))],
         [s, 2 * s, 3 * s, 4 * s, 5 * s], "wrap")
    case("newer by as much as there is", line(0, 0, 0), [], [(s, line(2**31 - 1, s, 50 * s, state=2))], [s, 9 * s],
         "boundary", "wrap")
    case("older by as much as there is", line(0, 0, 0), [], [(s, line(2**31 + 1, s, 50 * s, state=2))], [s, 9 * s],
         "boundary", "wrap")
    case("a lost host: buffering where the sound ends, and going on", play, [],
         [(5 * s, line(2, 5 * s + 400_000, 5 * s + 400_000, state=3)), (7 * s, line(3, 7 * s + 600_000, 5 * s + 400_000))],
         [5 * s + 399_999, 5 * s + 400_000, 7 * s, 7 * s + 600_000, 8 * s])
    case("a track change without a gap", line(4, 0, 200 * s), [], [(9 * s, line(5, 9 * s + 600_000, 0, epoch=8))],
         [9 * s, 9 * s + 599_999, 9 * s + 600_000, 10 * s])
    case("server times below nothing", line(1, -30 * s, 0), [], [(-20 * s, line(2, -19 * s, 3 * s))],
         [-20 * s, -19 * s - 1, -19 * s, -18 * s, 0])
    case("as far as numbers go", line(1, -SAFE, 0, rate=4_000_000), [], [(SAFE - 1, line(2, SAFE, SAFE))],
         [SAFE - 1, SAFE], "overflow")
    case("a rate that leaves parts", line(1, 0, 0, rate=999_999), [], [(1, line(2, 3, 7, rate=333_333))],
         [1, 2, 3, 4, 5, 6, 7, 1_000_003], "rounding")
    return family


# Timeline

def timeline_family():
    family = Family("timeline", NOTES)

    def stream(start, pre_skip=312, continues=False, epoch=7):
        return {"epoch": epoch, "codec": "opus", "channels": 2, "pre_skip": pre_skip, "start_us": start,
                "continues": continues}

    def case(comment, info, packets, *flags):
        values = []
        for packet in packets:
            at = timeline.play_at(info, packet["sample_pos"])
            unheard = timeline.unheard(info, at, packet["samples"])
            values.append({"play_at_us": wide(at), "end_us": wide(at + timeline.microseconds(packet["samples"])),
                           "skip": unheard, "render": packet["samples"] - unheard})
        family.add(comment, "timeline", {"stream": info, "packets": packets}, {"packets": values}, *flags)

    def run(count, samples=960, begin=0):
        return [{"sample_pos": begin + k * samples, "samples": samples} for k in range(count)]

    case("an epoch begins: the pre-skip comes before it", stream(1_300_600_000), run(4))
    case("no pre-skip", stream(5_000_000, pre_skip=0), run(3))
    case("a pre-skip of more than one packet", stream(5_000_000, pre_skip=3_840), run(6))
    case("a pre-skip that is no whole microsecond", stream(5_000_000, pre_skip=313), run(3), "rounding")
    case("and one sample less", stream(5_000_000, pre_skip=311), run(3), "rounding")
    case("the longest pre-skip", stream(5_000_000, pre_skip=65_535), run(70), "boundary")
    case("packets of 2.5 ms", stream(-3, pre_skip=120), run(12, 120))
    case("packets of 120 ms", stream(1, pre_skip=312), run(4, 5_760))
    case("frame sizes that change", stream(0, pre_skip=312), [
        {"sample_pos": 0, "samples": 120}, {"sample_pos": 120, "samples": 2_880}, {"sample_pos": 3_000, "samples": 5_760},
        {"sample_pos": 8_760, "samples": 240}, {"sample_pos": 9_000, "samples": 1_920}])
    case("the end is trimmed", stream(9_000_000), run(2) + [{"sample_pos": 1_920, "samples": 401}], "rounding")
    case("a single sample at the end", stream(9_000_000, pre_skip=0), run(1) + [{"sample_pos": 960, "samples": 1}],
         "boundary", "rounding")
    case("a file shorter than its pre-skip", stream(9_000_000, pre_skip=3_000), run(3))
    case("a gap", stream(9_000_000), run(2) + run(2, begin=48_000))
    case("a gap that is no whole microsecond", stream(9_000_000, pre_skip=0),
         run(1) + [{"sample_pos": 1_441, "samples": 960}, {"sample_pos": 2_401, "samples": 960}], "rounding")
    case("an epoch that continues: nothing to skip", stream(9_000_000, pre_skip=0, continues=True), run(2))
    case("after a hundred years", stream(-SAFE, pre_skip=65_535), run(2, begin=48_000 * 86_400 * 36_525))
    case("as far as numbers go", stream(SAFE, pre_skip=0), [{"sample_pos": SAFE, "samples": 5_760}], "overflow")

    def bundle(comment, play_at, samples, *flags):
        family.add(comment, "bundle_times", {"play_at_us": wide(play_at), "samples": samples},
                   {"play_at_us": [wide(t) for t in timeline.bundle_times(play_at, samples)]}, *flags)

    bundle("a bundle of 27 packets", 1_260_073_500, [960] * 27)
    bundle("a bundle of one", 7, [5_760], "boundary")
    bundle("255 packets of 2.5 ms", -500_000, [120] * 255, "boundary")
    bundle("of several sizes", 0, [120, 2_880, 240, 5_760, 960, 480, 1_920])
    bundle("counts that are no whole microseconds do not add up their rounding", 0, [1] * 50, "rounding")
    bundle("before the server's nought", -1_000_001, [401, 401, 401, 401], "rounding")
    return family


# Joining

def joining_family():
    family = Family("join_planning", NOTES)

    def ring(count, begin=1_000_000, samples=960, seq=0, epoch=7, start=None, flags=0, size=3):
        start = begin if start is None else start
        return [{"epoch": epoch, "seq": (seq + k) % 2**32, "play_at_us": begin + timeline.microseconds(k * samples),
                 "samples": samples, "flags": flags if k == 0 else 0, "start_us": start, "bytes": size}
                for k in range(count)]

    def case(comment, packets, now, *flags):
        sent = joining.plan(packets, now)
        family.add(comment, "join_plan", {"now_us": now, "ring": packets},
                   {"packets": sent}, *flags)

    case("an empty ring", [], 5_000_000)
    case("in the middle of an epoch", ring(60), 1_500_000)
    case("what sounds in exactly 60 ms is heard", ring(60), 1_500_000 - 60_000, "boundary")
    case("a microsecond less, and it is not", ring(60), 1_500_000 - 60_000 + 1, "boundary")
    case("an epoch younger than eight packets", ring(8, flags=1), 1_000_000 + 40_000)
    case("nothing left to hear: a paused room", ring(30), 9_000_000)
    case("three packets, all past", ring(3, flags=1), 9_000_000)
    case("before the start: the pre-skip counts as due when the sound begins",
         ring(30, begin=1_000_000 - 1_000_000, start=1_000_000, flags=1), 900_000)
    case("and not a moment longer", ring(80, begin=0, start=1_000_000, flags=1), 940_001, "boundary")
    case("the decoder is prepared from a reset on",
         ring(30) + ring(30, begin=1_800_000, seq=30, flags=1), 1_800_000 + 5 * 20_000 - 60_000)
    case("a reset is the first to be heard: nothing needs preparing",
         ring(30) + ring(30, begin=1_800_000, seq=30, flags=1), 1_800_000 - 60_000)
    case("the second packet after a reset", ring(30) + ring(30, begin=1_800_000, seq=30, flags=1),
         1_820_000 - 60_000)
    case("an epoch that continues the one before",
         ring(30) + ring(30, begin=1_600_000, seq=30, epoch=8), 1_600_000 + 3 * 20_000 - 60_000)
    case("two epochs that are still to sound, the second starting anew",
         ring(20, flags=1) + ring(20, begin=1_400_000 - 6_500, seq=20, epoch=8, start=1_400_000, flags=1), 1_100_000)
    case("a number is missing", ring(20) + ring(20, begin=1_400_000, seq=25, flags=1), 1_200_000)
    case("numbers and epochs that wrap",
         ring(20, seq=2**32 - 10, epoch=65_535) + ring(20, begin=1_400_000, seq=10, epoch=0), 1_150_000, "wrap")
    case("packets of 2.5 ms: more than one bundle holds", ring(400, samples=120), 1_000_000 - 60_000)
    case("packets of 120 ms", ring(12, samples=5_760), 1_500_000)
    case("long packets: a bundle has a limit in bytes", ring(30, size=7_650), 900_000)
    case("silence, and the end of an epoch",
         [packet | {"flags": 4 if number % 2 else 0} for number, packet in enumerate(ring(20))]
         + [ring(21)[20] | {"samples": 401, "flags": 8}], 1_200_000)
    case("server times below nothing", ring(60, begin=-9_000_000), -8_500_000)
    return family


def families():
    return [clock_family(), view_family(), timeline_family(), joining_family()]
