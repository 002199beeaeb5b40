"""Hearing a room later than others do: back to the song's beginning, a pause for oneself, and both ways back to the live place."""
from support import Page, Server, check, chromium, eventually
from page_checks.belonging import sign_in
from . import tones
from .alone import STORES, due, flac
from .pressure import Late, fairly
from .two_tabs import hear

OWN_SERVER = True
#: How long the track is; it repeats.
SECONDS = 60
ROOM = """async () => {
    const {room} = await session.request('room.create', {title: 'Later', visibility: 'public'});
    await session.request('queue.add', {room: room.id, tracks: window.tracks.map(({id, title}) => ({track: {title}, source: id}))});
    await session.request('queue.set_repeat', {room: room.id, repeat: 'one'});
    await session.request('autoplay.set', {room: room.id, on: true});
    return room.id;
}"""


def place(taken, noise):
    """Where in the track a recording begins, ms, by what it is like."""
    import numpy
    sound = tones.samples(taken["samples"])[:24_000]
    size = 1 << (len(noise) + len(sound)).bit_length()
    cross = numpy.fft.irfft(numpy.conj(numpy.fft.rfft(sound, size)) * numpy.fft.rfft(noise, size), size)[:len(noise)]
    found = int(cross.argmax())
    likeness = cross[found] / numpy.sqrt((sound ** 2).sum() * (noise[found:found + len(sound)] ** 2).sum())
    due(likeness > 0.5, f"what sounds is like the track by {likeness:.2f}")
    return found * 1000 / tones.RATE


def apart(tabs, noise):
    """How much later the second tab hears the same, ms. The track repeats."""
    first, second = hear(tabs, 0.8)
    later = place(first, noise) - place(second, noise) + second["at"] - first["at"]
    length = len(noise) * 1000 / tones.RATE
    return (later + length / 4) % length - length / 4


def behind(tab):
    return tab.evaluate("player.shift.by(session.serverNow) / 1000")


def agree(tabs, noise, what):
    def measured():
        found, told = apart(tabs, noise), behind(tabs[1])
        if abs(found - told) > 25:
            raise Late(f"{what}: heard {found:.0f} ms later, and {told:.0f} by what the page says")
        return found
    return fairly(measured)


def press(tab, name):
    tab.click(f"room-stage .stage-shift button:visible:is(:has-text('{name}'), [aria-label^='{name}'])")


def run(playwright, server, folder):
    import numpy
    music = folder / "music"
    music.mkdir()
    noise = numpy.random.Generator(numpy.random.PCG64(11)).normal(0, 0.1, SECONDS * tones.RATE)
    flac(music / "noise.flac", noise, title="Noise", artist="Dice")
    with Server(server.programs, "--music", f"Test={music}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        own.person("ada")
        ada = sign_in(browser, own, "ada@example.org", "/library/tracks")
        ada.evaluate(STORES)
        ada.until("session.status === 'online'", "a connection")
        eventually(lambda: ada.evaluate("async () => (window.tracks = (await session.request('library.list', {kind: 'tracks'})).tracks).length === 1"), "the track", 60)
        room = ada.evaluate(ROOM)
        tabs = []
        for _ in range(2):
            tab = Page(browser.new_context(), f"{own.url}/r/{room}").store()
            tab.evaluate(STORES)
            tab.evaluate("settings.set('volume', 1); settings.set('loudness', false)")
            tab.click("room-stage .big-play")
            tab.until("player.state === 'live'", "the room is heard", 20)
            tabs.append(tab)
        live, late = tabs
        # What was sounded before they came, of the server's file; ten seconds of it are in its ring.
        live.until("player.room.state.state === 1 && player.position > 16e6", "sixteen seconds have gone by", 30)
        lines = []
        press(late, "Hear this song")
        late.until("player.state === 'shifted'", "it is heard later", 10)
        late.wait_for_timeout(1500)
        first = agree(tabs, noise, "from the beginning")
        check(first > 14_000, f"the beginning is {first:.0f} ms back")
        check("behind" in late.page.inner_text("room-stage .stage-behind"), "the page does not say so")
        title = late.evaluate("player.room.track?.title")
        check(title == "Noise", f"the title is {title}")
        lines.append(f"to the beginning of the song: {first / 1000:.2f} s later")
        press(late, "Pause for me")
        late.until("player.state === 'held'", "it waits")
        waited = behind(late)
        late.wait_for_timeout(3000)
        press(late, "Go on from here")
        late.until("player.state === 'shifted'", "it goes on", 10)
        check(behind(late) - waited > 2900, f"after a pause it is {behind(late):.0f} ms behind, {waited:.0f} before")
        late.wait_for_timeout(1000)
        second = agree(tabs, noise, "after a pause")
        lines.append(f"after a pause for oneself: {second / 1000:.2f} s later")
        # Three per cent faster: what remains of a second and a half takes half a minute less than a minute.
        late.evaluate("player.shift.to(session.serverNow - 600_000)")
        late.until("player.state === 'shifted'", "a little behind", 10)
        late.wait_for_timeout(1000)
        near = behind(late)
        press(late, "Catch up")
        late.wait_for_timeout(5000)
        gained = near - behind(late)
        check(120 < gained < 200, f"in five seconds {gained:.0f} ms are made up")
        late.until("player.state === 'live' && !player.shift.isOn", "it is at the live place", 40)
        late.wait_for_timeout(1500)
        end = fairly(lambda: level(tabs, noise))
        lines.append(f"at the live place again, by 3 % faster: {end:.1f} ms apart")
        press(late, "Go back 10")
        late.until("player.state === 'shifted'", "ten seconds back", 10)
        late.wait_for_timeout(1000)
        back = agree(tabs, noise, "ten seconds back")
        press(late, "Live")
        late.until("player.state === 'live'", "live by a jump", 10)
        late.wait_for_timeout(1000)
        jump = fairly(lambda: level(tabs, noise))
        lines.append(f"ten seconds back: {back / 1000:.2f} s; by a jump: {jump:.1f} ms apart")
        for tab in tabs:
            check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        return lines


def level(tabs, noise):
    found = apart(tabs, noise)
    due(abs(found) < 15, f"at the live place it is {found:.1f} ms later")
    return found
