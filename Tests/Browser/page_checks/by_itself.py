"""A room that plays by itself: music is found and added, the switch is set, others hear it, and it is paused for everybody."""
from axe_playwright_python.sync_playwright import Axe

from sound_checks import tones
from support import Page, Server, check, chromium, eventually
from .belonging import sign_in
from .playing import RULES

OWN_SERVER = True


def faults(tab):
    return [fault["id"] for fault in Axe().run(tab.page, options=RULES).response["violations"]]


def run(playwright, server, folder):
    (folder / "music").mkdir()
    for place, title in enumerate(("Harbour", "Tram", "Waltz")):
        tones.tone(folder / "music" / f"{title}.opus", 300.0 + 80 * place, seconds=20, title=title, artist=f"Band {place}")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        ada = own.person("ada")["access_token"]
        tracks = eventually(lambda: (lambda found: found if len(found) == 3 else None)(own.call("library.list", {}, ada)["tracks"]), "the music")
        room = own.call("room.create", {"title": "Night shift", "visibility": "public"}, ada)["room"]["id"]
        playlist = own.call("playlist.create", {"title": "For later"}, ada)["playlist"]["id"]
        own.call("playlist.add", {"playlist": playlist, "tracks": [track["id"] for track in tracks]}, ada)
        guest = Page(browser.new_context(), f"{own.url}/r/{room}").store()
        tab = sign_in(browser, own, "ada@example.org", "/people")
        tab.goto(f"{own.url}/r/{room}")
        tab.click("[data-tab=queue]")
        tab.click("room-queue [data-act=pick]")
        tab.fill(".picker-dialog input", "harb")
        tab.until("document.querySelectorAll('.picker-row').length === 1", "what was searched for")
        check(not faults(tab), f"axe finds {faults(tab)}")
        tab.keyboard.press("Tab")
        tab.keyboard.press("Enter")
        tab.until("document.querySelector('.picker-row[data-added]')", "it is added")
        tab.keyboard.press("Escape")
        tab.until("document.querySelector('room-queue .entry-title')?.textContent === 'Band 0 – Harbour'", "it waits, by the name of the library")
        tab.click("room-queue [data-act=autoplay]")
        tab.locator("dialog label", has_text="Play the queue").click()
        tab.select_option("dialog select", playlist)
        tab.select_option("dialog select[name=jingles]", playlist)
        tab.fill("dialog input[name=every_tracks]", "")
        tab.click("dialog button[type=submit]")
        tab.locator("dialog .error", has_text="after how many").wait_for()
        tab.fill("dialog input[name=every_tracks]", "1")
        check(not faults(tab), f"axe finds {faults(tab)}")
        tab.click("dialog button[type=submit]")
        guest.locator("room-stage h1", has_text="Harbour").wait_for()
        guest.click("room-stage .big-play")
        guest.until("player.hasSound && player.state === 'live'", "the guest hears it")
        guest.locator(".stage-host", has_text="Plays by itself").wait_for()
        tab.get_by_role("button", name="Pause for everybody").click()
        guest.until("player.room.state.state === 2", "paused for everybody")
        tab.get_by_role("button", name="Play for everybody").click()
        guest.until("player.room.state.state === 1", "it goes on for everybody")
        tab.locator("room-queue [data-act=next]").click()
        guest.locator("room-stage", has_text="Jingle").wait_for()
        tab.locator("room-queue [data-act=next]").click()
        guest.until("['Tram', 'Waltz'].includes(document.querySelector('room-stage h1').textContent)", "a track of the playlist")
        for one in (tab, guest):
            check(not one.complaints, f"a page complains: {one.complaints[:3]}")
