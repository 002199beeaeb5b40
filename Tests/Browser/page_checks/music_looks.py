"""Nothing that axe finds, nothing cut off: the pages of music in each theme and language, on a phone and at a desk."""
from axe_playwright_python.sync_playwright import Axe

from support import Page, check, chromium
from .looks import RULES, overflow
from .music import server_with_music

OWN_SERVER = True
WIDTHS = (360, 1280)


def pages(server, token):
    """Paths, each with what says that it is there."""
    album = max(server.call("library.list", {"kind": "albums", "limit": 100}, token)["albums"], key=lambda one: (bool(one["artists"]), one["tracks"]))
    track = server.call("album.get", {"album": album["id"]}, token)["tracks"][0]
    genre = server.call("genre.list", {}, token)["genres"][0]
    there = ".track-row:not([data-waiting])"
    return {
        "/": "explore-shelves .shelf", "/library": there, "/library?q=zzzz": ".empty", "/library/albums": ".music-card:not([data-waiting])",
        "/library/artists": ".music-card:not([data-waiting])", "/library/genres": ".music-card:not([data-waiting])", f"/album/{album['id']}": f"album-page {there}",
        f"/artist/{album['artists'][0]['id']}": f"artist-page {there}", f"/genre/{genre['id']}": f"genre-page {there}", f"/track/{track['id']}": "track-page h1[dir]",
        "/search": "search-page .genre-tiles", "/search?q=a": ".search-card", "/search?q=zzzzqq": ".empty", f"/album/{'0' * 26}": "album-page [role=alert]",
    }


def look(tab, axe, where, faults):
    for theme in ("light", "dark"):
        tab.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for violation in axe.run(tab.page, options=RULES).response["violations"]:
            nodes = "; ".join(node["html"][:140] + " " + node["failureSummary"].replace("\n", " ")[:200] for node in violation["nodes"][:2])
            faults.append(f"{where} {theme}: {violation['id']}: {nodes}")
    if cut := overflow(tab):
        faults.append(f"{where}: wider than the window: {cut}")


def menu(tab, axe, where, faults):
    """The menu of a row, and the bar of chosen ones."""
    tab.focus(".track-row[tabindex='0']")
    tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("Shift+F10")
    tab.until("document.querySelector('[role=menu]')", "the menu")
    look(tab, axe, where, faults)
    tab.keyboard.press("Escape")
    tab.keyboard.press("Escape")


def run(playwright, server, folder):
    axe, faults, count = Axe(), [], 0
    with server_with_music(server.programs) as (own, token), chromium(playwright) as browser:
        found = pages(own, token)
        for language in ("en", "pl", "es"):
            for width in WIDTHS:
                tab = Page(browser.new_context(viewport={"width": width, "height": 800}, locale=language), own.url + "/settings")
                for path, selector in found.items():
                    tab.goto(own.url + path)
                    tab.until(f"document.querySelector({selector!r})", path)
                    tab.wait_for_timeout(150)
                    look(tab, axe, f"{language} {width} {path}", faults)
                    if path == "/library":
                        menu(tab, axe, f"{language} {width} menu", faults)
                    count += 2
                tab.context.close()
    check(not faults, f"{len(faults)} faults:\n" + "\n".join(faults[:20]))
    return [f"{count} pages looked at"]
