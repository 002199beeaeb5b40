"""What the queue does not take, or what stands there without a file, stops nothing: the rest of the list plays on."""
from page_checks.admin import operator
from support import Page, check, chromium, eventually
from .desk import Desk, wav


def waiting(server, room, token):
    return [entry["track"]["title"] for entry in server.call("queue.get", {"room": room}, token)["entries"]]


def run(playwright, server, folder):
    files = [wav(folder / f"{name}.wav", 440, 40 if name == "dreadful" else 60) for name in ("dreadful", "one", "two")]
    admin = server.person()
    operator(server, "user", "set-role", "@" + admin["user"]["username"], "admin")
    server.call("words.add", {"word": "dreadful", "action": "refuse"}, admin["access_token"])
    with chromium(playwright) as browser:
        desk = Desk(browser, server)
        token = desk.person["access_token"]
        room = desk.room(server, lead_ms=600)
        desk.open(room)
        desk.add(*files)
        desk.go()
        # The first song has a word that is not allowed: it sounds, and the others wait in the queue.
        eventually(lambda: waiting(server, room, token) == ["one", "two"], "the other files are in the queue")
        desk.locator(".toast", has_text="does not allow").wait_for()
        check("dreadful" in desk.locator(".toast", has_text="does not allow").inner_text(), "the message does not name the file")
        check(desk.evaluate("host.playlist.songs.map(song => Boolean(song.failure))") == [True, False, False], "another file is marked")
        desk.locator(".host-song .host-failure", has_text="does not allow").wait_for()
        # A change of the queue does not cut off a song that is not in it.
        server.call("queue.add", {"room": room, "tracks": [{"track": {"title": "Elsewhere"}}]}, token)
        eventually(lambda: waiting(server, room, token) == ["one", "two", "Elsewhere"], "another track waits")
        desk.wait_for_timeout(1500)
        check(desk.evaluate("host.song.title") == "dreadful", "the song was cut off")
        check(desk.locator(".toast").count() == 1, f"too many messages: {desk.locator('.toast').all_inner_texts()}")
        # At the end of it the queue goes on.
        desk.evaluate("host.seek(38e6)")
        desk.until("host.song?.title === 'one' && host.state === 'live'", "the queue goes on after it")
        # The key for the next song leaves the last song alone.
        for _ in range(2):
            server.call("queue.remove", {"room": room, "id": server.call("queue.get", {"room": room}, token)["entries"][-1]["id"]}, token)
        desk.until("!host.hasNext", "it is the last song")
        desk.evaluate("document.activeElement.blur()")
        desk.keyboard.press("n")
        desk.wait_for_timeout(700)
        check(desk.evaluate("[host.state, host.song.title]") == ["live", "one"], "the key ends the music")
        # Who loses the seat takes their waiting files along.
        desk.add(files[2])
        eventually(lambda: waiting(server, room, token) == ["two"], "a file waits")
        other = Desk(browser, server)
        other.open()
        other.add(files[1])
        uid = other.person["user"]["uid"]
        inside = Page(other.page.context, f"{server.url}/r/{room}").store()
        inside.until("session.status === 'online' && player.room?.you", "the other is in the room")
        desk.evaluate(f"host.offer('{uid}')")
        other.evaluate(f"host.start('{room}')")
        other.until("host.state === 'live'", "the other has the seat")
        desk.until("host.state === 'ended' && host.reason === 'handed_over'", "the seat is lost")
        eventually(lambda: waiting(server, room, token) == [], "the files of the one before are taken out")
        server.call("words.remove", {"word": "dreadful"}, admin["access_token"])
        for page in (desk, other):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
