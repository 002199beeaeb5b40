"""A stranger's evening: the operator's first run, an album uploaded on a phone, found, played alone, then to a room, in step."""
from page_checks.setup import account, link
from sound_checks import tones
from sound_checks.alone import STORES, flac
from sound_checks.two_tabs import apart, hear, listen
from support import Page, Server, check, chromium
from .desk import Desk

OWN_SERVER = True
PITCH, NEXT = 523.25, 880.0
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESK = {"viewport": {"width": 1366, "height": 850}}


class Room:
    """What `listen` asks of a host."""

    def __init__(self, server, room):
        self.server, self.room = server, room


def album(folder):
    """Three songs of an album, with a little noise by which two recordings can be laid over each other."""
    import numpy
    folder.mkdir()
    dice = numpy.random.Generator(numpy.random.PCG64(11))
    for place, (title, pitch) in enumerate((("Anthem of rivers", PITCH), ("Delta", NEXT), ("Estuary", 660.0))):
        size = 40 * tones.RATE
        sound = 0.25 * numpy.sin(2 * numpy.pi * pitch * numpy.arange(size) / tones.RATE) + dice.normal(0, 0.02, size)
        flac(folder / f"{place + 1} {title}.flac", sound, title=title, artist="The Rivers", album="Down to the sea", track=place + 1)
    return sorted(folder.iterdir())


def operator(browser, server):
    """Ada follows the link of the log: an account, and the folder that the server was started with."""
    tab = Page(browser.new_context(locale="en-US", **DESK), server.url)
    account(tab, server, link(server))
    tab.get_by_role("link", name="Continue").click()
    tab.until("document.querySelector('[data-step=music] .folder-card')", "the music folder")
    check(not tab.complaints, f"the operator's page complains: {tab.complaints[:3]}")


def newcomer(browser, server, files):
    """Bea signs up on her phone, uploads an album, finds a song of it by a word and plays it."""
    tab = Desk.__new__(Desk)
    Page.__init__(tab, browser.new_context(locale="en-US", **PHONE), f"{server.url}/sign-up")
    tab.url_of_server = server.url
    for name, value in (("username", "bea"), ("email", "bea@example.org"), ("password", "a long password")):
        tab.fill(f"input[name={name}]", value)
    tab.click("main button[type=submit]")
    tab.until("location.pathname === '/'", "signed up")
    tab.click(".nav a[href='/library']")
    tab.click("library-page a[href='/library/uploads']")
    tab.locator("uploads-part .uploads-bring").wait_for()
    tab.set_input_files("uploads-part input[type=file]:not([webkitdirectory])", [str(file) for file in files])
    tab.evaluate(STORES)
    tab.until("(async () => (await session.request('library.list', {scope: 'own'})).tracks.length === 3)()", "the album is there", 90)
    tab.click(".nav a[href='/search']")
    tab.fill(".search-input", "anthem riv")
    tab.until("document.querySelector('.search-card h3')?.textContent === 'Anthem of rivers'", "a word finds the song")
    tab.click(".search-card h3 a")
    tab.locator("track-page .hero-play").wait_for()
    tab.click("track-page a[href^='/album/']")
    tab.until("document.querySelector('album-page h1')?.textContent === 'Down to the sea'", "its album")
    tab.click("album-page .hero-play")
    tab.until("solo.state === 'playing' && solo.track.title === 'Anthem of rivers' && solo.queue.length === 3", "the album plays")
    check(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the album's page is wider than the phone")
    return tab


def together(tab):
    """One press more, and Bea plays to a room."""
    tab.click("player-bar .bar-cover")
    tab.click("playing-page a[href='/host?from=solo']")
    tab.here()
    tab.until("host.playlist.songs.length === 3", "the album is in the list")
    tab.fill("input[name=title]", "Bea's evening")
    # Rooms of a new account are private until it says otherwise.
    tab.uncheck("input[name=private]")
    tab.click("host-setup summary")
    tab.choose("4000")
    return tab.go()


def run(playwright, server, folder):
    files, records = album(folder / "album"), folder / "records"
    records.mkdir()
    with Server(server.programs, "--music", f"Records={records}") as own, chromium(playwright) as browser:
        operator(browser, own)
        bea = newcomer(browser, own, files)
        room = Room(own, together(bea))
        friends = [listen(browser.new_context(locale="en-US", **look), room) for look in (PHONE, DESK)]
        for tab in friends:
            tab.until("player.room.track?.title === 'Anthem of rivers' && player.meter.buffer > 200", "friends read what they hear")
        [heard] = hear(friends[:1])
        check(abs(tones.pitch(tones.samples(heard["samples"])) - PITCH) < 1, "friends hear something else")
        late, _ = apart(friends)
        check(abs(late) < 5, f"two friends are {late:.2f} ms apart")
        for tab in (bea, *friends):
            check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        return [f"two friends, on a phone and at a desk, hear it {abs(late):.2f} ms apart"]
