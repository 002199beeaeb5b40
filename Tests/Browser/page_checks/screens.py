"""A room on other screens: on the wall, in the page of somebody else, and as moving light over its cover."""
import http.server, threading

from axe_playwright_python.sync_playwright import Axe

from sound_checks import tones
from support import Host, Page, check, chromium

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}


def clean(tab, axe, what):
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme)
        tab.wait_for_timeout(700)
        found = axe.run(tab.page, options=RULES).response["violations"]
        check(not found, f"{what}, {theme}: {[(one['id'], one['nodes'][0]['target']) for one in found]}")
    tab.emulate_media(color_scheme="light")


def on_the_wall(browser, server, host, axe):
    tab = Page(browser, f"{server.url}/r/{host.room}?display", viewport={"width": 1920, "height": 1080}, locale="en-US").store()
    tab.until("document.querySelector('display-page h1')?.textContent === 'Wall'", "the title, large")
    check(tab.evaluate("parseFloat(getComputedStyle(document.querySelector('display-page h1')).fontSize)") > 60, "the title cannot be read from across the room")
    check(tab.evaluate("getComputedStyle(document.querySelector('.shell-head')).display === 'none' && document.querySelector('player-bar').offsetParent === null"), "the frame is there")
    tab.until("document.querySelector('.display-code svg')", "the code to join by")
    check(tab.evaluate("document.documentElement.scrollHeight <= innerHeight + 1"), "it is taller than the screen")
    tab.click(".big-play")
    tab.until("player.state === 'live'", "it sounds")
    clean(tab, axe, "the wall")
    tab.set_viewport_size({"width": 390, "height": 844})
    check(tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "on a phone it scrolls sideways")
    tab.click(".display-tools a")
    tab.until("document.querySelector('room-page .big-play') && getComputedStyle(document.querySelector('.shell-head')).display !== 'none'", "back in the room, with the frame")
    check(tab.evaluate("player.state") == "live", "the sound has stopped")
    check(not tab.complaints, f"the wall complains: {tab.complaints[:3]}")


def light(tab):
    """The visualiser moves by what is heard, its scenes differ, and it goes as it came."""
    tab.until("document.querySelector('.visual-button')", "the button")
    check(tab.evaluate("!document.querySelector('.visual')"), "it is on though nobody asked")
    tab.click(".visual-button")
    tab.until("document.querySelector('.visual')", "the light")
    pictures = []
    for _ in range(3):
        tab.wait_for_timeout(900)
        pictures.append(tab.locator(".stage-picture canvas").screenshot())
        tab.hover(".visual-box")
        tab.click("[aria-label='Next scene']")
    check(len(set(pictures)) == 3, "the scenes are the same")
    tab.click(".visual-button", force=True)
    tab.until("!document.querySelector('.visual')", "it is gone")


class Elsewhere(http.server.BaseHTTPRequestHandler):
    """A page of another site with our player in it."""

    def do_GET(self):
        body = f"<!doctype html><title>Blog</title><h1>A blog</h1>{self.server.frame}".encode()
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def elsewhere(browser, server, host, axe):
    """The embedded player plays in a page of another site; no other page of ours can be framed, or be reached inside."""
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        # Another name of this machine is another site.
        site.frame = (f'<iframe id="ours" src="{server.url}/embed/r/{host.room}" width="420" height="150" allow="autoplay"></iframe>'
                      f'<iframe id="framed" src="{server.url}/r/{host.room}" width="420" height="150"></iframe>')
        context = browser.new_context(locale="en-US")
        tab = context.new_page()
        tab.goto(f"http://localhost:{site.server_port}/")
        frame = tab.frame_locator("#ours")
        frame.locator("h1", has_text="Wall").wait_for()
        frame.locator(".embed-play").click()
        frame.locator(".embed-state", has_text="Live").wait_for()
        inner = next(one for one in tab.frames if "/embed/" in one.url)
        inner.evaluate("document.activeElement.blur()")
        with context.expect_page() as opened:
            inner.locator("body").press("/")
        check("/search" in opened.value.url and "/embed/" in inner.url, "a key leads to another page inside the frame")
        check(not any(one.url.endswith(f"/r/{host.room}") and one.locator("room-page").count() for one in tab.frames if "/embed/" not in one.url), "a room's page can be framed")
        found = axe.run(inner, options=RULES).response["violations"]
        check(not found, f"the embedded player: {[(one['id'], one['nodes'][0]['target']) for one in found]}")
    finally:
        site.shutdown()


def run(playwright, server, folder):
    axe = Axe()
    with Host(server, "--loop", tones.tone(folder / "wall.opus", 440.0, title="Wall", artist="Bricks")) as host, chromium(playwright) as browser:
        on_the_wall(browser, server, host, axe)
        tab = Page(browser, f"{server.url}/r/{host.room}", locale="en-US").store()
        tab.click(".big-play")
        tab.until("player.state === 'live'", "the room is heard")
        light(tab)
        elsewhere(browser, server, host, axe)
