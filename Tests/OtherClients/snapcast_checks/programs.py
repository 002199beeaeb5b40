"""Debian's snapclient, with its file player into a pipe.

Its file player has no sound card: it asks for 50 ms of sound whenever a timer fires, and takes it that this sounds 10 ms later. So a part
that comes out of the pipe sounds 10 ms after it came, but for the lateness of a timer and of two threads: the median of many parts is
held against the room's clock. `sonactl listen` says when the first sample of its file sounds on that clock.
"""
import json, os, statistics, subprocess, time, wave

from protocol_checks.helpers import Client, check, equal, true
from verdicts import Skipped

from autoplay_checks import stage
from autoplay_checks.stage import longest_silence, sounds, until
from snapcast_checks import tools
from snapcast_checks.messages import playing
from snapcast_checks.tools import Speaker, clock, noise, places


#: What the file player takes for the lateness of its output.
OUTPUT_MICROSECONDS = 10_000


def need_numpy():
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise Skipped("numpy is not installed") from None


def offsets(speaker, owner, reference, since):
    """How much later than the room's clock each part of a speaker came, ms."""
    playback = owner.playback()["playback"]
    anchor, position = playback["anchor_us"], playback["position_us"]
    near = lambda at: (position + at - anchor) * 48 / 1000
    found = places([part for part in list(speaker.parts) if part[0] >= since], reference, near)
    return [(at + OUTPUT_MICROSECONDS - (anchor + sample * 10**6 / 48000 - position)) / 1000 for at, sample in found]


def told(name, values):
    return f"{name}: {len(values)} parts, median {statistics.median(values):.2f} ms, from {min(values):.2f} to {max(values):.2f}"


@check("two snapclients, one of which comes in mid-track, are in step with the room's clock and sonactl listen within 2 ms", slow=True)
def _():
    need_numpy()
    reference = noise()
    owner = playing("step-a", "Noise")
    owner.data("speaker.assign", room=owner.room, speaker="step-b")
    first = Speaker("step-a")
    heard = listening(owner.room)
    time.sleep(4)
    late = clock()
    second = Speaker("step-b")
    until(lambda: second.is_loud(0.3), "the second sounds")
    entry = next(at for at, part in second.parts if max(part) > 0) - late
    time.sleep(12)
    since = clock() - 10_000_000
    a, b = offsets(first, owner, reference, since), offsets(second, owner, reference, since)
    c = heard_at(heard, owner, reference)
    first.stop(), second.stop()
    print("   ", told("first", a), told("second", b), told("sonactl listen", c), f"second sounds after {entry / 1000:.0f} ms", sep="\n    ")
    true(len(a) > 100 and len(b) > 100 and len(c) > 10, "parts that are in the track")
    one, two, three = map(statistics.median, (a, b, c))
    true(abs(one) < 2 and abs(two) < 2, f"the speakers are off the room's clock by {one:.2f} and {two:.2f} ms")
    true(abs(one - two) < 2 and abs(one - three) < 2 and abs(two - three) < 2, f"{one:.2f}, {two:.2f} and {three:.2f} ms")


def listening(room):
    """`sonactl listen` into a file of what is heard, moment for moment."""
    file = stage.FOLDER / f"{room}.wav"
    process = subprocess.Popen(
        [tools.PROGRAMS / "sonactl", "listen", "--server", stage.helpers.URL, room, "--output", file, "--seconds", "12", "--stats"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=os.environ | {"XDG_CONFIG_HOME": str(stage.FOLDER)})
    tools.STARTED.append(process)
    return file, process


def heard_at(listener, owner, reference):
    """How much later than the room's clock some parts of the file sound, ms."""
    file, process = listener
    first = json.loads(process.communicate(timeout=20)[0].splitlines()[-1])["first_sample_server_us"]
    playback = owner.playback()["playback"]
    anchor, position = playback["anchor_us"], playback["position_us"]
    with wave.open(str(file)) as found:
        data = found.readframes(found.getnframes())
    parts = [(first + at * 10**6 // 48000, data[at * 4:at * 4 + 9600]) for at in range(96_000, len(data) // 4 - 4_800, 24_000)]
    near = lambda at: (position + at - anchor) * 48 / 1000
    return [(at - (anchor + sample * 10**6 / 48000 - position)) / 1000 for at, sample in places(parts, reference, near)]


@check("tracks follow each other without a gap, a pause is silence, and sound comes back", slow=True)
def _():
    need_numpy()
    owner = playing("gap", "Low", "Middle", "High", "Long")
    speaker = Speaker("gap")
    until(lambda: speaker.is_loud(0.3), "it sounds")
    begin = clock()
    until(lambda: owner.playing() == "Long", "the last track", 30)
    time.sleep(2)
    samples = speaker.samples(begin)
    found, gap = sounds(samples.astype(int).tolist()), longest_silence(samples.astype(int).tolist())
    print("   ", found, f"longest silence {gap:.1f} ms")
    equal([pitch for pitch, seconds in found if seconds > 1][-3:], [500, 800, 400], f"{found}")
    true(gap < 12, f"a gap of {gap} ms")
    remote = Client(owner.token)
    remote.data("room.join", {"room": owner.room})
    remote.data("playback.pause")
    until(lambda: not speaker.is_loud(0.5), "a pause is silence", 10)
    time.sleep(1)
    remote.data("playback.play")
    until(lambda: speaker.is_loud(0.3), "it sounds again", 10)
    time.sleep(3)
    after = speaker.samples(clock() - 2_000_000).astype(int).tolist()
    true(longest_silence(after) < 12, f"a gap of {longest_silence(after)} ms after the pause")
    speaker.stop()


@check("snapclient changes rooms, and comes back by itself after its server", slow=True)
def _():
    need_numpy()
    one, two = playing("mover", "Long"), playing("other-mover", "Noise")
    speaker = Speaker("mover")
    pitch = lambda: max((seconds, pitch) for pitch, seconds in sounds(speaker.samples(clock() - 700_000).astype(int).tolist()) or [(0, 0)])[1]
    until(lambda: pitch() == 400, "the first room", 10)
    one.data("speaker.forget", room=one.room, speaker="mover")
    two.data("speaker.assign", room=two.room, speaker="mover")
    reference = noise()
    until(lambda: places(speaker.parts[-2:], reference), "the second room", 10)
    before = len(speaker.parts)
    stage.SERVER.kill()
    time.sleep(2)
    stage.SERVER.revive()
    until(lambda: two.playing() == "Noise", "the room plays on", 20)
    until(lambda: places(speaker.parts[max(before, len(speaker.parts) - 2):], reference), "it is back", 20)
    true(speaker.process.poll() is None, "it is the same process")
    speaker.stop()
