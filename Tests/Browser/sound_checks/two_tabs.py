"""Two tabs hear the same moment of the same room, and nothing of another."""
import pathlib, statistics

from support import Host, Page, check, chromium
from . import tones
from .pressure import Late, fairly

CAPTURE = pathlib.Path(__file__).with_name("capture.js").read_text()
PITCH, OTHER = 523.25, 880.0
# What the tone of `tones.tone` has after Opus; one without the other's share in it.
LEVEL = 0.25 / 2 ** 0.5
SECONDS = 2.0
# How alike two recordings are at least that are of the same: of others it is 0.02, by chance, in so many samples.
LIKE = 0.05


def listen(where, host):
    """A tab in a room, once it hears it. The analyser is behind the volume: all of it."""
    tab = Page(where, f"{host.server.url}/r/{host.room}").store()
    tab.evaluate("player.volume = 1")
    tab.click(".big-play")
    tab.until("player.state === 'live'", "the room is heard")
    return tab


def hear(tabs, seconds=SECONDS):
    """What leaves the device in each tab, at the same time. It must be whole: nothing missing, and no fault by the page's count."""
    for tab in tabs:
        tab.evaluate(CAPTURE)

    def record():
        before = [tab.evaluate("player.meter.total") for tab in tabs]
        for tab in tabs:
            tab.evaluate(f"heard.start({seconds})")
        taken = [tab.evaluate("heard.taken()") for tab in tabs]
        tabs[0].wait_for_timeout(300)  # the last reports come in
        after, missing = [tab.evaluate("player.meter.total") for tab in tabs], [one["missing"] for one in taken]
        if before != after or any(missing):
            raise Late(f"in {seconds} s sound was not whole: {missing} samples missing, {before} → {after}")
        return taken
    return fairly(record)


def skew(one, other):
    """By how much the same sound leaves later in the other than in the one, ms, and how alike they are."""
    first, second = tones.samples(one["samples"]), tones.samples(other["samples"])
    shift = round((other["at"] - one["at"]) * tones.RATE / 1000)
    # Cut to begin at the same time, to the sample; what is left of a sample is counted in.
    rest = (other["at"] - one["at"]) - shift * 1000 / tones.RATE
    if shift >= 0:
        first = first[shift:]
    else:
        second = second[-shift:]
    size = min(len(first), len(second))
    check(size > 2000, f"the recordings overlap by {size} samples only")
    samples, likeness = tones.lag(first[:size], second[:size], min(4800, size // 2))
    return samples * 1000 / tones.RATE + rest, likeness


def apart(tabs, times=3):
    """By how much the second tab is later than the first, ms: the median of some recordings; and the recordings."""
    takes = [hear(tabs, 1.0) for _ in range(times)]
    found = [skew(take[0], take[1]) for take in takes]
    check(min(likeness for _, likeness in found) > LIKE, f"they do not hear the same: {found}")
    return statistics.median(late for late, _ in found), takes


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    high = tones.tone(folder / "high.opus", OTHER, seed=2)
    with Host(server, "--loop", low) as one, Host(server, "--loop", high) as other, chromium(playwright) as browser:
        context = browser.new_context()
        tabs = [listen(context, one), listen(context, one), listen(context, other)]
        tabs[-1].wait_for_timeout(3500)  # all clocks are learnt, and what that leaves is made up for
        clock, _ = apart(tabs)
        taken = hear(tabs)
        for recording, pitch in zip(taken, (PITCH, PITCH, OTHER)):
            sound = tones.samples(recording["samples"])
            check(abs(tones.pitch(sound) - pitch) < 1, f"the pitch is {tones.pitch(sound):.1f} Hz instead of {pitch}")
            check(abs(tones.level(sound) / LEVEL - 1) < 0.05, f"the level is {tones.level(sound):.4f} instead of {LEVEL:.4f}")
            wrong = OTHER if pitch == PITCH else PITCH
            check(tones.share_at(sound, wrong) < 1e-5, f"the other room is heard: {tones.share_at(sound, wrong):.1e}")
            check(tones.share_at(sound, pitch) > 0.95, f"the tone is {tones.share_at(sound, pitch):.3f} of the sound")
        # An analyser knows the last 170 ms: readings are compared that were made within 100 ms.
        pairs = [(first, min(taken[1]["reads"], key=lambda second: abs(second["at"] - first["at"]))) for first in taken[0]["reads"]]
        found = [skew(first, second) for first, second in pairs if abs(first["at"] - second["at"]) < 100]
        reads = [apart for apart, likeness in found if likeness > 0.1]
        check(len(reads) >= 5, f"{len(reads)} readings of the analysers that can be compared")
        analysers = statistics.median(reads)
        meters = [tab.evaluate("({sync: player.meter.sync, total: player.meter.total, mode: player.mode})") for tab in tabs]
        for meter in meters:
            check(meter["mode"] == "worklet", f"the mode is {meter['mode']}")
        lines = [f"two tabs: {clock:+.3f} ms apart by the page's clock, {analysers:+.3f} ms by their analysers (median of {len(reads)})",
                 "off by " + ", ".join(f"{meter['sync']['p50']}/{meter['sync']['p95']}/{meter['sync']['max']} µs" for meter in meters)]
        check(abs(clock) < 2, f"the tabs are {clock:.2f} ms apart")
        check(abs(analysers) < 2, f"by their analysers the tabs are {analysers:.2f} ms apart")
        for tab in tabs:
            check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        return lines
