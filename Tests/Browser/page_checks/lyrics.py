"""The words of a song: the line that is heard stands out and stays in sight, a press goes to it; a text without times; in a room, too."""
import subprocess

from axe_playwright_python.sync_playwright import Axe

from support import Page, Server, check, chromium, eventually
from .devices import STORES
from .playing import RULES, heard

OWN_SERVER = True
LINES = [(at, f"Line number {place} of the harbour") for place, at in enumerate(range(0, 60_000, 2_000))]
CURRENT = "[...document.querySelectorAll('.lyrics-line[aria-current]')].map(({textContent}) => textContent).join()"
IN_SIGHT = """(() => {
    const row = document.querySelector('.lyrics-line[aria-current]').getBoundingClientRect(), place = document.querySelector('.lyrics-scroll').getBoundingClientRect();
    return row.top >= place.top && row.bottom <= place.bottom;
})()"""


def song(path, pitch, *told):
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"sine=frequency={pitch}:duration=60", *told, path], check=True, stdin=subprocess.DEVNULL)


def music(folder):
    folder.mkdir()
    song(folder / "Synced.opus", 300, "-metadata", "title=Synced")
    (folder / "Synced.lrc").write_text("[ti:Synced]\n" + "\n".join(f"[00:{at // 1000:02}.00]{text}" for at, text in LINES) + "\n")
    song(folder / "Plain.flac", 380, "-metadata", "title=Plain", "-metadata", "LYRICS=One verse\nof two lines\n\nAnother verse")
    song(folder / "Silent.flac", 460, "-metadata", "title=Silent")


def alone(tab):
    """The full player."""
    tab.evaluate("() => { solo.play(tracks, {index: tracks.findIndex(({title}) => title === 'Synced'), from: 20500}); }")
    heard(tab, "Synced", "it plays")
    tab.until(f"document.querySelectorAll('.lyrics-line').length === {len(LINES)}", "the lines")
    tab.until(f"{CURRENT} === '{LINES[10][1]}'", "the line that is heard")
    tab.until(IN_SIGHT, "it is in sight")
    tab.until(f"{CURRENT} === '{LINES[11][1]}'", "the next line")
    violations = Axe().run(tab.page, options=RULES).response["violations"]
    check(not violations, f"axe: {[(one['id'], [node['html'][:120] for node in one['nodes'][:2]]) for one in violations]}")
    tab.focus(".lyrics-line:nth-child(26)")
    tab.keyboard.press("Enter")
    tab.until("solo.position > 49500 && solo.position < 53000", "a press goes to its line")
    tab.until(f"{CURRENT} === '{LINES[25][1]}'", "which stands out")
    tab.click(".lyrics [aria-label='Hide the lyrics']")
    tab.until("document.querySelector('.lyrics-scroll').hidden", "hidden")
    tab.click(".lyrics [aria-label='Show the lyrics']")
    tab.evaluate("() => { solo.jump(tracks.findIndex(({title}) => title === 'Plain')); }")
    heard(tab, "Plain", "the plain one")
    tab.until("[...document.querySelectorAll('.lyrics-verse')].map(({textContent}) => textContent).join('|') === 'One verse\\nof two lines|Another verse'", "its text")
    check(tab.evaluate("!document.querySelector('.lyrics-line')"), "a text has lines with times")
    tab.evaluate("() => { solo.jump(tracks.findIndex(({title}) => title === 'Silent')); }")
    tab.until("solo.track.title === 'Silent' && document.querySelector('.lyrics').hidden", "no place for words where there are none")
    for width in (360, 1920):
        tab.set_viewport_size({"width": width, "height": 800})
        check(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{width} px: it scrolls sideways")
    tab.evaluate("() => { solo.clear(); }")


def together(tab, browser, server):
    """The room's page, on the room's timeline, for whoever may hear the track. There a line is no button: nobody seeks for all."""
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.evaluate("() => { solo.play([tracks.find(({title}) => title === 'Synced')]); }")
    heard(tab, "Synced", "it plays")
    tab.click("playing-page a[href='/host?from=solo']")
    tab.until("document.querySelector('host-setup input[name=title]')?.offsetParent && document.querySelector('.host-song')", "the song is in the list")
    tab.fill("host-setup input[name=title]", "Harbour")
    tab.click(".host-go")
    tab.until("document.querySelector('host-stage .big-play')", "on air")
    guest = Page(browser.new_context(viewport={"width": 390, "height": 800}, locale="en-US"), server.url + "/r/@ada")
    guest.until("document.querySelectorAll('room-page .lyrics p.lyrics-line').length > 0", "the words on the room's page")
    guest.until(f"{CURRENT} !== ''", "the line that is heard")
    first = guest.evaluate(CURRENT)
    guest.until(f"{CURRENT} !== {first!r}", "the words go on")
    guest.until(IN_SIGHT, "in sight")
    check(guest.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways")
    check(not guest.complaints, f"the guest's page complains: {guest.complaints[:3]}")


def run(playwright, server, folder):
    music(folder / "music")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        own.person("ada")
        tab = Page(browser, own.url + "/sign-in?from=%2Fplaying", locale="en-US", viewport={"width": 1280, "height": 800})
        for name, value in (("email", "ada@example.org"), ("password", "a long password")):
            tab.fill(f"input[name={name}]", value)
        tab.click("main button[type=submit]")
        tab.until("location.pathname === '/playing'", "signed in")
        tab.evaluate(STORES)
        eventually(lambda: tab.evaluate("""async () => {
            window.tracks = (await session.request('library.list', {kind: 'tracks', sort: 'title'})).tracks;
            return tracks.length === 3;
        }"""), "three tracks", 60)
        check(tab.evaluate("tracks.map(({lyrics}) => lyrics ?? null)") == ["plain", None, "synced"], "what is told of the words")
        alone(tab)
        together(tab, browser, own)
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
