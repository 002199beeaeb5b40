"""Listening alone: the bar on every page, the full player, the queue by keyboard alone, what is taken out comes back."""
import subprocess

from axe_playwright_python.sync_playwright import Axe

from support import Page, Server, check, chromium, eventually

OWN_SERVER = True
TITLES = ["Amber", "Basalt", "Cedar", "Dune", "Ember"]
STORES = """async () => {
    const root = document.querySelector('script[type=module]').src, get = async path => import(new URL(path, root));
    window.solo = (await get('store/solo.js')).solo;
    window.session = (await get('store/session.js')).session;
}"""
UPCOMING = "[...document.querySelectorAll('.queue-row strong')].map(({textContent}) => textContent).join()"
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "resultTypes": ["violations"]}


def music(folder):
    """Five songs of a minute, each a tone of its own, on two albums."""
    folder.mkdir()
    for place, title in enumerate(TITLES):
        tags = {"title": title, "artist": "The Minerals" if place < 3 else "", "album": "Strata" if place < 3 else "Sand", "track": place + 1}
        told = [part for name, value in tags.items() if value for part in ("-metadata", f"{name}={value}")]
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"sine=frequency={300 + 80 * place}:duration=60", *told, folder / f"{title}.flac"],
                       check=True, stdin=subprocess.DEVNULL)


def heard(tab, title, what):
    tab.until(f"solo.track?.title === '{title}' && solo.state === 'playing'", what)


def bar(tab):
    """The bar goes along from page to page, its buttons and keys do what they say, and the sound never stops."""
    tab.until("document.querySelector('player-bar .bar-title')?.textContent === 'Basalt'", "the bar shows the title")
    check(tab.evaluate("navigator.mediaSession.metadata.title") == "Basalt", "the system's controls show something else")
    tab.click("nav a[href='/settings']")
    tab.until("location.pathname === '/settings'", "another page")
    heard(tab, "Basalt", "it plays on")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press("n")
    heard(tab, "Cedar", "N is the next")
    tab.keyboard.press("p")
    heard(tab, "Basalt", "P is the one before")
    tab.keyboard.press(" ")
    tab.until("solo.state === 'paused' && navigator.mediaSession.playbackState === 'paused'", "the space bar pauses")
    tab.keyboard.press(" ")
    heard(tab, "Basalt", "and plays")
    # The scrub bar is a slider for the keyboard, five seconds a press.
    tab.focus("player-bar .scrub-bar input")
    before = tab.evaluate("solo.position")
    tab.keyboard.press("PageUp")
    tab.until(f"solo.position > {before} + 25000", "half a minute on")
    value = tab.evaluate("document.querySelector('player-bar .scrub-bar input').getAttribute('aria-valuetext')")
    check(" of 1:00" in value, f"the slider says {value!r}")


def queue(tab):
    """The queue by keyboard alone: moved, taken out, brought back, cleared, brought back, played."""
    tab.focus("player-bar .bar-cover")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('playing-page h1')?.textContent === 'Basalt' && document.querySelector('player-bar').hidden", "the full player, without a second one")
    tab.until(f"{UPCOMING} === 'Cedar,Dune,Ember'", "what comes")
    tab.focus(".queue-row:nth-child(2) [aria-label='Move Dune up']")
    tab.keyboard.press("Enter")
    tab.until(f"{UPCOMING} === 'Dune,Cedar,Ember'", "Dune is moved up")
    check(tab.evaluate("document.activeElement.closest('.queue-row')?.textContent.includes('Dune')"), "the focus has left the row")
    tab.focus("[aria-label='Remove Cedar from the queue']")
    tab.keyboard.press("Enter")
    tab.until(f"{UPCOMING} === 'Dune,Ember'", "Cedar is taken out")
    check(tab.evaluate("document.activeElement.matches('.queue-row button')"), "the focus is lost")
    tab.click(".toast button:has-text('Undo')")
    tab.until(f"{UPCOMING} === 'Dune,Cedar,Ember'", "and brought back to its place")
    tab.click(".playing-queue button:has-text('Clear')")
    tab.until(f"{UPCOMING} === ''", "all is taken out")
    tab.click(".toast button:has-text('Undo')")
    tab.until(f"{UPCOMING} === 'Dune,Cedar,Ember'", "and brought back")
    tab.focus(".queue-row:nth-child(3) .queue-play")
    tab.keyboard.press("Enter")
    heard(tab, "Ember", "a track of the queue is played")
    tab.until("document.querySelector('playing-page h1').textContent === 'Ember' && document.title.startsWith('Ember')", "its title is shown")
    check(tab.evaluate("document.querySelector('.playing-artists').textContent") == "Unknown artist", "an unknown artist is not called so")


def options(tab):
    """Shuffle, repeat, and the dialog of the sound; what is chosen is heard and stays."""
    tab.click("playing-page [aria-label='Shuffle']")
    tab.until("solo.shuffle && document.querySelector('playing-page [aria-label=Shuffle]').getAttribute('aria-pressed') === 'true'", "shuffle is on")
    tab.click("playing-page [aria-label='Repeat: off']")
    tab.until("solo.repeat === 'all'", "all is repeated")
    tab.click("playing-page button:has-text('Sound')")
    tab.click("dialog label:has-text('End of this track')")
    tab.until("solo.sleepAt === 'track'", "the sleep timer is set")
    tab.click("dialog label:has-text('8 s')")
    tab.until("JSON.parse(localStorage.getItem('sona.settings')).crossfade === 8", "the crossfade is kept")
    tab.click("dialog label:has-text('Off') >> nth=0")
    tab.keyboard.press("Escape")
    # Near its end the timer ends it, although all is repeated.
    tab.evaluate("solo.seek(58_500)")
    tab.until("solo.state === 'paused' && solo.sleepAt === null", "at the end of the track it sleeps")


DEVICES = """count => {
    navigator.mediaDevices.enumerateDevices = async () => Array.from({length: count}, (_, number) => ({kind: 'audiooutput', deviceId: `device${number}`, label: `Speaker ${number}`}));
    navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
}"""


def devices(tab):
    """Headphones that are pulled out pause; what is left can be chosen, and is named."""
    heard(tab, "Ember", "it plays")
    tab.evaluate(DEVICES, 3)
    tab.wait_for_timeout(300)
    heard(tab, "Ember", "another device changes nothing")
    tab.evaluate(DEVICES, 2)
    tab.until("solo.state === 'paused'", "a device that goes away pauses")
    tab.click("playing-page button:has-text('Play on')")
    tab.click("dialog label:has-text('Speaker 1')")
    tab.until("JSON.parse(localStorage.getItem('sona.settings')).output !== undefined", "the choice is kept")
    tab.keyboard.press("Escape")
    # There is no such device: the browser says so, and the system's own is used again.
    tab.until("JSON.parse(localStorage.getItem('sona.settings')).output === null", "a device that is not there is given up")
    tab.click("playing-page [aria-label='Play']")
    heard(tab, "Ember", "it plays on")


def driving(tab, axe):
    """Four targets, each as large as a thumb, and the hardware's keys."""
    tab.click("playing-page button:has-text('Sound')")
    tab.click("dialog a:has-text('Car mode')")
    tab.until("document.querySelector('car-page h1')?.textContent === 'Ember' && !document.querySelector('dialog')", "what plays, large")
    clean(tab, axe, "car mode")
    for width in (360, 1280):
        tab.set_viewport_size({"width": width, "height": 640})
        sizes = tab.evaluate("[...document.querySelectorAll('.car-button')].map(one => Math.min(one.offsetWidth, one.offsetHeight))")
        check(min(sizes) >= 76, f"targets of {min(sizes)} px at {width}")
    tab.click("car-page [aria-label='Pause']")
    tab.until("solo.state === 'paused'", "it pauses")
    tab.keyboard.press("Escape")
    tab.evaluate("document.activeElement.blur()")
    tab.keyboard.press(" ")
    heard(tab, "Ember", "the space bar plays")
    tab.click("car-page a.car-leave")
    tab.until("document.querySelector('playing-page h1')", "back in the full player")
    tab.set_viewport_size({"width": 1280, "height": 800})


def clean(tab, axe, what):
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        for width in (360, 1280):
            tab.set_viewport_size({"width": width, "height": 800})
            tab.wait_for_timeout(700)
            found = axe.run(tab.page, options=RULES).response["violations"]
            check(not found, f"{what}, {theme}, {width}: {[(one['id'], one['nodes'][0]['target']) for one in found]}")
            check(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} scrolls sideways at {width}")
    tab.emulate_media(color_scheme="light")
    tab.set_viewport_size({"width": 1280, "height": 800})


def run(playwright, server, folder):
    music(folder / "music")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        tab, axe = Page(browser, own.url + "/playing", locale="en-US", viewport={"width": 1280, "height": 800}), Axe()
        tab.evaluate(STORES)
        tab.until("session.status === 'online' && document.querySelector('playing-page .empty a[href=\"/library\"]')", "nothing plays, and the way to the library")
        clean(tab, axe, "the empty player")
        tracks = eventually(lambda: tab.evaluate("""async () => {
            const {tracks} = await session.request('library.list', {kind: 'tracks'});
            window.tracks = tracks;
            return tracks.length === 5 && tracks.every(({loudness}) => loudness !== null) ? tracks.map(({title}) => title) : null;
        }"""), "five tracks", 60)
        check(tracks == TITLES, f"the tracks are {tracks}")
        tab.click("nav a[href='/']")
        tab.evaluate("() => { solo.play(tracks, {index: 1, source: {kind: 'tracks', name: 'Everything', href: '/library'}}); }")
        heard(tab, "Basalt", "it plays")
        bar(tab)
        clean(tab, axe, "the bar")
        queue(tab)
        clean(tab, axe, "the full player")
        devices(tab)
        driving(tab, axe)
        options(tab)
        # A room takes over, and playing alone takes over from it.
        tab.evaluate("solo.clear()")
        tab.until("document.querySelector('playing-page .empty')", "nothing plays again")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
