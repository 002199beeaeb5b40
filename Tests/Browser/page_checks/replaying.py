"""An evening that a room keeps: those inside are told, and whoever comes later hears it at its second and reads what was said when it was said."""
import json

from axe_playwright_python.sync_playwright import Axe

from sound_checks import tones
from sound_checks.alone import RECORD
from support import Page, Server, check, chromium, eventually
from .belonging import sign_in
from .playing import RULES

OWN_SERVER = True
LOW, HIGH, SECONDS = 300.0, 500.0, 9
#: How far from its moment something may be heard, ms.
NEAR = 450
STORES = """async () => {
    const root = document.querySelector('script[type=module]').src, get = async path => import(new URL(path, root));
    window.solo = (await get('store/solo.js')).solo;
    const id = location.pathname.split('/').at(-1);
    window.replay = (await get('store/replay.js')).replayPlayer(id);
}"""
SAID = "[...document.querySelectorAll('.replay-message p:last-child')].map(({textContent}) => textContent).join()"


def accessible(tab, what):
    tab.page.wait_for_timeout(400)
    found = [(fault["id"], fault["nodes"][0]["target"]) for fault in Axe().run(tab.page, options=RULES).response["violations"]]
    check(not found, f"{what}: axe finds {found}")


def evening(browser, own, ada, room, tracks):
    """Two tracks, the second with a pause, and what a guest writes. Returns the replay, its passages and messages."""
    tab = sign_in(browser, own, "ada@example.org", "/people")
    tab.goto(f"{own.url}/r/{room}")
    guest = Page(browser.new_context(), f"{own.url}/r/{room}").store()
    guest.until("player.room?.isJoined", "the guest is in the room")
    check(guest.evaluate("!document.querySelector('room-chat [role=status]')?.checkVisibility()"), "it says that replays are kept")
    tab.get_by_role("button", name="Room settings").click()
    tab.locator("dialog label", has_text="Replays are kept").click()
    accessible(tab, "the settings of the room")
    tab.click("dialog form button[type=submit]")
    guest.locator("room-chat p", has_text="This room keeps replays").wait_for()
    guest.locator("room-stage .badge", has_text="Replays are kept").wait_for()
    own.call("chat.send", {"room": room, "text": "Before the music"}, ada)
    own.call("queue.add", {"room": room, "tracks": [{"track": {"title": "x"}, "source": tracks[title]} for title in ("Harbour", "Tram")]}, ada)
    own.call("autoplay.set", {"room": room, "on": True}, ada)
    heard = lambda title: guest.until(f"player.room.track?.title === '{title}' && player.room.state?.state === 1", f"{title} is heard", 20)  # noqa: E731
    heard("Harbour")
    guest.page.wait_for_timeout(2000)
    guest.fill("room-chat textarea", "Two seconds in")
    guest.keyboard.press("Enter")
    guest.locator(".reaction", has_text="👏").or_(guest.locator(".reaction")).first.click()
    heard("Tram")
    guest.page.wait_for_timeout(2000)
    tab.get_by_role("button", name="Pause for everybody").click()
    guest.until("player.room.state.state === 2", "paused for everybody")
    own.call("chat.send", {"room": room, "text": "In the pause"}, ada)
    guest.page.wait_for_timeout(1500)
    tab.get_by_role("button", name="Play for everybody").click()
    guest.until("player.room.state.state === 0", "it is over", 20)
    eventually(lambda: not own.call("replay.passages", {"replay": own.call("replay.list", {"room": room}, ada)["replays"][0]["id"]}, ada)["passages"][-1]["sounds"], "all of it is kept")
    (replay,) = own.call("replay.list", {"room": room}, ada)["replays"]
    passages = own.call("replay.passages", {"replay": replay["id"]}, ada)["passages"]
    messages = own.call("replay.moments", {"replay": replay["id"]}, ada)["messages"]
    check([one["text"] for one in messages] == ["Two seconds in", "In the pause"], f"{messages}")
    check([one["sounds"] for one in passages] == [True, True, False, True, False], f"{passages}")
    check(not guest.complaints, f"the guest's page complains: {guest.complaints[:3]}")
    guest.page.close()
    return tab, replay, [one["at_ms"] for one in passages], [one["at_ms"] - replay["start_ms"] for one in messages]


def changes(sound):
    """When the sound becomes another: (ms, pitch or 0), by parts of 50 ms."""
    found = []
    for at in range(0, len(sound) - 2400, 1200):
        piece = sound[at:at + 2400]
        pitch = 0 if tones.level(piece) < 0.02 else min((LOW, HIGH), key=lambda one: abs(one - tones.pitch(piece)))
        if not found or found[-1][1] != pitch:
            found.append((at / 48, pitch))
    # What lasts less than a tenth of a second is where one becomes the other.
    kept = [one for one, after in zip(found, [*found[1:], (1e9, None)]) if after[0] - one[0] > 100]
    return [one for one, before in zip(kept, [None, *kept]) if before is None or before[1] != one[1]]


def heard_again(tab, moments, said):
    """From its beginning to its end: each sound at its moment, and each message."""
    _, tram, pause, again, end = moments
    check(tab.evaluate(SAID) == "", "something is said before it was")
    tab.evaluate("() => { window.states = []; solo.addEventListener('change', () => { if (states.at(-1)?.[1] !== solo.state) states.push([performance.now(), solo.state]); }); }")
    tab.click(".replay-page .big-play")
    tab.until("solo.state === 'playing' && solo.output", "it plays")
    tab.evaluate(RECORD)
    place = tab.evaluate("[replay.time, solo.position, solo.track.title]")
    check(place[2] == "Harbour" and abs(place[0] - place[1]) < 300, f"{place}")
    for text, moment in zip(("Two seconds in", "In the pause"), said):
        tab.until(f"{SAID}.endsWith({json.dumps(text)})", f"{text} is shown", 25)
        at = tab.evaluate("replay.time")
        check(-50 < at - moment < NEAR + 250, f"{text} at {at:.0f} ms, and it was said at {moment}")
        if text == "Two seconds in":
            tab.until("document.querySelector('.replay-reactions').textContent !== ''", "a reaction is shown")
    tab.until("document.querySelector('.replay-now').textContent.includes('Silence')", "the pause is silent", 5)
    tab.until(f"replay.time > {end - 300} && solo.state !== 'playing'", "the end", 25)
    found = tab.evaluate("recorded()")
    # Nothing is recorded while nothing sounds: the pause is seen by what listening alone does.
    sounds = [one for one in changes(tones.samples(found["samples"])) if one[1]]
    sounds = [one for one, before in zip(sounds, [(0, None), *sounds]) if one[1] != before[1]]
    check([pitch for _, pitch in sounds] == [LOW, HIGH], f"heard was {sounds}")
    check(abs(sounds[1][0] - sounds[0][0] - tram) < NEAR, f"the second track came after {sounds[1][0] - sounds[0][0]:.0f} ms, and it was {tram}")
    states = tab.evaluate("states")
    begun, paused, on = (next((at for at, state in states[first:] if state == wanted), None) for first, wanted in ((0, "playing"), (0, "paused"), (
        next(index for index, one in enumerate(states) if one[1] == "paused"), "playing")))
    check(on is not None, f"it did not go on: {states}")
    check(abs(paused - begun - pause) < NEAR, f"the pause came after {paused - begun:.0f} ms, and it was {pause}")
    check(abs(on - paused - (again - pause)) < NEAR, f"the pause lasted {on - paused:.0f} ms, and it was {again - pause}")


def moved(tab, moments):
    """By the list, the keyboard, and the bar of listening alone."""
    tab.locator(".replay-jump", has_text="Tram").click()
    tab.until("solo.state === 'playing' && solo.track.title === 'Tram'", "the second track is played")
    tab.until(f"replay.time >= {moments[1]} && replay.time < {moments[1] + 2500}", "at its moment")
    check(tab.evaluate("document.querySelector('.replay-jump[aria-current=true]').textContent.includes('Tram')"), "the list does not show what plays")
    tab.focus(".replay-bar input")
    tab.keyboard.press("Home")
    tab.until("solo.track.title === 'Harbour' && solo.state === 'playing' && replay.time < 2000", "Home is the beginning")
    tab.keyboard.press("ArrowRight")
    tab.until("solo.track.title === 'Tram' && solo.state === 'playing'", "an arrow is ten seconds")
    check("of 0:" in tab.evaluate("document.querySelector('.replay-bar input').getAttribute('aria-valuetext')"), "the slider does not say where it is")
    tab.click(".replay-page .big-play")
    tab.until("solo.state === 'paused' && !replay.playing", "it is paused")
    before = tab.evaluate("replay.time")
    tab.page.wait_for_timeout(600)
    check(tab.evaluate("replay.time") == before, "it goes on while it is paused")
    check(tab.evaluate(SAID).startswith("Two seconds in"), "what was said before is not there")


def run(playwright, server, folder):
    (folder / "music").mkdir()
    for title, pitch in (("Harbour", LOW), ("Tram", HIGH)):
        tones.tone(folder / "music" / f"{title}.opus", pitch, seconds=SECONDS, title=title, artist="Band")
    with Server(server.programs, "--music", f"Test={folder / 'music'}") as own, chromium(playwright) as browser:
        ada = own.person("ada")["access_token"]
        found = eventually(lambda: (lambda some: some if len(some) == 2 else None)(own.call("library.list", {}, ada)["tracks"]), "the music")
        room = own.call("room.create", {"title": "Night shift", "visibility": "public"}, ada)["room"]["id"]
        tab, replay, moments, said = evening(browser, own, ada, room, {track["title"]: track["id"] for track in found})

        # The room, silent by now, lists it.
        tab.click("[data-tab=history]")
        link = tab.locator("room-history .replays a")
        link.wait_for()
        link.click()
        tab.until(f"location.pathname === '/replay/{replay['id']}' && document.querySelector('.replay-page')", "its page")
        tab.evaluate(STORES)
        tab.evaluate("solo.setRepeat('all')")
        accessible(tab, "the page of a replay")
        heard_again(tab, moments, said)
        moved(tab, moments)
        accessible(tab, "the page of a replay in its middle")

        # Somebody who may not hear the tracks, on a narrow screen and in other languages.
        for language, words in (("en-US", "preview of this track"), ("pl-PL", "fragmentu tego utworu"), ("es-ES", "adelanto de esta pista")):
            other = Page(browser.new_context(viewport={"width": 360, "height": 740}, locale=language), f"{own.url}/replay/{replay['id']}")
            other.locator(".replay-now", has_text=words).wait_for()
            other.click(".replay-page .big-play")
            other.until(f"{SAID}.endsWith('Two seconds in')", "what was said is there without the sound", 15)
            check(other.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{language}: it scrolls sideways")
            texts = other.evaluate("document.querySelector('main').textContent")
            check("replay." not in texts and "replays." not in texts, f"{language}: words are missing: {texts[:300]}")
            accessible(other, f"the page in {language}")
            check(not other.complaints, f"a page complains: {other.complaints[:3]}")
            other.page.context.close()

        # Its owner removes it.
        tab.get_by_role("button", name="Remove the replay").click()
        tab.locator("dialog .dialog-actions button", has_text="Remove").click()
        tab.until(f"location.pathname === '/r/{room}'", "back in the room")
        check(own.call("replay.list", {"room": room}, ada)["replays"] == [], "it is still there")
        gone = Page(browser.new_context(), f"{own.url}/replay/{replay['id']}")
        gone.locator("h1", has_text="not there").wait_for()
        check(not tab.complaints, f"a page complains: {tab.complaints[:3]}")
