"""The host's list is the room's queue: files stand in it, suggestions and votes too, and what it says is what sounds."""
from sound_checks import tones
from support import Host, Page, check, chromium, eventually
from .desk import Desk, hear, listener, wav

PITCHES = {"one": 440.0, "two": 523.25, "three": 659.26, "brought": 880.0}


def titles(desk):
    return desk.locator("host-list > ol .entry-title").all_inner_texts()


def sounds(tab, name, title=None):
    """A listener hears a file, and reads what it is called."""
    tab.until(f"player.room.track?.title === '{title or name}'", f"listeners read {title or name}")
    tab.until("player.state === 'live' && player.position > 1e6", f"{name} is heard")
    heard = tones.pitch(hear(tab, 1))
    check(abs(heard - PITCHES[name]) < 1, f"{name} sounds at {heard:.1f} Hz instead of {PITCHES[name]}")


def run(playwright, server, folder):
    files = {name: wav(folder / f"{name}.wav", pitch, 6 if name == "two" else 60) for name, pitch in PITCHES.items()}
    with chromium(playwright) as browser:
        desk = Desk(browser, server)
        token = desk.person["access_token"]
        room = desk.room(server, lead_ms=600)

        def ask(method, data=None, by=token):
            return server.call(method, {"room": room} | (data or {}), by)

        def queue():
            return ask("queue.get")
        # A file of a tab that is gone, which nobody can play.
        ask("queue.add", {"tracks": [{"track": {"title": "Lost"}, "source": "local-gone"}]})
        desk.open(room)
        desk.add(files["one"])
        desk.add(files["two"])
        desk.go()
        desk.until("host.followsQueue", "the host follows the queue")
        tab = listener(browser, server, room)
        sounds(tab, "one")
        now = queue()
        check(now["now"]["entry"]["track"]["title"] == "one" and now["now"]["started_ms"], f"the queue does not know what plays: {now['now']}")
        check(now["now"]["entry"]["source"].startswith("local-"), f"its source is {now['now']['entry']['source']}")
        check([entry["track"]["title"] for entry in now["entries"]] == ["two"], f"what waits: {now['entries']}")
        # A listener suggests, in their own page; the host approves in the list.
        ask("queue.set_rules", {"rules": {"suggesters": "everybody", "dwell_s": 0, "cooldown_s": 0, "skip_percent": 100}})
        tab.click("[data-tab=queue]")
        tab.locator("room-queue .entry-title", has_text="two").wait_for()

        def suggest(title, artist):
            tab.evaluate("document.querySelector('room-queue details').open = true")
            tab.fill("room-queue [name=title]", title)
            tab.fill("room-queue [name=artist]", artist)
            tab.click("room-queue button[type=submit]")
            tab.until("document.querySelector('room-queue [name=title]').value === ''", f"{title} is suggested")
        suggest("Brought", "Ada")
        suggest("Unknown", "Nobody")
        desk.until("document.querySelectorAll('.host-pending .host-song').length === 2", "suggestions are in the host's list")
        check("from Guest" in desk.locator(".host-pending .host-song").first.inner_text(), "it does not say who suggests it")
        desk.get_by_role("button", name="Approve Ada – Brought").or_(desk.get_by_role("button", name="Approve Brought")).click()
        desk.until("document.querySelectorAll('host-list > ol .host-song').length === 3", "what was approved waits")
        desk.locator(".host-pending [data-does=decline]").click()
        desk.until("document.querySelector('.host-pending').hidden", "what was declined is gone")
        check(titles(desk) == ["one", "two", "Brought"], f"the list is {titles(desk)}")
        suggest("Unknown", "Nobody")
        desk.locator(".host-pending [data-does=approve]").click()
        desk.until("document.querySelectorAll('host-list > ol .host-song').length === 4", "the other waits too")
        # A listener votes; the host reads it, and lets votes decide the order.
        tab.locator("room-queue .entry", has_text="Unknown").locator(".vote").first.click()
        desk.locator("host-list > ol .host-song", has_text="Unknown").locator(".host-votes", has_text="1 vote for").wait_for()
        desk.click(".host-rules summary")
        desk.click(".host-rules label:has-text('Votes decide')")
        eventually(lambda: queue()["rules"]["ordering"] == "votes", "votes decide the order")
        eventually(lambda: desk.wait_for_timeout(50) or titles(desk).index("Unknown") < titles(desk).index("Brought"), "the list is in the order of the votes")
        check(desk.locator("host-list > ol [data-does=up]").count() == 0, "one may move what votes order")
        desk.click(".host-rules label:has-text('Votes decide')")
        eventually(lambda: queue()["rules"]["ordering"] == "manual", "the order is the host's again")
        # The host moves what waits: everybody sees it.
        desk.locator("host-list > ol .host-song", has_text="Unknown").locator("[data-does=up]").click()
        eventually(lambda: [entry["track"]["title"] for entry in queue()["entries"]] == ["two", "Unknown", "Brought"], "the queue has the host's order")
        tab.until("[...document.querySelectorAll('room-queue .entry-title')].map(row => row.textContent).filter(Boolean).join().includes('two,Nobody – Unknown,Ada – Brought')",
                  "listeners see the order")
        # A file for a suggestion that has none.
        brought = desk.locator("host-list > ol .host-song", has_text="Brought")
        check("You have no file for this" in brought.inner_text(), "the list does not say that a file is missing")
        with desk.page.expect_file_chooser() as chooser:
            brought.locator("[data-does=bring]").click()
        chooser.value.set_files(str(files["three"]))
        # It was the wrong one: another takes its place.
        brought.locator("[data-does=replace]").wait_for()
        count = desk.evaluate("host.playlist.songs.length")
        with desk.page.expect_file_chooser() as chooser:
            brought.locator("[data-does=replace]").click()
        chooser.value.set_files(str(files["brought"]))
        desk.until("host.playlist.songs.at(-1).name === 'brought.wav'", "the other file is there")
        check(desk.evaluate("host.playlist.songs.length") == count, "the wrong file stays")
        desk.until("![...document.querySelectorAll('host-list > ol .host-song')].find(row => row.textContent.includes('Brought')).querySelector('[data-does=bring]')",
                   "the file is there")
        # Next, by another program of the owner's; at the end of the short file what has no file is passed over.
        ask("queue.next", {"id": queue()["now"]["entry"]["id"]})
        sounds(tab, "two")
        desk.until("trouble.length > 0", "what has no file is passed over, and said to be")
        check("passed over" in desk.locator(".toast").last.inner_text(), desk.locator(".toast").last.inner_text())
        sounds(tab, "brought")
        check(queue()["now"]["entry"]["track"]["title"] == "Brought" and queue()["waiting"] == 0, f"the queue: {queue()}")
        check(tab.locator("room-queue .queue-now .entry-title").inner_text() == "Ada – Brought", "listeners do not see what plays from the queue")
        check(not tab.locator("room-queue > .notice").is_visible(), "listeners read that the queue is not played")
        # Both listeners want another: the queue is over, and the room waits.
        desk.evaluate("trouble.splice(0)")
        tab.click("room-queue [data-act=skip]")
        desk.wait_for_timeout(300)
        other = listener(browser, server, room)
        other.click("[data-tab=queue]")
        other.click("room-queue [data-act=skip]")
        desk.until("host.state === 'waiting'", "the listeners' votes skip it")
        # What is added goes into the queue, and sounds at once.
        desk.add(files["three"])
        sounds(tab, "three")
        check(titles(desk) == ["three"], f"the list is {titles(desk)}")
        # Back to what was over last.
        desk.click("host-stage [aria-label='Previous']")
        sounds(tab, "brought")
        check(titles(desk) == ["Brought", "three"], f"the list is {titles(desk)}")
        # Played at once, and taken out; and at the end no file of this tab waits for nobody.
        desk.locator("host-list > ol .host-song", has_text="three").locator("[data-does=play]").click()
        sounds(tab, "three")
        desk.add(files["one"])
        eventually(lambda: queue()["waiting"] == 1, "it waits")
        count = desk.evaluate("host.playlist.songs.length")
        desk.locator("host-list > ol .host-song", has_text="one").locator("[data-does=remove]").click()
        eventually(lambda: queue()["waiting"] == 0, "it was taken out")
        desk.until(f"host.playlist.songs.length === {count - 1}", "its file is no longer in the list")
        desk.add(files["one"])
        eventually(lambda: queue()["waiting"] == 1, "it waits")
        # More than the queue takes: the rest follows as there is room.
        ask("queue.set_rules", {"rules": {"entries_max": 3}})
        desk.add(files["two"])
        desk.add(files["brought"])
        desk.locator("host-list", has_text="1 more file follows").wait_for()
        desk.locator("host-list > ol .host-song", has_text="one").locator("[data-does=remove]").click()
        eventually(lambda: [entry["track"]["title"] for entry in queue()["entries"]] == ["two", "brought"], "the rest follows")
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        check(queue()["waiting"] == 0, f"it still waits: {queue()['entries']}")
        # A host that plays a list of its own says so, and listeners read it.
        with Host(server, "--loop", tones.tone(folder / "own.opus", 440, seconds=5)) as alone:
            alone.call("queue.add", {"tracks": [{"track": {"title": "Never"}}]})
            alone.call("queue.next")
            stranger = Page(browser.new_context(), f"{server.url}/r/{alone.room}")
            stranger.click("[data-tab=queue]")
            stranger.locator("room-queue > .notice", has_text="play from the queue").wait_for()
            check(not stranger.locator("room-queue .queue-now").is_visible(), "what nobody plays is said to play")
        for page in (desk, tab, other, stranger):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return ["files, suggestions, votes, order, skipping and going back: one list for host and listeners"]
