"""From alone to a room by one press, and back: what is heard has no hole, and goes on at its place, for the presser and a guest."""
import time

from page_checks.belonging import sign_in
from support import Page, Server, check, chromium, eventually
from . import tones
from .alone import STORES, flac
from .pressure import Late, Unrecorded, fairly

OWN_SERVER = True
#: What leaves one of the page's two graphs, on the clock of the page: `take()` gives each with the time of its first sample, ms.
RECORD = """async () => {
    const root = document.querySelector('script[type=module]').src, {player} = await import(new URL('store/player.js', root));
    await player.engine.open();
    const record = async (context, node) => {
        await context.audioWorklet.addModule(new URL('audio/hosting/capture-worklet.js', root));
        const worklet = new AudioWorkletNode(context, 'sona-capture', {numberOfInputs: 1, numberOfOutputs: 0});
        const {port1, port2} = new MessageChannel(), blocks = [];
        worklet.port.postMessage(port2, [port2]);
        port1.onmessage = ({data}) => blocks.push({...data, at: performance.now(), now: context.currentTime * 48000});
        node.connect(worklet);
        return () => blocks;
    };
    const parts = {
        alone: solo.output ? await record(solo.output.context, solo.output.node) : null,
        room: await record(player.engine.context, player.engine.graph.volume),
    };
    window.recordAlone = async () => { parts.alone ??= await record(solo.output.context, solo.output.node); };
    const encode = (left) => {
        const bytes = new Uint8Array(left.buffer);
        let text = '';
        for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
        return btoa(text);
    };
    // A context that rests counts no frames: what comes after a rest is another piece. The time of a piece is the least that its
    // blocks say: none comes before it was made.
    window.take = () => Object.fromEntries(Object.entries(parts).map(([name, blocks]) => {
        const pieces = [];
        for (const block of blocks?.() ?? []) {
            const last = pieces.at(-1), offset = block.at - (block.frame + 480) / 48;
            if (last && last.next === block.frame && Math.abs(offset - last.offset) < 60) {
                last.lefts.push(block.left);
                last.offset = Math.min(last.offset, offset);
            } else pieces.push({first: block.frame, offset, lefts: [block.left]});
            pieces.at(-1).next = block.frame + 480;
        }
        return [name, pieces.map(({first, offset, lefts}) => {
            const left = new Float32Array(lefts.length * 480);
            lefts.forEach((part, at) => left.set(part, at * 480));
            return {at: offset + first / 48, samples: encode(left)};
        })];
    }));
}"""


def laid(tab):
    """Both graphs on one line, by milliseconds: the level of each in parts of 5 ms, and their pieces."""
    import numpy
    found = {name: [(piece["at"], tones.samples(piece["samples"])) for piece in pieces] for name, pieces in tab.evaluate("take()").items()}
    begin = min(at for pieces in found.values() for at, _ in pieces)
    end = max(at + len(sound) / 48 for pieces in found.values() for at, sound in pieces)
    levels = {}
    for name, pieces in found.items():
        level = levels[name] = numpy.zeros(int((end - begin) / 5) + 2)
        for at, sound in pieces:
            for part in range(len(sound) // 240):
                place = int((at - begin) / 5) + part
                level[place] = max(level[place], numpy.abs(sound[part * 240:part * 240 + 240]).max())
    return levels, found, begin


def hole(levels, one, other):
    """The longest time without sound around the change from one to the other, ms."""
    import numpy
    heard = levels[one] + levels[other] > 0.01
    first, last = int(numpy.argmax(levels[one] > 0.01)), len(heard) - int(numpy.argmax(levels[other][::-1] > 0.01))
    longest = run = 0
    for sounds in heard[first:last]:
        run = 0 if sounds else run + 1
        longest = max(longest, run)
    return longest * 5


def place_of(pieces, noise, at):
    """Where in the track the sound is that left at a time, ms, by what it is like."""
    import numpy
    is_recorded = False
    for begin, sound in pieces:
        offset = int((at - begin) * 48)
        piece = sound[offset:offset + 14_400] if offset >= 0 else []
        if len(piece) == 14_400:
            is_recorded = True
            size = 1 << (len(noise) + len(piece)).bit_length()
            cross = numpy.fft.irfft(numpy.conj(numpy.fft.rfft(piece, size)) * numpy.fft.rfft(noise, size), size)
            found = int(cross[:len(noise)].argmax())
            likeness = cross[found] / numpy.sqrt((piece ** 2).sum() * (noise[found:found + len(piece)] ** 2).sum())
            if likeness > 0.5:
                return found / 48
    # Where the page was too busy to take the sound over in time, the recording is in pieces that are too short.
    raise (Late if is_recorded else Unrecorded)(f"nothing that can be told sounds at {at:.0f} ms")


def change(levels, one, other, begin):
    """When the other begins to be heard, ms."""
    import numpy
    return begin + 5 * int(numpy.argmax(levels[other] > 0.01))


def home(tab):
    """Out of a room, where the bar of what plays alone is shown."""
    if tab.evaluate("player.room !== null"):
        tab.evaluate("player.leave()")
    tab.click("a[href='/library']:visible")


def to_a_room(tab, noise):
    tab.evaluate("() => { solo.play(window.tracks, {from: 20_000}); }")
    tab.until("solo.state === 'playing' && solo.position > 21_000", "it plays alone")
    tab.evaluate(RECORD)
    tab.wait_for_timeout(1200)
    tab.click("player-bar [aria-label='Listen together']")
    tab.until("location.pathname.startsWith('/r/') && solo.state === 'paused'", "the room has taken over")
    tab.wait_for_timeout(1500)
    levels, found, begin = laid(tab)
    silence = hole(levels, "alone", "room")
    if silence > 20:
        raise Late(f"{silence} ms of silence")
    at = change(levels, "alone", "room", begin)
    before, after = place_of(found["alone"], noise, at - 700), place_of(found["room"], noise, at + 400)
    step = after - before - 1100
    if abs(step) > 40:
        raise Late(f"the place jumps by {step:.0f} ms")
    both = 5 * int(((levels["alone"] > 0.01) & (levels["room"] > 0.01)).sum())
    if both > 400:
        raise Late(f"both are heard for {both} ms")
    return silence, step, both, tab.evaluate("player.room.id")


def alone_again(tab, noise):
    tab.evaluate(RECORD)
    tab.wait_for_timeout(800)
    tab.click("room-page .room-actions button:has-text('Keep listening alone')")
    tab.until("location.pathname === '/playing' && solo.state === 'playing' && !player.room", "alone it goes on")
    tab.wait_for_timeout(1500)
    levels, found, begin = laid(tab)
    silence = hole(levels, "room", "alone")
    if silence > 250:
        raise Late(f"{silence} ms of silence on the way back")
    at = change(levels, "room", "alone", begin)
    step = place_of(found["alone"], noise, at + 900) - place_of(found["room"], noise, at - 700) - 1600
    if abs(step) > 250:
        raise Late(f"on the way back the place jumps by {step:.0f} ms")
    return silence, step


#: When elements are paused, ms of the page's clock, and their places then, s.
WATCH = """() => {
    const pause = HTMLMediaElement.prototype.pause;
    window.pauses = [];
    HTMLMediaElement.prototype.pause = function () {
        if (!this.paused) pauses.push([performance.now(), this.currentTime]);
        return pause.call(this);
    };
}"""


def from_an_element(tab, noise):
    """The same where the browser's own element plays, as on a phone that is locked: what it gives is not to be recorded."""
    home(tab)
    tab.evaluate("settings.set('pocket', true)")
    tab.evaluate("() => { solo.play(window.tracks, {from: 30_000}); }")
    tab.until("solo.state === 'playing' && solo.position > 31_000", "it plays alone in an element")
    tab.evaluate(RECORD)
    tab.evaluate(WATCH)
    tab.wait_for_timeout(800)
    tab.click("player-bar [aria-label='Listen together']")
    tab.until("location.pathname.startsWith('/r/') && solo.state === 'paused'", "the room has taken over")
    tab.wait_for_timeout(1500)
    tab.evaluate("settings.set('pocket', false)")
    pauses = tab.evaluate("pauses")
    check(len(pauses) > 0, "no element was paused")
    _, found, begin = laid(tab)
    ended, place = pauses[-1]
    first = min(at for at, sound in found["room"] if abs(sound).max() > 0.01) if found["room"] else None
    if first is None:
        raise Late("nothing of the room was recorded")
    at, sound = next((at, sound) for at, sound in found["room"] if at == first)
    first += float((abs(sound) > 0.01).argmax()) / 48
    silence = first - ended
    if silence > 250:
        raise Late(f"after an element there are {silence:.0f} ms of silence")
    step = place_of(found["room"], noise, first + 400) - (place * 1000 + first + 400 - ended)
    if abs(step) > 250:
        raise Late(f"after an element the place jumps by {step:.0f} ms")
    return silence, step


def run(playwright, server, folder):
    import numpy
    music = folder / "music"
    music.mkdir()
    noise = numpy.random.Generator(numpy.random.PCG64(5)).normal(0, 0.1, 150 * tones.RATE)
    flac(music / "noise.flac", noise, title="Noise", artist="Dice")
    with Server(server.programs, "--music", f"Test={music}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        own.person("ada")
        tab = sign_in(browser, own, "ada@example.org", "/library/tracks")
        tab.evaluate(STORES)
        tab.evaluate("async () => { window.player = (await import(new URL('store/player.js', document.querySelector('script[type=module]').src))).player; }")
        tab.until("session.status === 'online'", "a connection")
        eventually(lambda: tab.evaluate("async () => (window.tracks = (await session.request('library.list', {kind: 'tracks'})).tracks).length === 1 && tracks[0].loudness !== null"), "the track", 60)
        tab.evaluate("settings.set('volume', 1); settings.set('loudness', false)")
        lines = fairly(lambda: there_and_back(browser, own, tab, noise))
        silence, step = fairly(lambda: from_an_element(tab, noise))
        return lines + [f"from an element: {max(0, silence):.0f} ms of silence, both for {max(0, -silence):.0f} ms, a step of {step:.0f} ms"]


def there_and_back(browser, own, tab, noise):
    home(tab)
    silence, step, both, room = to_a_room(tab, noise)
    guest = Page(browser.new_context(), f"{own.url}/r/{room}").store()
    asked = time.monotonic()
    guest.click("room-stage .big-play")
    guest.until("player.state === 'live'", "a guest hears it")
    took = time.monotonic() - asked
    guest.until("player.meter.recent.length > 3", "it is measured")
    off = guest.evaluate("Math.max(...player.meter.recent.slice(-3).map(Math.abs))") / 1000
    check(off < 20, f"the guest is {off:.1f} ms out of step")
    back, jump = alone_again(tab, noise)
    for one in (tab, guest):
        check(not one.complaints, f"a page complains: {one.complaints[:3]}")
    return [f"to the room: {silence} ms of silence, a step of {step:.0f} ms, both for {both} ms; a guest after {took:.2f} s, {off:.1f} ms off; "
            f"back: {back} ms of silence, a step of {jump:.0f} ms"]
