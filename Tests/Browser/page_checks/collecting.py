"""Playlists: made, filled, put in order and emptied by keyboard, dragged, shared, edited in two places at once."""
import pathlib

from axe_playwright_python.sync_playwright import Axe

from support import check, chromium, eventually
from .belonging import png, sign_in
from .music import STORES, clean, server_with_music, settled
from .playing import clean as clean_looks

OWN_SERVER = True


def entries(server, token, playlist):
    return [one["track"]["title"] for one in server.call("playlist.get", {"playlist": playlist}, token)["entries"]]


def shows(tab, titles, what):
    tab.until(f"[...document.querySelectorAll('.track-row:not([data-waiting]) .track-title')].map(one => one.textContent).join('|') === {'|'.join(titles)!r}", what)


def made(tab, server, token):
    """Six tracks are chosen, and a playlist is made for them in the dialog that adds; the second time the first is skipped."""
    titles = [one["title"] for one in server.call("library.list", {"limit": 6}, token)["tracks"]]
    tab.focus(".track-row[aria-rowindex='2']")
    tab.keyboard.press("Control+ ")
    for _ in range(5):
        tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("Shift+F10")
    tab.until("document.activeElement.matches('[role=menuitem]')", "the menu")
    while tab.evaluate("document.activeElement.textContent") != "Add to playlist":
        tab.keyboard.press("a")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('.add-dialog [role=status]')?.textContent.includes('no playlist yet')", "there is none yet")
    tab.keyboard.press("Tab")
    tab.until("document.activeElement.matches('.add-make')", "a new one can be made")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('.add-dialog .error')?.textContent.length > 5", "a name is needed")
    tab.keyboard.type("Sunday")
    tab.keyboard.press("Enter")
    tab.until("!document.querySelector('dialog') && document.querySelector('.toast')?.textContent.includes('6 tracks added')", "it is made")
    found = server.call("playlist.list", {}, token)["playlists"]
    check([(one["title"], one["tracks"], one["visibility"]) for one in found] == [("Sunday", 6, "private")], f"{found}")
    check(entries(server, token, found[0]["id"]) == titles, "its entries are others")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Home")
    tab.keyboard.press("Shift+F10")
    while tab.evaluate("document.activeElement.textContent") != "Add to playlist":
        tab.keyboard.press("a")
    tab.keyboard.press("Enter")
    tab.locator(".add-row", has_text="Sunday").click()
    tab.locator(".toast", has_text="1 was there already.").wait_for()
    check(len(entries(server, token, found[0]["id"])) == 6, "it was added twice")
    return found[0]["id"], titles


def ordered(tab, server, token, playlist, titles):
    """Alt with the arrows moves one row or several, a drag too; Delete takes out, Ctrl+Z puts back to the same place."""
    tab.locator(".toast button", has_text="Open").last.click()
    shows(tab, titles, "its page")
    order = [titles[1], titles[0], *titles[2:]]
    tab.focus(".track-row[aria-rowindex='3']")
    tab.keyboard.press("Alt+ArrowUp")
    shows(tab, order, "moved up")
    check(tab.evaluate("document.activeElement.ariaRowIndex") == "2", "the focus has not gone along")
    tab.keyboard.press("Control+ ")
    tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("Alt+ArrowDown")
    order = [order[2], order[0], order[1], *order[3:]]
    shows(tab, order, "two are moved down together")
    check(tab.evaluate("[...document.querySelectorAll('[aria-selected=true]')].map(row => row.ariaRowIndex).join()") == "3,4", "they are not chosen any more")
    tab.keyboard.press("Delete")
    left = [order[0], *order[3:]]
    shows(tab, left, "both are taken out")
    check(tab.evaluate("document.activeElement.matches('.track-row[aria-rowindex=\"3\"]')"), "the focus is lost")
    tab.keyboard.press("Control+z")
    shows(tab, order, "and back in their place")
    tab.drag_and_drop(".track-row[aria-rowindex='2'] .track-title", ".track-row[aria-rowindex='5'] .track-title")
    eventually(lambda: tab.wait_for_timeout(50) or entries(server, token, playlist) != order, "a drag moves")
    order = entries(server, token, playlist)
    check(order.index(titles[2]) in (2, 3), f"it went to {order.index(titles[2])}")
    shows(tab, order, "the page shows the order of the server")
    return order


def shared(browser, tab, server, playlist, order, axe):
    """Made public it is found; a link lets somebody else edit, whose changes are seen here at once, and who can leave."""
    tab.click("[data-act=edit]")
    tab.fill("dialog textarea", "Slow songs.")
    tab.click("dialog label:has-text('Public')")
    tab.click("dialog button[type=submit]")
    tab.until("document.querySelector('.badge[data-visibility=public]') && document.querySelector('.playlist-about')?.textContent === 'Slow songs.'", "it says so")
    clean_looks(tab, axe, "a playlist")
    tab.click("[data-act=more]")
    tab.get_by_role("menuitem", name="Edit together").click()
    tab.get_by_role("button", name="Make a link").click()
    link = tab.locator("dialog input[readonly]").input_value()
    tab.keyboard.press("Escape")
    server.person("otto")
    other = sign_in(browser, server, "otto@example.org", "/search")
    other.fill(".search-input", "sunday")
    other.until("document.querySelector('.playlist-card a')?.textContent === 'Sunday'", "search finds it")
    other.click(".playlist-card a")
    shows(other, order, "others see it")
    check(not other.evaluate("Boolean(document.querySelector('[data-act=edit]'))"), "whoever looks can edit")
    check(other.get_attribute(".hero-line a", "href") == "/u/@lena", "its owner is not a link to their page")
    other.click("[data-act=pin]")
    other.until("document.querySelector('[data-act=pin]').getAttribute('aria-pressed') === 'true'", "it is kept")
    other.goto(link)
    other.until("document.querySelector('[data-act=edit]') && location.search === ''", "the link lets them edit")
    shows(other, order, "its entries")
    other.focus(".track-row[aria-rowindex='4']")
    other.keyboard.press("Delete")
    shows(tab, [*order[:2], *order[3:]], "what they take out is gone here")
    tab.until("document.querySelector('.hero-text').textContent.includes('with 1 other')", "who edits is counted")
    other.click("[data-act=more]")
    other.get_by_role("menuitem", name="Stop editing").click()
    other.until("!document.querySelector('[data-act=edit]')", "they have left")
    clean(other)


def pictured(tab, server, token, playlist, axe):
    """The dialog refuses in words what is no picture, shows one that is dropped, and takes it away; the page follows each."""
    tab.click("[data-act=edit]")
    field = tab.locator("dialog .photo-field")
    check(field.get_by_role("button", name="Remove it").is_hidden(), "there is something to remove")
    tab.set_input_files("dialog input[type=file]", {"name": "me.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    field.locator(".notice.error", has_text="PNG").wait_for()
    tab.evaluate("""async bytes => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], 'own.png', {type: 'image/png'}));
      document.querySelector('dialog .photo-field').dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: files}));
    }""", list(png((30, 90, 200))))
    tab.until("document.querySelector('dialog .photo-shown img')?.naturalWidth > 0 && document.querySelector('dialog .photo-shown img').getAttribute('src').startsWith('/v1/photos/')", "the dialog shows it")
    own = server.call("playlist.get", {"playlist": playlist}, token)["playlist"]["picture"]
    tab.until(f"document.querySelector('.hero-cover img')?.getAttribute('src') === '/v1/photos/{own['id']}/full'", "the page shows it")
    clean_looks(tab, axe, "the dialog of a playlist")
    tab.get_by_role("dialog").get_by_role("button", name="Remove it").click()
    tab.until("!document.querySelector('.hero-cover img[src^=\"/v1/photos/\"]') && !document.querySelector('dialog .photo-shown img[src^=\"/v1/photos/\"]')", "its covers are back")
    check("picture" not in server.call("playlist.get", {"playlist": playlist}, token)["playlist"], "the server still has it")
    tab.set_input_files("dialog input[type=file]", {"name": "own.png", "mimeType": "image/png", "buffer": png((200, 40, 30))})
    tab.until("document.querySelector('.hero-cover img[src^=\"/v1/photos/\"]')?.naturalWidth > 0", "another one")
    tab.keyboard.press("Escape")
    tab.until("!document.querySelector('dialog')", "the dialog is closed")


def as_files(tab, server, playlist, order):
    """Saved as a file and read again it is the same list; what a file names and the library lacks is reported."""
    tab.click("[data-act=more]")
    tab.get_by_role("menuitem", name="Save as a file").click()
    with tab.expect_download() as saved:
        tab.click("dialog [data-format=m3u8]")
    text = pathlib.Path(saved.value.path()).read_text(encoding="utf-8")
    check(text.startswith("#EXTM3U") and all(title in text for title in order), f"{text[:200]}")
    tab.until("!document.querySelector('dialog')", "saved")
    tab.goto(server.url + "/library/playlists")
    with tab.page.expect_file_chooser() as chooser:
        tab.get_by_role("button", name="Import a file").click()
    chooser.value.set_files({"name": "mine.m3u8", "mimeType": "audio/x-mpegurl", "buffer": (text + "#EXTINF:10,Nobody - Nowhere\nnowhere.mp3\n").encode()})
    tab.locator("dialog", has_text="Nobody - Nowhere").wait_for()
    tab.get_by_role("dialog").get_by_role("button", name="Open", exact=True).click()
    shows(tab, order, "the same entries in the same order")
    tab.click("[data-act=more]")
    tab.get_by_role("menuitem", name="Delete playlist").click()
    tab.locator("dialog .danger").click()
    tab.until("location.pathname === '/library/playlists'", "the imported one is deleted")
    tab.goto(f"{server.url}/playlists/{playlist}")
    shows(tab, order, "the first one is still there")


def listed(tab, server, token, playlist, axe):
    """A radio of it; a copy; the part of the library; and one that is deleted is gone."""
    title = tab.inner_text("playlist-page h1")
    tab.evaluate(STORES)
    tab.click("[data-act=more]")
    tab.get_by_role("menuitem", name="Start radio").click()
    tab.until("solo.source?.kind === 'radio' && solo.queue.length >= 5 && solo.playing", "a radio of the playlist")
    check(tab.evaluate("[solo.source.href, solo.source.name]") == [f"/playlists/{playlist}", f"Radio: {title}"], "it is not said where the radio is from")
    tab.evaluate("solo.pause()")
    tab.click("[data-act=more]")
    tab.get_by_role("menuitem", name="Make a copy").click()
    tab.until(f"location.pathname.startsWith('/playlists/') && !location.pathname.endsWith({playlist!r})", "the copy")
    tab.until("document.querySelector('.badge[data-visibility=private]')", "it is private")
    tab.goto(server.url + "/library/playlists")
    tab.until("document.querySelectorAll('.playlist-card').length === 2", "both are listed")
    check(tab.evaluate("document.querySelectorAll('.playlist-card img[src^=\"/v1/photos/\"]').length") == 1, "the card of the first shows its picture, the copy its covers")
    clean_looks(tab, axe, "the playlists")
    tab.goto(f"{server.url}/playlists/{playlist}")
    tab.click("[data-act=more]")
    tab.get_by_role("menuitem", name="Delete playlist").click()
    tab.locator("dialog .danger").click()
    tab.until("location.pathname === '/library/playlists' && document.querySelectorAll('.playlist-card').length === 1", "one is left")
    tab.goto(f"{server.url}/playlists/{'0' * 26}")
    tab.until("document.querySelector('playlist-page [role=alert]')", "one that is none says so")


def by_rule(tab, server, token, axe):
    """A smart playlist is made in a form that says what it finds; its rule is changed, and stands in words on its page."""
    years = [one["year"] for one in server.call("library.list", {"limit": 100}, token)["tracks"] if one["year"]]
    middle = sorted(years)[len(years) // 2]
    tab.goto(server.url + "/library/playlists")
    tab.click("[data-act=rule]")
    tab.until("document.activeElement?.matches('.rule-dialog input[name=title]')", "the form")
    tab.keyboard.type("Of a time")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('.rule-row[data-wrong]')", "a condition that says nothing is not taken")
    tab.select_option(".rule-row select[name=field]", "year")
    tab.fill(".rule-row input[name=min]", str(middle))
    everything = tab.evaluate("document.querySelector('.rule-count').textContent")
    tab.until(f"/^[0-9,]+ tracks? match/.test(document.querySelector('.rule-count').textContent) && document.querySelector('.rule-count').textContent !== {everything!r}", "it says how many match")
    found = tab.evaluate("document.querySelector('.rule-count').textContent").split()[0]
    clean_looks(tab, axe, "the form of a rule")
    tab.fill(".rule-row input[name=max]", str(middle - 1))
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('.rule-row .error').textContent.length > 5", "an end before the beginning is not taken")
    tab.fill(".rule-row input[name=max]", "")
    tab.keyboard.press("Enter")
    tab.until("document.querySelector('playlist-page .rule-words')?.textContent.includes('Year: from')", "its page has the rule in words")
    rule = server.call("playlist.list", {}, token)["playlists"][0]["rule"]
    check(rule["conditions"][0]["min"] == middle and not rule["conditions"][0].get("max"), f"{rule}")
    settled(tab)
    check(tab.get_attribute("playlist-page [role=grid]", "aria-rowcount") == str(int(found.replace(",", "")) + 1), "the page has another number than the form said")
    tab.locator(".hero-actions .like-button:not(.kept-button)").click()
    eventually(lambda: [one["playlist"]["title"] for one in server.call("like.list", {"kind": "playlist"}, token)["likes"]] == ["Of a time"], "its heart is pressed")
    tab.click("[data-act=rule]")
    tab.until("document.querySelector('.rule-row input[name=min]')?.value === '%d'" % middle, "the rule as it is")
    tab.get_by_role("button", name="Add a condition").click()
    tab.select_option(".rule-row:nth-child(2) select[name=field]", "liked")
    tab.until("document.querySelector('.rule-count').textContent === 'No track matches.'", "nothing is liked")
    tab.select_option(".rule-row:nth-child(2) select[name=side]", "not")
    tab.until(f"document.querySelector('.rule-count').textContent.startsWith('{found} ')", "so all of it is not")
    tab.click(".rule-dialog button[type=submit]")
    tab.until("document.querySelector('.rule-words')?.textContent.includes('not “Liked by me”')", "the changed rule")
    tab.goto(server.url + "/library/likes?kind=playlists")
    tab.until("document.querySelector('likes-part .playlist-card a')?.textContent === 'Of a time'", "it is among the likes")


def run(playwright, server, folder):
    axe = Axe()
    with server_with_music(server.programs) as (own, _), chromium(playwright) as browser:
        token = own.person("lena")["access_token"]
        tab = sign_in(browser, own, "lena@example.org", "/library")
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.evaluate(STORES)
        settled(tab)
        playlist, titles = made(tab, own, token)
        order = ordered(tab, own, token, playlist, titles)
        shared(browser, tab, own, playlist, order, axe)
        pictured(tab, own, token, playlist, axe)
        as_files(tab, own, playlist, entries(own, token, playlist))
        listed(tab, own, token, playlist, axe)
        by_rule(tab, own, token, axe)
        complaints = [one for one in tab.complaints if "404" not in one]
        check(not complaints, f"{complaints}")
