"""A schedule: times are added, changed and removed; others count down, see what comes, and hear the playlist when it is time."""
import datetime, json, urllib.request

from axe_playwright_python.sync_playwright import Axe

from sound_checks import tones
from support import Page, Server, check, chromium, eventually
from .belonging import sign_in
from .playing import RULES

OWN_SERVER = True


def faults(tab):
    return [fault["id"] for fault in Axe().run(tab.page, options=RULES).response["violations"]]


def accessible(tab):
    """A dialog is not what it will be while it fades in."""
    tab.page.wait_for_timeout(400)
    found = faults(tab)
    check(not found, f"axe finds {found}")


def run(playwright, server, folder):
    (folder / "music").mkdir()
    tones.tone(folder / "music" / "Harbour.opus", 330.0, seconds=60, title="Harbour", artist="Band")
    with Server(server.programs, "--music", f"Test={folder / 'music'}", "--guests-hear", "full") as own, chromium(playwright) as browser:
        ada = own.person("ada")["access_token"]
        track = eventually(lambda: own.call("library.list", {}, ada)["tracks"], "the music")[0]
        own.person("bob")
        room = own.call("room.create", {"title": "Night shift", "visibility": "public"}, ada)["room"]["id"]
        playlist = own.call("playlist.create", {"title": "For the night"}, ada)["playlist"]["id"]
        own.call("playlist.add", {"playlist": playlist, "tracks": [track["id"]]}, ada)
        slots = lambda: own.call("schedule.get", {"room": room}, ada)["slots"]
        guest = Page(browser.new_context(), f"{own.url}/r/{room}").store()
        tab = sign_in(browser, own, "ada@example.org", "/people")
        tab.goto(f"{own.url}/r/{room}")
        tab.click("[data-tab=queue]")
        tab.click("room-queue [data-act=schedule]")
        tab.locator("dialog .slots .empty").wait_for()
        accessible(tab)

        # A time every week, from tomorrow on.
        tomorrow = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=20)
        tab.click("dialog [data-act=add]")
        form = "dialog:last-of-type form "
        tab.fill(form + "[name=title]", "Late")
        tab.fill(form + "[name=start]", tomorrow.strftime("%Y-%m-%d"))
        tab.fill(form + "[name=time]", tomorrow.strftime("%H:%M"))
        tab.fill(form + "[name=duration_s]", "90")
        tab.locator(form + ".pick", has_text="Every week").click()
        tab.fill(form + "[name=zone]", "Mars/Olympus")
        tab.select_option(form + "select", playlist)
        accessible(tab)
        tab.click(form + "button[type=submit]")
        tab.locator(form + ".error", has_text="time zone").wait_for()
        tab.fill(form + "[name=zone]", "UTC")
        tab.click(form + "button[type=submit]")
        tab.locator(".slots .slot-title", has_text="Late").wait_for()
        found = slots()
        check(len(found) == 1 and found[0]["repeat"] == {"every": "week", "weekdays": [tomorrow.isoweekday()]}
              and found[0]["duration_s"] == 5400 and found[0]["zone"] == "UTC" and found[0]["playlist"] == playlist, f"stored is {found}")
        accessible(tab)

        # Others count down, and find it among what comes.
        guest.locator(".stage-opening", has_text="Opens in").wait_for()
        first = guest.locator(".stage-opening .tabular").inner_text()
        guest.until(f"document.querySelector('.stage-opening .tabular').textContent !== {json.dumps(first)}", "it counts")
        guest.click(".stage-opening [data-act=schedule]")
        guest.locator(".slots .slot-title", has_text="Late").wait_for()
        check(guest.locator("dialog [data-act=add], dialog [data-act=edit]").count() == 0, "a guest changes nothing")
        address = guest.locator("dialog a[download]").get_attribute("href")
        with urllib.request.urlopen(own.url + address) as answer:
            check(b"RRULE:FREQ=WEEKLY" in answer.read(), "the calendar")
        guest.keyboard.press("Escape")
        other = Page(browser.new_context(), own.url).store()
        other.locator(f"coming-up .coming-card[data-room='{room}'] a", has_text="Late").wait_for()
        accessible(other)

        # It is time: the room plays, and the guest hears it.
        tab.click(".slots [data-act=edit]")
        now = datetime.datetime.now(datetime.timezone.utc)
        tab.fill(form + "[name=start]", now.strftime("%Y-%m-%d"))
        tab.fill(form + "[name=time]", now.strftime("%H:%M"))
        tab.locator(form + ".pick", has_text="Once").click()
        tab.fill(form + "[name=dj]", "@bob")
        tab.click(form + "button[type=submit]")
        tab.locator(".slots .badge[data-dj=asked]", has_text="@bob").wait_for()
        tab.locator(".slots .badge", has_text="Open now").wait_for()
        guest.locator("room-stage h1", has_text="Harbour").wait_for()
        guest.click("room-stage .big-play")
        guest.until("player.hasSound && player.state === 'live'", "the guest hears it")
        guest.until("document.querySelector('.stage-opening')?.checkVisibility() !== true", "the countdown has gone")

        # Whoever is named as its DJ accepts, and may go live in the room.
        dj = sign_in(browser, own, "bob@example.org", "/people")
        dj.goto(f"{own.url}/rooms")
        dj.click(".room-duties [data-act^=accept]")
        dj.locator(".room-duties [data-state=accepted]").wait_for()
        accessible(dj)
        check(slots()[0]["dj"]["state"] == "accepted", f"the slot: {slots()}")
        dj.goto(f"{own.url}/r/{room}")
        dj.locator("room-page a[href*='/host?room=']").wait_for()
        tab.click(".slots [data-act=remove]")
        tab.locator("dialog:last-of-type .dialog-actions button", has_text="Remove").click()
        tab.locator("dialog .slots .empty").wait_for()
        check(slots() == [], f"left is {slots()}")
        guest.until("player.room.room.host_state === 'none'", "the room is left to people")
        for one in (tab, guest, other):
            check(not one.complaints, f"a page complains: {one.complaints[:3]}")
