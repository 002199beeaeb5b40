"""Uploads are submitted, decided by keys alone, and their owner is told: by a message, a bell, a badge with the reason."""
import subprocess

from axe_playwright_python.sync_playwright import Axe

from support import Server, check, chromium, eventually
from .belonging import sign_in
from .music import STORES, clean
from .playing import clean as clean_looks
from .uploading import sound

OWN_SERVER = True
TITLES = ["Harbour", "Lighthouse", "Tide"]
STATES = "[...document.querySelectorAll('.own-row')].map(row => [row.querySelector('.track-title').textContent, row.querySelector('.own-status .badge')?.dataset.status ?? null])"


def uploads(server, folder, token):
    for place, title in enumerate(TITLES):
        path = sound(folder / f"{title}.flac", 300 + 60 * place, 4, title=title, artist="Ines", album="Sea")
        subprocess.run(["curl", "--silent", "--fail", "--output", "/dev/null", "--header", f"Authorization: Bearer {token}", "--upload-file", path, f"{server.url}/v1/uploads/{path.name}"], check=True)
    eventually(lambda: len(server.call("library.list", {"scope": "own"}, token)["tracks"]) == 3, "three uploads", 60)


def submitted(tab):
    """One by its button, two by choosing them; one is taken back and submitted again."""
    tab.until("document.querySelectorAll('.own-row').length === 3", "the uploads")
    check(all(state is None for _, state in tab.evaluate(STATES)), "a state without having been submitted")
    row = tab.locator(".own-row", has_text="Harbour")
    row.get_by_role("button", name="Submit Harbour for approval").focus()
    tab.keyboard.press("Enter")
    row.locator(".badge", has_text="Waiting for approval").wait_for()
    tab.until("document.activeElement.dataset.does === 'withdraw'", "the button in its place has the focus")
    tab.keyboard.press("Enter")
    tab.until("document.activeElement.dataset.does === 'submit'", "taken back")
    for title in ("Lighthouse", "Tide"):
        tab.locator(".own-row", has_text=title).get_by_role("checkbox").check()
    tab.locator(".own-tools").get_by_role("button", name="Submit 2").click()
    tab.until("document.querySelectorAll('.badge[data-status=pending]').length === 2", "two wait")
    row.get_by_role("button", name="Submit Harbour for approval").click()
    tab.until("document.querySelectorAll('.badge[data-status=pending]').length === 3", "three wait")


def decided(boss, tab, axe):
    """By keys alone: heard, approved, rejected with a reason; what another one decides goes from the list."""
    boss.until("document.querySelectorAll('.submission').length === 3", "three wait")
    clean_looks(boss, axe, "the submissions")
    first = boss.evaluate("document.querySelector('.submission-title').textContent")
    boss.focus(".submission")
    boss.keyboard.press("p")
    boss.until(f"solo.track?.title === {first!r}", "it is heard")
    boss.keyboard.press("a")
    boss.until("document.querySelectorAll('.submission').length === 2 && document.activeElement.matches('.submission')", "approved, and the next one has the focus")
    second = boss.evaluate("document.activeElement.querySelector('.submission-title').textContent")
    boss.keyboard.press("r")
    boss.until("document.activeElement.name === 'reason'", "the reason is asked for")
    boss.keyboard.type("The end is cut off.")
    boss.keyboard.press("Enter")
    boss.until("!document.querySelector('dialog') && document.querySelectorAll('.submission').length === 1 && document.activeElement.matches('.submission')", "rejected")
    tab.until(f"{STATES}.some(([title, state]) => title === {first!r} && state === 'approved')", "the owner sees that one is approved")
    tab.until(f"{STATES}.some(([title, state]) => title === {second!r} && state === 'rejected')", "and that one is not")
    tab.locator(".own-row", has_text=second).locator(".own-status", has_text="The end is cut off.").wait_for()
    # The last one is taken back while it is looked at.
    third = next(title for title in TITLES if title not in (first, second))
    tab.locator(".own-row", has_text=third).locator("[data-does=withdraw]").click()
    boss.until("document.querySelectorAll('.submission').length === 0 && document.querySelector('admin-submissions').textContent.includes('Nothing waits')", "nothing waits any more")
    return first, second


def told(tab, server, token, axe, first, second):
    """The bell counts, tells, leads there, and forgets; the kinds can be switched off; what is read is read everywhere."""
    tab.until("document.querySelector('.bell').ariaLabel.includes('2 not read')", "two are not read")
    tab.locator(".toast", has_text=f"“{second}” was not approved").wait_for()
    tab.focus(".bell")
    tab.keyboard.press("Enter")
    tab.until("document.querySelectorAll('.notice-row[data-unread]').length === 2", "both are listed")
    check("The end is cut off." in tab.inner_text(".notice-row"), "the reason is not told")
    clean_looks(tab, axe, "the notifications")
    tab.locator(".notice-row", has_text=first).get_by_role("link").click()
    tab.until(f"location.pathname.startsWith('/track/') && document.querySelector('track-page h1')?.textContent === {first!r}", "it leads to the track")
    tab.until("document.querySelector('.bell').ariaLabel.includes('1 not read')", "it was read")
    server.call("notifications.read", {}, token)
    tab.until("document.querySelector('.bell').ariaLabel === 'Notifications'", "what is read elsewhere is read here")
    # Whoever follows is told of, with a link to them.
    server.call("people.follow", {"user": tab.evaluate("session.user.uid")}, server.person("fred")["access_token"])
    tab.locator(".toast", has_text="@fred follows you").get_by_role("button", name="Open").click()
    tab.until("location.pathname === '/u/@fred' && document.querySelector('user-page h1')?.textContent === '@fred'", "it leads to who follows")
    tab.click(".bell")
    tab.get_by_role("button", name="What is told").click()
    tab.get_by_role("switch", name="New followers").uncheck()
    eventually(lambda: not next(one for one in server.call("notifications.preferences", {}, token)["kinds"] if one["kind"] == "follower")["show"], "the kind is switched off")
    tab.locator(".notice-row").first.get_by_role("button").click()
    tab.until("document.querySelectorAll('.notice-row').length === 2", "one is removed")
    tab.keyboard.press("Escape")


def run(playwright, server, folder):
    axe = Axe()
    with Server(server.programs) as own, chromium(playwright) as browser:
        token = own.person("ines")["access_token"]
        own.person("boss")
        subprocess.run([own.programs / "sona", "user", "set-role", "--data", own.folder / "data", "@boss", "admin"], check=True, capture_output=True)
        uploads(own, folder, token)
        tab = sign_in(browser, own, "ines@example.org", "/library/uploads")
        boss = sign_in(browser, own, "boss@example.org", "/admin/submissions")
        for one in (tab, boss):
            one.set_viewport_size({"width": 1280, "height": 800})
            one.evaluate(STORES)
        submitted(tab)
        first, second = decided(boss, tab, axe)
        told(tab, own, token, axe, first, second)
        clean(tab)
        clean(boss)
