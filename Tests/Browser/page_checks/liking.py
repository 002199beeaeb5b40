"""Likes and stars: by heart, menu and keyboard, told to other tabs, listed, taken back, brought back; guests have none."""
from axe_playwright_python.sync_playwright import Axe

from support import check, chromium, eventually
from .belonging import sign_in
from .music import STORES, clean, page, rows, server_with_music, settled
from .playing import clean as clean_looks

OWN_SERVER = True
PRESSED = "[...document.querySelectorAll('.track-row .like-button')].map(one => one.getAttribute('aria-pressed') === 'true')"


def titles(server, token, kind="track"):
    return [one[kind].get("title") or one[kind].get("name") for one in server.call("like.list", {"kind": kind}, token)["likes"]]


def hearts(tab, other, server, token):
    """A press likes at once and in every tab; the bar and the full player have the same heart."""
    first, second = [one["title"] for one in server.call("library.list", {"limit": 2}, token)["tracks"]]
    for index in (2, 3):
        tab.hover(f".track-row[aria-rowindex='{index}']")
        tab.click(f".track-row[aria-rowindex='{index}'] .like-button")
    eventually(lambda: titles(server, token) == [second, first], "the server has both, the last like first")
    other.until(f"({PRESSED}).slice(0, 3).join() === 'true,true,false'", "the other tab shows both")
    tab.focus(".track-row[aria-rowindex='2']")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('player-bar .like-button:not([hidden])')?.getAttribute('aria-pressed') === 'true'", "the bar shows it")
    tab.focus("player-bar .like-button")
    tab.keyboard.press("Enter")
    other.until(f"({PRESSED}).slice(0, 3).join() === 'false,true,false'", "taken back in the bar, it is gone everywhere")
    check(tab.evaluate(PRESSED)[0] is False, "the row still shows it")
    tab.keyboard.press("Enter")
    eventually(lambda: titles(server, token) == [first, second], "liked again, it comes first")


def by_menu(tab, server, token):
    """The menu likes several at once, and gives stars."""
    names = [one["title"] for one in server.call("library.list", {"limit": 6}, token)["tracks"]]
    tab.focus(".track-row[aria-rowindex='5']")
    tab.keyboard.press("Control+ ")
    tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("Shift+F10")
    tab.until("document.activeElement.matches('[role=menuitem]')", "the menu")
    tab.keyboard.press("l")
    check(tab.evaluate("document.activeElement.textContent") == "Like", tab.evaluate("document.activeElement.textContent"))
    tab.keyboard.press("Enter")
    eventually(lambda: set(names[3:5]) <= set(titles(server, token)), "both are liked")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Shift+F10")
    tab.keyboard.press("r")
    tab.keyboard.press("Enter")
    tab.until("document.activeElement.matches('.stars input')", "the stars have the focus")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    tab.until("document.querySelector('dialog [role=status]').textContent === '4 stars'", "four stars")
    eventually(lambda: server.call("library.list", {"limit": 6}, token)["tracks"][4].get("rating") == 4, "the server has them")
    tab.keyboard.press("Escape")
    tab.until("!document.querySelector('dialog') && document.activeElement.matches('.track-row')", "the focus is back in the list")


def listed(tab, server, token, axe):
    """The list of likes: the last first; taken back, a row goes, its neighbour has the focus, and Ctrl+Z brings it back."""
    tab.click(".library-tab[href='/library/likes']")
    settled(tab)
    before = titles(server, token)
    check(rows(tab) == before, f"{rows(tab)}, not {before}")
    clean_looks(tab, axe, "the likes")
    tab.focus(".track-row[aria-rowindex='3']")
    tab.keyboard.press("ArrowRight")
    for _ in range(6):
        if tab.evaluate("document.activeElement.matches('.like-button')"):
            break
        tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    tab.until("document.querySelectorAll('.track-row').length === 3", "the row is gone")
    check(tab.evaluate("document.activeElement.matches('.track-row[aria-rowindex=\"3\"]')"), "its neighbour does not have the focus")
    tab.keyboard.press("Control+z")
    eventually(lambda: len(titles(server, token)) == 4, "brought back")
    tab.until("document.querySelectorAll('.track-row').length === 4", "and shown")
    # Albums and artists have hearts on their pages.
    album = server.call("library.list", {"kind": "albums", "limit": 1}, token)["albums"][0]
    tab.goto(f"{server.url}/album/{album['id']}")
    tab.click(".hero-actions .like-button")
    eventually(lambda: titles(server, token, "album") == [album["name"]], "the album is liked")
    tab.goto(f"{server.url}/library/likes?kind=albums")
    tab.until(f"document.querySelector('.music-card .music-link')?.textContent === {album['name']!r}", "it is listed")
    tab.evaluate(STORES)


def of_guests(browser, server):
    tab = page(browser.new_context(), server, "/library")
    settled(tab)
    check(tab.evaluate("[...document.querySelectorAll('.like-button')].every(one => one.hidden)"), "a guest has hearts")
    check(not tab.evaluate("Boolean(document.querySelector('a[href=\"/library/likes\"]'))"), "a guest has likes")
    tab.context.close()


def run(playwright, server, folder):
    axe = Axe()
    with server_with_music(server.programs) as (own, token), chromium(playwright) as browser:
        person = own.person("lena")["access_token"]
        tab = sign_in(browser, own, "lena@example.org", "/library")
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.evaluate(STORES)
        settled(tab)
        other = sign_in(browser, own, "lena@example.org", "/library")
        settled(other)
        hearts(tab, other, own, person)
        by_menu(tab, own, person)
        listed(tab, own, person, axe)
        of_guests(browser, own)
        clean(tab)
        clean(other)
