"""What a listener does alone: volume, mute, the equaliser, a pause of one's own, the nudge, and another room."""
from support import Host, check, chromium, eventually
from . import tones
from .pressure import Late, fairly
from .two_tabs import LEVEL, OTHER, PITCH, apart, hear, listen

# The level behind everything, over a time in which nothing has changed: the median of some readings.
READ = """async () => {
    const {analyser} = player, samples = new Float32Array(analyser.fftSize), levels = [];
    for (let read = 0; read < 9; read += 1) {
        await new Promise(resolve => setTimeout(resolve, 60));
        analyser.getFloatTimeDomainData(samples);
        levels.push(Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length));
    }
    return levels.sort((one, other) => one - other)[4];
}"""
# What the six filters together do to a frequency, by their own account.
RESPONSE = """frequency => player.engine.graph.bands.reduce((product, band) => {
    const gain = new Float32Array(1);
    band.getFrequencyResponse(Float32Array.of(frequency), gain, new Float32Array(1));
    return product * gain[0];
}, 1)"""
SETTINGS = "async () => { window.settings = (await import(new URL('store/settings.js', document.querySelector('script[type=module]').src))).settings; }"


def level(tab):
    tab.wait_for_timeout(400)  # what was set has come to its end, and the analyser's window is full of it
    return tab.evaluate(READ)


def near(found, wanted, what, share=0.05):
    check(abs(found - wanted) <= share * wanted, f"{what}: {found:.4f} instead of {wanted:.4f}")


def shaping(tab):
    near(level(tab), LEVEL, "the level at full volume")
    tab.evaluate("player.volume = 0.5")
    near(level(tab), LEVEL / 8, "the level at half the volume")
    tab.evaluate("player.muted = true")
    check(level(tab) == 0, "a muted tab is not silent")
    tab.evaluate("player.muted = false; player.volume = 1")
    tab.evaluate(SETTINGS)
    for gains in ([0, 0, 6, 6, 0, 0], [0, 0, -12, -6, 3, 0]):
        tab.evaluate(f"settings.set('equalizer', {gains})")
        tab.wait_for_timeout(300)
        response = tab.evaluate(RESPONSE, PITCH)
        check(abs(response - 1) > 0.2, f"the equaliser does nothing: {response}")
        near(level(tab), LEVEL * response, f"the level with the equaliser at {gains}", 0.08)
    tab.evaluate("settings.set('equalizer', [0, 0, 0, 0, 0, 0])")
    near(level(tab), LEVEL, "the level with a flat equaliser")


def host_acts(tab, host):
    """What the host does is said in words, and a pause of theirs is no fault of ours."""
    def pause():
        before = tab.evaluate("player.meter.total.underruns")
        host.sonactl("pause", host.room)
        tab.until("player.state === 'paused'", "the page says that the host has paused")
        tab.until("navigator.mediaSession.playbackState === 'paused'", "so do the system's controls")
        tab.wait_for_timeout(700)
        after = tab.evaluate("player.meter.total.underruns")
        host.sonactl("play", host.room)
        tab.until("player.state === 'live'", "the room goes on")
        tab.until("navigator.mediaSession.playbackState === 'playing'", "the system's controls go on with it")
        if after != before:
            raise Late(f"a pause counts as a fault: {before} → {after}")
    fairly(pause)
    host.process.kill()
    tab.until("player.state === 'waiting'", "the page says that it waits for the host")
    tab.locator("room-stage .badge", has_text="Waiting for the host").wait_for()


def refused(tab):
    """A Play that does nothing is told of on every page, whichever way it was pressed."""
    tab.click("player-bar .primary")
    tab.until("!player.playing", "the small player pauses")
    tab.evaluate("() => { player.engine.start = () => Promise.reject(new Error('there is no device')); }")
    tab.click("player-bar .primary")
    tab.locator(".toast", has_text="there is no device").wait_for()
    tab.click(".toast .icon-button")
    tab.keyboard.press(" ")
    tab.locator(".toast", has_text="there is no device").wait_for()
    tab.evaluate("delete player.engine.start")
    tab.click("player-bar .primary")
    tab.until("player.state === 'live'", "the small player plays")


def host_seeks(tab, host):
    """The place that the system shows goes where the host goes."""
    tab.evaluate("() => { window.places = []; navigator.mediaSession.setPositionState = place => places.push(place); }")
    host.sonactl("seek", host.room, "10")
    tab.until("places.some(({position, duration} = {}) => position > 9.9 && position < 12 && duration > 19)", "the system's controls show the place in the track")
    tab.until("player.state === 'live'", "the room is heard from there")


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    high = tones.tone(folder / "high.opus", OTHER, seed=2)
    with Host(server, "--loop", low) as one, Host(server, "--loop", high) as other, chromium(playwright) as browser:
        # Tabs of one browser share what is set; these are two.
        tab, still = (listen(browser.new_context(), one) for _ in range(2))
        shaping(tab)

        # A pause of one's own: nobody else is told, and one is in step again at once.
        tab.click(".big-play")
        tab.until("!player.playing && player.engine.context.state === 'suspended'", "the tab rests")
        check(still.evaluate("player.state") == "live", "the other tab does not go on")
        tab.click(".big-play")
        tab.until("player.state === 'live'", "the room is heard again")

        # Set later by ear, and back.
        tab.wait_for_timeout(3000)
        tab.evaluate("player.nudge = 30")
        tab.wait_for_timeout(1000)
        late, _ = apart([still, tab])
        check(abs(late - 30) < 2, f"a nudge of 30 ms is one of {late:.2f} ms")
        tab.evaluate("player.nudge = 0")

        # Another room: the first is not heard any more.
        tab.evaluate(f"player.enter('{other.room}')")
        tab.until(f"player.room.id === '{other.room}' && player.state === 'live' && player.meter.buffer > 200", "the other room is heard")
        [heard] = hear([tab])
        sound = tones.samples(heard["samples"])
        check(abs(tones.pitch(sound) - OTHER) < 1, f"in the other room one hears {tones.pitch(sound):.1f} Hz")
        check(tones.share_at(sound, PITCH) < 1e-5, "the first room is still heard")
        # Elsewhere on the site it goes on, and coming back one has never left.
        still.evaluate("window.before = player.room")
        still.click("nav a[href='/']")
        still.locator("player-bar", has_text="Tone").wait_for()
        check(still.evaluate("player.state") == "live", "the sound does not survive going elsewhere")
        refused(still)
        still.click("player-bar a.about")
        still.locator("room-stage[data-state=live]").wait_for()
        check(still.evaluate("player.room === before"), "coming back the room is entered anew")

        # What was measured reaches the server's meter, and what plays the system's controls.
        measured = eventually(lambda: [listener["report"] for listener in one.call("room.meter")["listeners"] if listener["report"]],
                              "a report of the tab")
        check(0 <= measured[0]["sync_error_us"]["p50"] < 30_000 and measured[0]["clock"]["rtt_us"] > 0, f"the report is {measured[0]}")
        media = still.evaluate("[navigator.mediaSession.metadata.title, navigator.mediaSession.playbackState]")
        check(media == ["Tone", "playing"], f"the system's controls show {media}")

        host_seeks(still, one)
        host_acts(still, one)
        for page in (tab, still):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return [f"a nudge of 30 ms is one of {late:.2f} ms"]
