"""One click, and the room is heard: its pitch, its level, in step with another tab and with `sonactl listen`; titles change."""
import json, os, statistics, subprocess

from sound_checks import tones
from sound_checks.other_client import recorded
from sound_checks.two_tabs import CAPTURE, LEVEL, LIKE, OTHER, PITCH, hear, skew
from support import PATIENCE, Host, check

#: How far two listeners may be apart, ms.
APART = 20


def listen(engine, host, url=None):
    """A tab in a room, once it hears it. The analyser is behind the volume: all of it."""
    tab = engine.tab(f"{url or host.server.url}/r/{host.room}").store()
    tab.evaluate("player.volume = 1;")
    tab.until("player.room?.isJoined", "one is in the room")
    tab.click(".big-play")
    tab.until("player.state === 'live'", "the room is heard")
    return tab


def apart(tabs, seconds=1.0, enough=3, tries=8):
    """By how much the second tab is later than the first, ms: the median of some recordings that are alike."""
    found = []
    for _ in range(tries):
        found.append(skew(*hear(tabs, seconds)))
        alike = [late for late, likeness in found if likeness > LIKE]
        if len(alike) == enough:
            return statistics.median(alike)
    check(False, f"they do not hear the same: {found}")


def with_sonactl(tab, server, host, folder, seconds=12):
    path = folder / "heard.wav"
    other = subprocess.Popen(
        [server.programs / "sonactl", "--server", server.url, "listen", host.room, "--output", path, "--seconds", str(seconds), "--stats"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"XDG_CONFIG_HOME": str(folder / "other")})
    tab.wait_for_timeout(2500)
    [heard] = hear([tab])
    out, err = other.communicate(timeout=PATIENCE + seconds)
    check(other.returncode == 0, f"sonactl: {err[-300:]!r}")
    stats = json.loads(out.splitlines()[-1])
    theirs, ours = recorded(path), tones.samples(heard["samples"])
    offset = (heard["server"] - stats["first_sample_server_us"]) * tones.RATE / 1e6
    begin = round(offset)
    check(0 <= begin and begin + len(ours) <= len(theirs), f"the recordings do not overlap: {begin} + {len(ours)} of {len(theirs)}")
    samples, likeness = tones.lag(theirs[begin:begin + len(ours)], ours, 4800)
    check(likeness > LIKE, f"they do not hear the same: {likeness:.2f}")
    return (samples + offset - begin) * 1000 / tones.RATE


def sounds(tab, pitch):
    """What the worklet gives and what the analyser reads are a tone of a pitch, at its level, and nothing else."""
    [recording] = hear([tab])
    given, read = tones.samples(recording["samples"]), tones.samples(recording["reads"][-1]["samples"])
    for what, sound, fine in (("the device is given", given, 1), ("the analyser reads", read, 4)):
        check(abs(tones.pitch(sound) - pitch) < fine, f"{what} {tones.pitch(sound):.1f} Hz instead of {pitch}")
        check(abs(tones.level(sound) / LEVEL - 1) < 0.05, f"{what} a level of {tones.level(sound):.4f} instead of {LEVEL:.4f}")
    other = tones.share_at(given, OTHER if pitch == PITCH else PITCH)
    check(other < 0.001, f"of the other room's sound there is {other:.4f}")
    return f"{pitch} Hz: {tones.pitch(given):.2f} Hz at {tones.level(given):.4f}"


def titles(engine, server, folder):
    files = [tones.tone(folder / f"title{number}.opus", PITCH, seconds=4, title=f"Track {number}", artist="Ada") for number in (1, 2, 3)]
    with Host(server, "--loop", "--lead-ms", 1500, *files) as host:
        tab = listen(engine, host)
        first = tab.text("room-stage h1")
        check(first.startswith("Track "), f"the title is {first!r}")
        for _ in range(2):
            before = tab.text("room-stage h1")
            tab.until(f"document.querySelector('room-stage h1').textContent !== {before!r}", "the title changes")
            number = int(tab.text("room-stage h1").removeprefix("Track "))
            check(number == int(before.removeprefix("Track ")) % 3 + 1, f"after {before} comes {number}")
            tab.until(f"navigator.mediaSession.metadata?.title === 'Track {number}'", "the system is told of the title")
        tab.close()


def run(engine, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    high = tones.tone(folder / "high.opus", OTHER, seed=2)
    with Host(server, "--loop", "--lead-ms", 1500, low) as one, Host(server, "--loop", "--lead-ms", 1500, high) as other:
        tab = listen(engine, one)
        joined = tab.evaluate("player.soundedAt - player.pressedAt")
        check(tab.evaluate("player.mode") == "worklet", "what is secure is decoded packet by packet")
        elsewhere = listen(engine, other)
        tab.wait_for_timeout(3500)  # both clocks are learnt, and what that leaves is made up for
        lines = [f"the first sample {joined:.0f} ms after the click", sounds(tab, PITCH), sounds(elsewhere, OTHER)]
        elsewhere.close()
        late = with_sonactl(tab, server, one, folder)
        check(abs(late) < APART, f"the tab and sonactl are {late:.2f} ms apart")
        second = listen(engine, one)
        second.wait_for_timeout(3500)
        between = apart([tab, second])
        check(abs(between) < APART, f"the tabs are {between:.2f} ms apart")
        figures = [one.evaluate("({sync: player.meter.sync, total: player.meter.total})") for one in (tab, second)]
        lines += [f"a tab and sonactl: {late:+.3f} ms apart; two tabs: {between:+.3f} ms",
                  "off by " + ", ".join(f"{one['sync']['p50']}/{one['sync']['p95']}/{one['sync']['max']} µs, "
                                        f"{one['total']['underruns']} gaps, {one['total']['resyncs']} jumps" for one in figures)]
        tab.click("sync-meter summary")
        tab.until("document.querySelector('sync-meter .badge').textContent.includes('ms')", "the meter says how well one hears")
        check(not tab.complaints and not second.complaints, f"the console was told: {tab.complaints[:3]} {second.complaints[:3]}")
        tab.click(".big-play")
        tab.until("!player.playing && player.engine.context.state === 'suspended'", "one's own pause")
        tab.close()
        second.close()
    titles(engine, server, folder)
    return lines
