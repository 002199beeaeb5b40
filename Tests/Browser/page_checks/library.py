"""The library: listed, sorted, filtered, chosen and played, by mouse and by keyboard alone; back stands where one left."""
from support import check, chromium
from .music import STORES, clean, page, rows, server_with_music, settled

OWN_SERVER = True
QUEUED = "solo.queue.map(({track}) => track.title)"


def cursors(server, token):
    """The pages of the whole list."""
    cursor = {}
    while cursor is not None:
        page = server.call("library.list", {"limit": 100} | cursor, token)
        yield page["tracks"]
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else None


def listed(tab, server, token):
    """The rows are those of the server, in each order, and assistive technology is told how many there are."""
    settled(tab)
    check(tab.get_attribute("[role=grid]", "aria-rowcount") == "241", tab.get_attribute("[role=grid]", "aria-rowcount"))
    for sort in ("title", "artist", "added", "plays"):
        tab.select_option(".library-sort select", sort)
        expected = [one["title"] for one in server.call("library.list", {"sort": sort, "limit": 10}, token)["tracks"]]
        tab.until(f"document.querySelector('.track-row .track-title')?.textContent === {expected[0]!r}", f"sorted by {sort}")
        settled(tab)
        check(rows(tab)[:10] == expected, f"{sort}: {rows(tab)[:10]}, not {expected}")
        indexes = tab.evaluate("[...document.querySelectorAll('.track-row')].map(row => Number(row.getAttribute('aria-rowindex')))")
        check(indexes == list(range(2, 2 + len(indexes))), f"the rows are numbered {indexes}")
    tab.select_option(".library-sort select", "title")
    settled(tab)
    # A press on the head of the column turns the order round: the server is asked for the end of the list.
    expected = [one["title"] for page in cursors(server, token) for one in page][::-1]
    tab.click(".track-sort[data-sort=title]")
    tab.until(f"document.querySelector('.track-row .track-title')?.textContent === {expected[0]!r}", "from the last to the first")
    settled(tab)
    check(rows(tab)[:10] == expected[:10], f"turned round: {rows(tab)[:10]}, not {expected[:10]}")
    tab.reload()
    tab.evaluate(STORES)
    tab.until(f"document.querySelector('.track-row .track-title')?.textContent === {expected[0]!r}", "it is kept")
    tab.click(".track-sort[data-sort=title]")
    settled(tab)
    height = tab.evaluate("document.querySelector('.track-body').clientHeight / document.querySelector('.track-row').clientHeight")
    check(height == 240, f"the list is as high as {height} rows")
    count = tab.evaluate("document.querySelectorAll('.track-row').length")
    check(count < 60, f"{count} rows are in the document")


def returned_to(tab):
    """The end of the list is loaded where one looks; another page, and back: the same place, with the same rows."""
    tab.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    tab.until("document.querySelector('.track-row[aria-rowindex=\"241\"]:not([data-waiting])')", "the last row is there")
    before, shown = tab.evaluate("scrollY"), rows(tab)
    tab.click("nav a[href='/settings']")
    tab.until("location.pathname === '/settings' && document.querySelector('settings-page section')", "another page")
    tab.go_back()
    tab.until("document.querySelector('library-page .track-row')", "back again")
    tab.until(f"Math.abs(scrollY - {before}) < 3", "where one was")
    settled(tab)
    check(rows(tab) == shown, f"{rows(tab)[:3]} is shown, not {shown[:3]}")
    tab.evaluate("scrollTo(0, 0)")


def filtered(tab, server, token):
    """What is typed finds tracks; the address says it; nothing found is said, and cleared again."""
    word = server.call("library.list", {"limit": 1}, token)["tracks"][0]["title"].split()[0]
    expected = [one["title"] for one in server.call("search", {"query": word, "kind": "tracks", "limit": 100}, token)["tracks"]]
    tab.fill(".library-filter input", word)
    tab.until("location.search.startsWith('?q=')", "the address has the text")
    tab.until(f"document.querySelectorAll('.track-row:not([data-waiting])').length === {min(len(expected), 30)} || {len(expected)} > 20", "those that are found")
    settled(tab)
    check(rows(tab)[:5] == expected[:5], f"{rows(tab)[:5]}, not {expected[:5]}")
    tab.fill(".library-filter input", "zzzzqqqq")
    tab.until("document.querySelector('library-page .empty')?.textContent.includes('zzzzqqqq')", "nothing is found")
    tab.fill(".library-filter input", "")
    settled(tab, "all are shown again")
    check(tab.evaluate("location.search") == "", "the address still has a text")


def by_keyboard(tab, server, token):
    """By keyboard alone: to the list, along it, several chosen, the menu, the queue, and Enter plays."""
    titles = [one["title"] for one in server.call("library.list", {"limit": 10}, token)["tracks"]]
    tab.focus(".track-sort[data-sort=title]")
    tab.keyboard.press("Tab")
    check(tab.evaluate("document.activeElement.matches('.track-row[aria-rowindex=\"2\"]')"), "Tab does not lead to the first row")
    tab.keyboard.press("Enter")
    tab.until(f"solo.track?.title === {titles[0]!r}", "Enter plays the row")
    check(tab.evaluate(QUEUED)[:10] == titles, "what follows is not the list")
    tab.until("document.querySelector('.track-row[aria-rowindex=\"2\"]').getAttribute('aria-current') === 'true'", "the row is marked")
    check(tab.inner_text(".track-row[aria-current] .visually-hidden") in ("Now playing", "Paused"), "the mark is not in words")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("Shift+ArrowDown")
    check(tab.evaluate("[...document.querySelectorAll('[aria-selected=true]')].map(row => row.ariaRowIndex)") == ["3", "4", "5"], "three rows are chosen")
    tab.until("document.querySelector('.track-bar:not([hidden])')?.textContent.includes('3 selected')", "the bar says how many")
    queued = len(tab.evaluate(QUEUED))
    tab.keyboard.press("Shift+F10")
    tab.until("document.activeElement.matches('[role=menu] [role=menuitem]')", "the menu has the focus")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowDown")
    check(tab.evaluate("document.activeElement.textContent") == "Add to queue", tab.evaluate("document.activeElement.textContent"))
    tab.keyboard.press("Enter")
    tab.until(f"solo.queue.length === {queued + 3}", "three are added")
    check(tab.evaluate(QUEUED)[-3:] == titles[1:4], f"{tab.evaluate(QUEUED)[-3:]} are added, not {titles[1:4]}")
    tab.until("document.activeElement.matches('.track-row[aria-rowindex=\"5\"]')", "the row has the focus again")
    tab.keyboard.press("Escape")
    check(tab.evaluate("!document.querySelector('[aria-selected=true]') && document.querySelector('.track-bar').hidden"), "Escape chooses none")
    # Into the row and back: its links, and its button.
    tab.keyboard.press("ArrowRight")
    check(tab.evaluate("document.activeElement.matches('.track-row a, .track-row .track-more')"), "the right arrow goes into the row")
    tab.keyboard.press("ArrowLeft")
    tab.keyboard.press("End")
    tab.until("document.activeElement.matches('.track-row[aria-rowindex=\"241\"]')", "End is the last row")
    check(tab.evaluate("document.activeElement.getBoundingClientRect().bottom < innerHeight"), "it is out of sight")
    tab.until("document.activeElement.track", "and it is loaded")
    tab.keyboard.press("Home")
    tab.until("document.activeElement.matches('.track-row[aria-rowindex=\"2\"]')", "Home is the first")
    tab.keyboard.press("Control+a")
    tab.until("document.querySelector('.track-bar').textContent.includes('240 selected')", "all are chosen")
    tab.keyboard.press("Escape")


def by_mouse(tab, server, token):
    """A double click plays; the button opens the menu; Ctrl and Shift choose; dragged rows carry identifiers."""
    tracks = server.call("library.list", {"limit": 10}, token)["tracks"]
    tab.click(".track-row[aria-rowindex='4'] .track-title")
    tab.click(".track-row[aria-rowindex='6'] .track-title", modifiers=["Shift"])
    tab.click(".track-row[aria-rowindex='8'] .track-title", modifiers=["Control"])
    check(tab.evaluate("[...document.querySelectorAll('[aria-selected=true]')].map(row => row.ariaRowIndex)") == ["4", "5", "6", "8"], "what is chosen")
    dragged = tab.evaluate("""() => {
        const data = new DataTransfer();
        document.querySelector(".track-row[aria-rowindex='5']").dispatchEvent(new DragEvent('dragstart', {bubbles: true, dataTransfer: data}));
        return JSON.parse(data.getData('application/x-sona-tracks'));
    }""")
    check(dragged == [tracks[index]["id"] for index in (2, 3, 4, 6)], f"{dragged} is dragged")
    tab.click(".track-bar button:has-text('Play next')")
    # Songs are short: another one may play by now, but those come after the one that played when the button was pressed.
    wanted = [tracks[index]["title"] for index in (2, 3, 4, 6)]
    queued = tab.evaluate(QUEUED)
    check(any(queued[at:at + 4] == wanted for at in range(1, 8)), f"{queued[:12]}")
    tab.dblclick(".track-row[aria-rowindex='9'] .track-title")
    tab.until(f"solo.track?.id === {tracks[7]['id']!r}", "a double click plays")
    tab.hover(".track-row[aria-rowindex='3']")
    tab.click(".track-row[aria-rowindex='3'] .track-more")
    tab.until("document.activeElement.matches('[role=menuitem]')", "the menu is open")
    check(tab.get_attribute(".track-row[aria-rowindex='3'] .track-more", "aria-expanded") == "true", "the button does not say that it is open")
    tab.keyboard.press("Escape")
    tab.until("!document.querySelector('[role=menu]')", "the menu is closed")
    check(tab.evaluate("document.activeElement.matches('.track-more')"), "the focus is not where it was")


def shapes(tab, server, token):
    """Albums, artists and genres, as covers and as a list; the choice is kept; arrow keys go from card to card."""
    for kind, one in (("albums", "album"), ("artists", "artist"), ("genres", "genre")):
        tab.click(f".library-tabs a[href='/library/{kind}']")
        tab.until(f"document.querySelector('music-grid[data-kind={kind}] .music-card') && !document.querySelector('.music-card[data-waiting]')", kind)
        names = [item["name"] for item in server.call("library.list", {"kind": kind, "limit": 12}, token)[kind]]
        shown = tab.evaluate("[...document.querySelectorAll('.music-card .music-link')].map(({textContent}) => textContent)")
        check(shown[:len(names)][:6] == names[:6], f"{kind}: {shown[:6]}, not {names[:6]}")
        tab.focus(".music-card a")
        tab.keyboard.press("ArrowRight")
        check(tab.evaluate("document.activeElement.closest('.music-card').dataset.index") == "1", f"{kind}: the right arrow")
        if kind != "genres":
            tab.click("[data-view=list]")
            tab.until("document.querySelector('music-grid').dataset.view === 'list'", "as a list")
            tab.reload()
            tab.until("document.querySelector('music-grid')?.dataset.view === 'list'", "the choice is kept")
            tab.click("[data-view=grid]")


def run(playwright, server, folder):
    with server_with_music(server.programs) as (own, token), chromium(playwright) as browser:
        tab = page(browser, own, "/library", viewport={"width": 1280, "height": 800})
        listed(tab, own, token)
        returned_to(tab)
        filtered(tab, own, token)
        by_keyboard(tab, own, token)
        by_mouse(tab, own, token)
        shapes(tab, own, token)
        clean(tab)
