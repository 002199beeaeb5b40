"""Song requests: switched on in the room, asked for in the page of another site, and approved; and how many listened."""
from axe_playwright_python.sync_playwright import Axe

from sound_checks import tones
from support import Page, Server, check, chromium, eventually
from .belonging import sign_in
from .playing import RULES

OWN_SERVER = True


def accessible(tab):
    """A dialog is not what it will be while it fades in."""
    tab.page.wait_for_timeout(400)
    found = [fault["id"] for fault in Axe().run(tab.page, options=RULES).response["violations"]]
    check(not found, f"axe finds {found}")


def run(playwright, server, folder):
    (folder / "music").mkdir()
    for place, title in enumerate(("Harbour", "Tram", "Waltz")):
        tones.tone(folder / "music" / f"{title}.opus", 300.0 + 80 * place, seconds=20, title=title, artist=f"Band {place}")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        ada = own.person("ada")["access_token"]
        eventually(lambda: len(own.call("library.list", {}, ada)["tracks"]) == 3, "the music")
        room = own.call("room.create", {"title": "Night shift", "visibility": "public"}, ada)["room"]["id"]
        tab = sign_in(browser, own, "ada@example.org", "/people")
        tab.goto(f"{own.url}/r/{room}")
        tab.click("[data-tab=queue]")
        tab.click("room-queue [data-act=song-requests]")
        tab.locator("dialog label", has_text="Take song requests").click()
        check(f"/embed/requests/{room}" in tab.locator("dialog textarea").input_value(), "the form for another page")
        accessible(tab)
        tab.click("dialog button[type=submit]")
        eventually(lambda: own.call("song_requests.get", {"room": room}, ada)["song_requests"]["on"], "it is on")

        visitor = Page(browser.new_context(), f"{own.url}/embed/requests/{room}")
        visitor.locator("requests-page h1", has_text="Night shift").wait_for()
        visitor.until("document.querySelectorAll('.requests-found li').length === 3", "all that may be asked for")
        visitor.fill("requests-page input", "harb")
        visitor.until("document.querySelectorAll('.requests-found li').length === 1", "what was searched for")
        accessible(visitor)
        visitor.get_by_role("button", name="Ask for Harbour").click()
        visitor.locator(".requests-found", has_text="Somebody decides").wait_for()
        entry = eventually(lambda: own.call("queue.get", {"room": room}, ada)["entries"], "the entry")[0]
        check((entry["track"]["title"], entry["approved"]) == ("Harbour", False), f"{entry}")
        own.call("queue.approve", {"room": room, "id": entry["id"]}, ada)
        own.call("autoplay.set", {"room": room, "on": True}, ada)
        visitor.locator("requests-page h1", has_text="Harbour").wait_for()
        tab.click("[data-tab=history]")
        # It is stored every five seconds.
        eventually(lambda: own.call("room.audience", {"room": room}, ada)["audiences"], "it is counted")
        tab.click("room-history [data-act=audience]")
        tab.locator("dialog .entry", has_text="listener").wait_for()
        accessible(tab)
        own.call("song_requests.set", {"room": room, "on": False}, ada)
        visitor.fill("requests-page input", "tram")
        visitor.locator("requests-page", has_text="takes no song requests now").wait_for()
        for one in (tab, visitor):
            check(not [said for said in one.complaints if "404" not in str(said)], f"a page complains: {one.complaints[:3]}")
