"""Listening alone: albums without a gap, places as told, crossfades, loudness, speeds, the queue after loading anew."""
import subprocess, time, urllib.request

from support import Page, Server, check, chromium, eventually
from . import tones
from .pressure import Late, Unrecorded, fairly

OWN_SERVER = True
PITCH, OTHER = 441.0, 882.0
#: The album's sine is cut after so many samples.
CUT = 8 * tones.RATE + 12_345
STORES = """async () => {
    const root = document.querySelector('script[type=module]').src, get = async path => import(new URL(path, root));
    window.solo = (await get('store/solo.js')).solo;
    window.session = (await get('store/session.js')).session;
    window.settings = (await get('store/settings.js')).settings;
    window.failures = [];
    solo.addEventListener('failed', ({detail}) => failures.push(String(detail)));
}"""
# What leaves the page's graph, from now on: `recorded()` gives it with the context's frame of its first sample.
RECORD = """async () => {
    const {context, node} = solo.output, root = document.querySelector('script[type=module]').src;
    if (!window.isWorkletThere) await context.audioWorklet.addModule(new URL('audio/hosting/capture-worklet.js', root));
    window.isWorkletThere = true;
    const worklet = new AudioWorkletNode(context, 'sona-capture', {numberOfInputs: 1, numberOfOutputs: 0});
    const {port1, port2} = new MessageChannel(), blocks = [];
    worklet.port.postMessage(port2, [port2]);
    port1.onmessage = ({data}) => blocks.push(data);
    node.connect(worklet);
    window.recorded = () => {
        node.disconnect(worklet);
        worklet.port.postMessage(null);
        const first = blocks[0].frame, last = blocks.at(-1), left = new Float32Array(last.frame + last.left.length - first);
        for (const block of blocks) left.set(block.left, block.frame - first);
        const bytes = new Uint8Array(left.buffer);
        let text = '';
        for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
        return {frame: first, samples: btoa(text), missing: left.length - blocks.length * 480};
    };
}"""


def flac(path, sound, **tags):
    """A FLAC file of a sound with its tags."""
    plain = tones.write(path.with_suffix(".wav"), sound)
    told = [part for name, value in tags.items() for part in ("-metadata", f"{name}={value}")]
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", plain, *told, path], check=True, stdin=subprocess.DEVNULL)
    plain.unlink()


def music(folder):
    """An album whose two tracks are one sine, a soft and a loud track, and one of eleven minutes of noise."""
    import numpy
    folder.mkdir()
    dice = numpy.random.Generator(numpy.random.PCG64(7))
    # A crossfade takes a third of a track at most: thirteen seconds have room for four.
    time_of = numpy.arange(CUT + 13 * tones.RATE) / tones.RATE
    sine = 0.25 * numpy.sin(2 * numpy.pi * PITCH * time_of)
    flac(folder / "1.flac", sine[:CUT], title="First half", artist="Sine", album="One sound", track=1)
    flac(folder / "2.flac", sine[CUT:], title="Second half", artist="Sine", album="One sound", track=2)
    other = numpy.sin(2 * numpy.pi * OTHER * numpy.arange(12 * tones.RATE) / tones.RATE)
    flac(folder / "loud.flac", 0.7 * other, title="Loud", artist="Sine", album="Loud")
    flac(folder / "soft.flac", 0.05 * other, title="Soft", artist="Sine", album="Soft")
    noise = dice.normal(0, 0.1, 660 * tones.RATE)
    flac(folder / "long.flac", noise, title="Long", artist="Noise", album="Long")
    return noise


def due(holds, what):
    """What only a machine that is too busy may get wrong."""
    if not holds:
        raise Late(what)


def rms(sound):
    return tones.level(sound)


def told(tab):
    """The sound since RECORD."""
    found = tab.evaluate("recorded()")
    if found["missing"]:
        raise Unrecorded(f"{found['missing']} samples were not recorded")
    return found["frame"], tones.samples(found["samples"])


def play(tab, *titles, start=0.0):
    tab.evaluate("([titles, from]) => { solo.play(titles.map(title => window.tracks.find(track => track.title === title)), {from}); }", [list(titles), start])
    tab.until("solo.state === 'playing'", f"{titles[0]} plays")


def without_a_gap(tab):
    """Two halves of a sine: where the second begins, its phase is that of the first."""
    import numpy
    play(tab, "First half", "Second half", start=5000)
    tab.evaluate(RECORD)
    tab.until("solo.track.title === 'Second half' && solo.position > 1500", "the second half plays")
    _, sound = told(tab)
    change = tab.evaluate("solo.queue.length")
    check(change == 2, "the queue has changed")
    # By a sliding phase against a steady sine: a gap or a repeat of n samples turns it by n · 360° · 441 / 48000 from there on.
    begin = int(numpy.argmax(numpy.abs(sound) > 0.05)) + 4800
    end = len(sound) - 4800
    size, places = 480, range(begin, end - 480, 240)
    phases = numpy.unwrap([numpy.angle((sound[at:at + size] * numpy.exp(-2j * numpy.pi * PITCH * numpy.arange(at, at + size) / tones.RATE)).sum()) for at in places])
    early, late = phases[:50].mean(), phases[-50:].mean()
    off = (late - early) / (2 * numpy.pi) * tones.RATE / PITCH
    due(abs(off) < 0.5, f"the second half is off by {off:.2f} samples")
    levels = [rms(sound[at:at + size]) for at in places]
    due(min(levels) > 0.8 * max(levels), f"the level falls from {max(levels):.3f} to {min(levels):.3f}")
    return off


def at_its_place(tab, noise):
    """What sounds after a seek is what stands there, also ten minutes on, and little has to be fetched for that."""
    import numpy
    worst = 0.0
    play(tab, "Long")
    for place in (3.0, 605.25, 61.5):
        before = tab.evaluate("performance.now()")
        tab.evaluate(f"solo.seek({place * 1000})")
        tab.until(f"solo.state === 'playing' && solo.position > {place * 1000 + 400}", f"it plays from {place} s on")
        took = tab.evaluate("performance.now()") - before
        tab.evaluate(RECORD)
        tab.wait_for_timeout(700)
        claim = tab.evaluate("({at: solo.output.context.currentTime * 48000, position: solo.position, latency: (solo.output.context.outputLatency || 0) + (solo.output.context.baseLatency || 0)})")
        frame, sound = told(tab)
        wanted = noise[round((place - 1) * tones.RATE):round((place + 6) * tones.RATE)]
        piece = sound[-24_000:]
        size = 1 << (len(wanted) + len(piece)).bit_length()
        cross = numpy.fft.irfft(numpy.conj(numpy.fft.rfft(piece, size)) * numpy.fft.rfft(wanted, size), size)
        found = int(cross[:len(wanted)].argmax()) / tones.RATE + place - 1
        likeness = float(cross.max() / numpy.sqrt((piece ** 2).sum() * (wanted[:len(piece)] ** 2).sum()))
        due(likeness > 0.5, f"at {place} s something else sounds: {likeness:.2f}")
        heard = found + (claim["at"] - (frame + len(sound) - 24_000)) / tones.RATE - claim["latency"]
        worst = max(worst, abs(heard - claim["position"] / 1000))
        due(took < 5000, f"a seek took {took:.0f} ms")
    due(worst < 0.03, f"the place that is told is off by {worst * 1000:.0f} ms")
    fetched = tab.evaluate("performance.getEntriesByType('resource').filter(({name}) => name.includes('/stream')).length")
    check(fetched <= 12, f"{fetched} requests for three seeks")
    return worst


def crossed(tab):
    """For four seconds both are heard, and at no time less than either alone."""
    tab.evaluate("settings.set('loudness', false); settings.set('crossfade', 4)")
    play(tab, "Second half", "Loud", start=5000)
    tab.evaluate(RECORD)
    tab.until("solo.track.title === 'Loud' && solo.position > 4000", "the second plays")
    _, sound = told(tab)
    pieces = [sound[at:at + 4800] for at in range(4800, len(sound) - 4800, 4800)]
    both = [piece for piece in pieces if tones.share_at(piece, PITCH, 12) > 0.02 and tones.share_at(piece, OTHER, 12) > 0.02]
    due(24 <= len(both) <= 45, f"both are heard for {len(both) / 10} s")
    due(min(map(rms, pieces[:-1])) > 0.12, f"it falls to {min(map(rms, pieces)):.3f}")
    tab.evaluate("settings.set('crossfade', 0); settings.set('loudness', true)")
    return len(both) / 10


def as_loud(tab):
    """A loud track is brought down to −18 LUFS, a soft one up, each by its gain, and neither where that is not wanted."""
    levels = {}
    for wanted in (True, False):
        tab.evaluate(f"settings.set('loudness', {str(wanted).lower()})")
        for title in ("Loud", "Soft"):
            play(tab, title)
            tab.wait_for_timeout(1500)
            tab.evaluate(RECORD)
            tab.wait_for_timeout(500)
            levels[title, wanted] = rms(told(tab)[1][4800:])
    tab.evaluate("settings.set('loudness', true)")
    gains = {track["title"]: track["gain"] for track in tab.evaluate("tracks")}
    # A sine of a channel less loud than −18 LUFS can be: 0.7 and 0.05 of full scale are −6.1 and −29 LUFS.
    check(-1300 < gains["Loud"] < -1100 and 1000 < gains["Soft"] < 1200, f"gains of {gains}")
    for title in ("Loud", "Soft"):
        ratio, wanted = levels[title, True] / levels[title, False], 10 ** (gains[title] / 2000)
        due(0.93 < ratio / wanted < 1.07, f"{title} is played at {ratio:.2f} of its level, instead of {wanted:.2f}")


def at_another_speed(tab):
    """The browser's element plays it, from the same place; back at 1 the page does again."""
    play(tab, "Long", start=30_000)
    tab.wait_for_timeout(500)
    tab.evaluate("settings.set('speed', 1.5)")
    tab.until("solo.state === 'playing' && solo.position > 31000", "it goes on at one and a half")
    one = tab.evaluate("[solo.position, performance.now()]")
    tab.wait_for_timeout(2000)
    two = tab.evaluate("[solo.position, performance.now()]")
    pace = (two[0] - one[0]) / (two[1] - one[1])
    check(1.35 < pace < 1.65, f"it plays at {pace:.2f}")
    tab.evaluate("settings.set('speed', 1)")
    tab.until(f"solo.state === 'playing' && solo.position > {two[0] + 500}", "it goes on at 1")
    check(tab.evaluate("solo.position") < two[0] + 8000, "it has jumped")


def after_a_reload(tab):
    play(tab, "First half", "Second half", start=3000)
    tab.wait_for_timeout(600)
    tab.evaluate("solo.pause()")
    at = tab.evaluate("solo.position")
    tab.reload()
    tab.evaluate(STORES)
    tab.until("solo.track?.title === 'First half' && !document.querySelector('player-bar').hidden", "the queue is there again")
    check(tab.evaluate("solo.state === 'paused' && solo.queue.length === 2"), "it does not wait, paused, with two tracks")
    tab.click("player-bar .transport .primary")
    tab.until("solo.state === 'playing'", "it goes on")
    place = tab.evaluate("solo.position")
    check(abs(place - at) < 1500, f"it goes on at {place:.0f} ms instead of {at:.0f}")


def run(playwright, server, folder):
    noise = music(folder / "music")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        tab = Page(browser, own.url + "/settings")
        tab.evaluate(STORES)
        tab.until("session.status === 'online'", "a connection")

        def listed():
            tracks = tab.evaluate("async () => window.tracks = (await session.request('library.list', {kind: 'tracks'})).tracks")
            return len(tracks) == 5 and all(track["loudness"] is not None for track in tracks)
        eventually(listed, "five tracks that were measured", 90)
        tab.evaluate("settings.set('volume', 1); settings.set('loudness', false)")
        # The renditions are made before anything is timed.
        for track in tab.evaluate("tracks"):
            stream = tab.evaluate("async track => (await session.request('track.open', {track})).stream", track["id"])
            urllib.request.urlopen(own.url + stream + "&format=opus", timeout=60).read()
        began = time.monotonic()
        play(tab, "First half", start=1000)
        started = time.monotonic() - began
        off = fairly(lambda: without_a_gap(tab))
        worst = fairly(lambda: at_its_place(tab, noise))
        both = fairly(lambda: crossed(tab))
        fairly(lambda: as_loud(tab))
        at_another_speed(tab)
        after_a_reload(tab)
        check(not tab.evaluate("failures").copy(), f"failures: {tab.evaluate('failures')}")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
        return [f"sound after {started:.2f} s, a cut off by {off:.3f} samples, places within {worst * 1000:.1f} ms, both heard for {both} s"]
