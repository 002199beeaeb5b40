"""A host who agrees is recorded: those in the room see it, and whoever comes later hears it in the replay, at its moments."""
from axe_playwright_python.sync_playwright import Axe

from page_checks.playing import RULES
from support import Host, Page, check, chromium, eventually
from . import tones

SECONDS = 12
#: The elements that the page makes to play something.
COUNT = "window.made = []; window.Audio = class extends Audio { constructor() { super(); made.push(this); } };"
STORE = """async () => {
    const root = document.querySelector('script[type=module]').src;
    window.replay = (await import(new URL('store/replay.js', root))).replayPlayer(location.pathname.split('/').at(-1));
}"""


def run(playwright, server, folder):
    ada = server.person()["access_token"]
    room = server.call("room.create", {"title": "Live", "visibility": "public"}, ada)["room"]["id"]
    server.call("room.update", {"room": room, "replays": True}, ada)
    tone = tones.tone(folder / "recorded.opus", 440.0, seconds=SECONDS)
    with chromium(playwright) as browser:
        context = browser.new_context()
        guest = Page(context, f"{server.url}/r/{room}").store()
        guest.locator("room-stage .badge", has_text="Replays are kept").wait_for()
        with Host(server, "--room", room, "--record", tone, token=ada) as host:
            guest.locator("room-stage .badge", has_text="the host is recorded").wait_for()
            host.process.wait(SECONDS + 20)
        guest.until("player.room.room.recorded !== true", "it is not recorded any more")
        (replay,) = server.call("replay.list", {"room": room}, ada)["replays"]
        kept = lambda: server.call("replay.recordings", {"replay": replay["id"]}, ada)["recordings"]  # noqa: E731
        (one,) = eventually(kept, "the recording is there")
        eventually(lambda: kept()[0]["length_ms"] > SECONDS * 1000 - 100, "all of it")
        guest.page.close()

        context.add_init_script(COUNT)
        later = Page(context, f"{server.url}/replay/{replay['id']}")
        later.locator(".replay-now", has_text="Recorded as it was played").wait_for()
        later.evaluate(STORE)
        faults = Axe().run(later.page, options=RULES).response["violations"]
        check(not faults, f"axe finds {[fault['id'] for fault in faults]}")
        later.click(".replay-page .big-play")
        later.until("made.length === 1 && !made[0].paused && made[0].currentTime > 1", "it sounds")
        apart = later.evaluate(f"replay.time - {one['at_ms']} - made[0].currentTime * 1000")
        check(abs(apart) < 400, f"the replay is {apart:.0f} ms from what sounds")
        later.evaluate("replay.seek(7000)")
        later.until("!made[0].paused && made[0].currentTime > 7.3", "it sounds from there")
        place = later.evaluate("[replay.time / 1000, made[0].currentTime]")
        check(abs(place[0] - place[1]) < 0.4 + abs(one["at_ms"]) / 1000, f"{place}")
        later.click(".replay-page .big-play")
        later.until("made[0].paused && !replay.playing", "it is paused")
        later.click(".replay-page .big-play")
        later.until("!made[0].paused", "it goes on")
        later.until(f"replay.time > {one['at_ms'] + one['length_ms']} && made[0].paused", "its end", SECONDS)
        check(not later.complaints, f"the page complains: {later.complaints[:3]}")
