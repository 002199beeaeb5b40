"""In step with a listener that is no browser: `sonactl listen` of the same room."""
import json, os, signal, subprocess, wave

from support import PATIENCE, Host, check, chromium
from . import tones
from .two_tabs import LIKE, PITCH, hear, listen

LEAD_MS = 1500  # what sonactl has in hand is recorded later than it comes


def recorded(path):
    """The left channel of a WAV file."""
    import numpy
    with wave.open(str(path), "rb") as file:
        check(file.getframerate() == tones.RATE and file.getnchannels() == 2, "the recording is of another kind")
        frames = numpy.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(float)
    return frames[::2] / 32768


def beside(tab, programs, url, room, folder):
    """How much later a tab sounds than `sonactl listen` of the room it is in, ms; how alike they are, and sonactl's own figures."""
    path = folder / "heard.wav"
    other = subprocess.Popen(
        [programs / "sonactl", "--server", url, "listen", room, "--output", path, "--stats"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"XDG_CONFIG_HOME": str(folder / "other")})
    tab.wait_for_timeout(3500)
    [heard] = hear([tab])
    # However long the tab took: sonactl records until it is told to stop.
    tab.wait_for_timeout(LEAD_MS)
    other.send_signal(signal.SIGINT)
    out, err = other.communicate(timeout=PATIENCE)
    check(other.returncode == 130, f"sonactl: {other.returncode} {err[-300:]!r}")
    stats = json.loads(out.splitlines()[-1])
    theirs, ours = recorded(path), tones.samples(heard["samples"])
    begin = round((heard["server"] - stats["first_sample_server_us"]) * tones.RATE / 1e6)
    rest = (heard["server"] - stats["first_sample_server_us"]) / 1000 - begin * 1000 / tones.RATE
    check(0 <= begin and begin + len(ours) <= len(theirs), f"the recordings do not overlap: {begin} + {len(ours)} of {len(theirs)}")
    samples, likeness = tones.lag(theirs[begin:begin + len(ours)], ours, 4800)
    return samples * 1000 / tones.RATE + rest, likeness, stats


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    with Host(server, "--loop", low) as host, chromium(playwright) as browser:
        tab = listen(browser, host)
        apart, likeness, stats = beside(tab, server.programs, server.url, host.room, folder)
        check(likeness > LIKE, f"they do not hear the same: {likeness:.2f}")
        check(abs(apart) < 20, f"the tab and sonactl are {apart:.2f} ms apart")
        check(stats["lost"] == 0, f"sonactl lost {stats['lost']} packets")
        return [f"a tab and sonactl: {apart:+.3f} ms apart, alike {likeness:.2f}; sonactl off by {stats['sync_error_us']}"]
