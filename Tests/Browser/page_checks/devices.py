"""What is played alone goes on from one device of an account to another: the queue, the place, and the sound itself."""
import subprocess, time

from axe_playwright_python.sync_playwright import Axe

from support import Page, Server, check, chromium, eventually
from .playing import RULES, heard

OWN_SERVER = True
TITLES = ["Amber", "Basalt", "Cedar"]
STORES = """async () => {
    const root = document.querySelector('script[type=module]').src, get = async path => import(new URL(path, root));
    window.solo = (await get('store/solo.js')).solo;
    window.session = (await get('store/session.js')).session;
}"""


def music(folder):
    folder.mkdir()
    for place, title in enumerate(TITLES):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"sine=frequency={300 + 80 * place}:duration=60",
                        "-metadata", f"title={title}", folder / f"{title}.flac"], check=True, stdin=subprocess.DEVNULL)


def device(browser, server, width, agent=None):
    """A browser of ada's, signed in."""
    context = browser.new_context(viewport={"width": width, "height": 800}, locale="en-US", **({"user_agent": agent} if agent else {}))
    tab = Page(context, server.url + "/sign-in?from=%2Flibrary")
    for name, value in (("email", "ada@example.org"), ("password", "a long password")):
        tab.fill(f"input[name={name}]", value)
    tab.click("main button[type=submit]")
    tab.until("location.pathname === '/library'", "signed in")
    tab.evaluate(STORES)
    tab.until("session.user?.username === 'ada' && solo.shared.state !== null && solo.shared.devices.length > 0", "it is one of the devices")
    return tab


def run(playwright, server, folder):
    music(folder / "music")
    phone_agent = "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
    with Server(server.programs, "--music", f"Test={folder / 'music'}") as own, chromium(playwright) as browser:
        own.person("ada")
        desk = device(browser, own, 1280)
        eventually(lambda: desk.evaluate("""async () => {
            window.tracks = (await session.request('library.list', {kind: 'tracks', sort: 'title'})).tracks;
            return tracks.length === 3;
        }"""), "three tracks", 60)
        desk.evaluate("() => { solo.play(tracks, {index: 1, from: 5000}); }")
        heard(desk, "Basalt", "the desk plays")
        # The phone finds what plays, does not overwrite it, and shows where.
        phone = device(browser, own, 390, phone_agent)
        phone.until("document.querySelector('player-bar .bar-elsewhere')?.textContent.startsWith('Playing on ')", "the phone says where it plays")
        phone.until("solo.queue.map(({track}) => track.title).join() === 'Amber,Basalt,Cedar' && solo.index === 1 && !solo.playing", "the phone has the queue")
        check(desk.evaluate("solo.playing"), "the desk has stopped")
        apart = abs(desk.evaluate("solo.position") - phone.evaluate("solo.position"))
        check(apart < 1500, f"the places are {apart} ms apart")
        # The desk lists its devices, and moves the sound to the phone.
        desk.click("player-bar [aria-label='Play on another device']")
        desk.until("document.querySelectorAll('.device').length === 2", "two devices")
        check(desk.evaluate("document.querySelector('.device[aria-current]').textContent.includes('This device')"), "the desk does not say that it plays")
        violations = Axe().run(desk.page, options=RULES).response["violations"]
        check(not violations, f"axe: {[(one['id'], [node['html'][:120] for node in one['nodes'][:2]]) for one in violations]}")
        before = desk.evaluate("solo.position")
        began = time.monotonic()
        desk.locator(".device:not([aria-current])").click()
        heard(phone, "Basalt", "the phone goes on")
        moved = time.monotonic() - began
        desk.until("!solo.playing", "the desk is silent")
        check(moved < 5, f"it took {moved:.1f} s")
        after = phone.evaluate("solo.position")
        check(before - 500 < after < before + 3000, f"the place was {before}, and is {after}")
        desk.until("document.querySelector('.device[aria-current]')?.textContent.includes('Android')", "the list says so")
        desk.keyboard.press("Escape")
        # What is put into the queue at the desk is played by the phone, which plays on meanwhile.
        desk.evaluate("() => { solo.add([tracks[0]]); }")
        phone.until("solo.queue.length === 4 && solo.playing", "the queue of the phone")
        phone.evaluate("() => { solo.next(); }")
        heard(phone, "Cedar", "the next one")
        desk.until("solo.track.title === 'Cedar' && !solo.playing", "the desk follows")
        # The desk is a remote for the phone: it goes back, pauses there, and the phone plays again by itself.
        desk.evaluate("() => { solo.jump(1); }")
        heard(phone, "Basalt", "the phone obeys")
        check(not desk.evaluate("solo.playing"), "the desk plays, too")
        desk.click("player-bar [aria-label='Play on another device']")
        desk.click(".device-pause")
        phone.until("!solo.playing", "the phone is paused")
        desk.until("!document.querySelector('.device-pause')", "nothing to pause any more")
        desk.keyboard.press("Escape")
        phone.evaluate("() => { solo.next(); }")
        heard(phone, "Cedar", "the phone plays")
        desk.until("solo.track.title === 'Cedar' && !solo.playing && solo.shared.elsewhere !== null", "the desk follows")
        # Loaded anew, the desk finds the place; Play brings the sound back.
        desk.reload()
        desk.evaluate(STORES)
        desk.until("solo.track?.title === 'Cedar' && solo.shared.elsewhere !== null", "found again after it was loaded anew")
        check(phone.evaluate("solo.playing"), "the phone has stopped")
        desk.click("player-bar .transport .primary")
        heard(desk, "Cedar", "the desk plays again")
        phone.until("!solo.playing", "the phone is silent")
        # What remains when all are closed: the place, for a device that comes later.
        place = desk.evaluate("solo.position")
        desk.context.close()
        phone.reload()
        phone.evaluate(STORES)
        phone.until("solo.track?.title === 'Cedar' && !solo.playing && solo.shared.elsewhere === null", "nothing plays anywhere")
        found = phone.evaluate("solo.position")
        check(abs(found - place) < 3000, f"the place was {place}, and is {found}")
        for tab in (phone,):
            check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
    return [f"the sound was on the other device after {moved:.1f} s"]
