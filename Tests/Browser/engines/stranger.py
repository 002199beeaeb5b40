"""A stranger's evening: first run, signing up, an album uploaded, found, played alone, then to a room, and a friend in step."""
import pathlib, tempfile

from host_checks.stranger import NEXT, PITCH, Room, album
from page_checks.setup import link
from sound_checks import tones
from sound_checks.alone import STORES
from sound_checks.two_tabs import hear
from support import Host, Server, check
from .hearing import APART, apart, listen

#: An engine that cannot play to a room: what is heard then comes from elsewhere.
NO_ENCODER = "typeof AudioEncoder === 'undefined'"


def write(tab, selector, text):
    tab.click(selector)
    tab.type(text)


def account(tab, name):
    for field, text in (("username", name), ("email", f"{name}@example.org"), ("password", "long enough")):
        write(tab, f"input[name={field}]", text)
    tab.press("Enter")


def operator(engine, server):
    """Ada follows the link of the log to an account, and on to the folder that the server was started with."""
    tab = engine.tab(link(server)).store()
    tab.until("document.querySelector('setup-page form')", "the form")
    account(tab, "ada")
    tab.until("document.querySelector('[data-step=name] .notice.ok')", "the account")
    tab.click("[data-step=name] a.primary")
    tab.until("document.querySelector('[data-step=music] .folder-card')", "the music folder")
    return tab


def newcomer(engine, url, files):
    """Bea signs up, uploads an album, finds a song of it by a word and plays it."""
    tab = engine.tab(f"{url}/sign-up").store("host")
    tab.until("document.querySelector('sign-up-page form')", "the page for signing up")
    account(tab, "bea")
    tab.until("location.pathname === '/' && session.user?.username === 'bea'", "signed up")
    tab.click(".nav a[href='/library']")
    tab.click("library-page a[href='/library/uploads']")
    tab.until("document.querySelector('uploads-part .uploads-bring')", "where uploads begin")
    tab.evaluate(STORES)
    tab.set_files("uploads-part input[type=file]:not([webkitdirectory])", files)
    tab.until("(await session.request('library.list', {scope: 'own'})).tracks.length === 3", "the album is there", 90)
    tab.click(".nav a[href='/search']")
    write(tab, ".search-input", "anthem riv")
    tab.until("document.querySelector('.search-card h3')?.textContent === 'Anthem of rivers'", "a word finds the song")
    tab.click(".search-card h3 a")
    tab.until("document.querySelector('track-page .hero-play')", "its page")
    tab.click("track-page a[href^='/album/']")
    tab.until("document.querySelector('album-page h1')?.textContent === 'Down to the sea'", "its album")
    tab.click("album-page .hero-play")
    tab.until("solo.state === 'playing' && solo.track.title === 'Anthem of rivers' && solo.queue.length === 3", "the album plays")
    tab.until("solo.position > 500", "the sound goes on")
    begin = tab.evaluate("solo.position")
    tab.wait_for_timeout(1000)
    moved = tab.evaluate("solo.position") - begin
    check(600 < moved < 2500, f"in a second the sound goes on by {moved:.0f} ms")
    check(not tab.evaluate("failures"), f"trouble alone: {tab.evaluate('failures')}")
    return tab


def together(tab):
    """What plays alone is played to a room."""
    tab.click("player-bar .bar-cover")
    tab.click("playing-page a[href='/host?from=solo']")
    tab.until("host.playlist.songs.length === 3 && document.querySelector('host-setup input[name=title]')?.offsetParent", "the album is in the list")
    write(tab, "host-setup input[name=title]", "An evening")
    tab.evaluate("document.querySelector('input[name=private]').click();")
    tab.click("host-setup summary")
    tab.evaluate("document.querySelector(\"input[value='4000']\").click();")
    tab.click(".host-go")
    tab.until("host.state === 'live' || document.querySelector('[role=alert] .notice')", "on air")
    check(tab.evaluate("host.state") == "live", f"not on air: {tab.text('main')}")
    return tab.evaluate("host.room.id")


def refused(engine, url):
    """An engine without an encoder says in words that nothing can be played to a room."""
    tab = engine.tab(f"{url}/host").store()
    tab.until("document.querySelector('main .notice, main .empty')?.textContent.length > 40", "the page says why not")
    tab.close()


def run(engine, server, folder):
    # A story that an engine does not live to the end of is begun anew, in another place.
    place = pathlib.Path(tempfile.mkdtemp(dir=folder))
    files, records = album(place / "album"), place / "records"
    records.mkdir()
    with Server(server.programs, "--music", f"Records={records}", "--guests-hear", "full") as own:
        ada = operator(engine, own)
        # Two names of this machine are two origins: each has an account of its own.
        url = own.url.replace("127.0.0.1", "localhost")
        bea = newcomer(engine, url, files)
        if not bea.evaluate(NO_ENCODER):
            room = Room(own, together(bea))
            line = in_step(engine, own, room, (bea, ada), "title === 'Anthem of rivers'", PITCH)
        else:
            refused(engine, url)
            with Host(own, "--loop", "--lead-ms", 4000, tones.tone(folder / "elsewhere.opus", NEXT, title="Elsewhere")) as host:
                line = in_step(engine, own, host, (bea, ada), "title === 'Elsewhere'", NEXT)
        return [line]


def in_step(engine, server, room, others, condition, pitch):
    """Two friends hear the room, at the same moment."""
    friends = [listen(engine, room) for _ in range(2)]
    for tab in friends:
        tab.until(f"player.room.track?.{condition}", "the title of what is heard")
    friends[0].wait_for_timeout(3000)
    [heard] = hear(friends[:1])
    check(abs(tones.pitch(tones.samples(heard["samples"])) - pitch) < 1, "friends hear something else")
    late = apart(friends)
    check(abs(late) < APART, f"two friends are {late:.2f} ms apart")
    for tab in (*others, *friends):
        check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
        tab.close()
    return f"two friends hear it {abs(late):.2f} ms apart"
