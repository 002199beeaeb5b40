"""From listening alone to a room in one press: the track goes on at its place, what follows follows, nothing is uploaded; its moment is a link."""
import subprocess

from page_checks.belonging import sign_in
from sound_checks import tones
from support import Server, check, chromium, eventually
from .desk import Desk, hear, listener

OWN_SERVER = True
FIRST, SECOND = 523.25, 880.0
SOLO = """async () => {
    const root = document.querySelector('script[type=module]').src;
    window.solo = (await import(new URL('store/solo.js', root))).solo;
    window.session = (await import(new URL('store/session.js', root))).session;
}"""


def liked(browser, server, room):
    """A listener with an account likes what the room plays: the host has said which track of the library it is."""
    token = server.person("lena")["access_token"]
    tab = sign_in(browser, server, "lena@example.org", f"/r/{room}")
    tab.locator("room-stage .stage-heart").get_by_role("button", name="Like Alpha").click()
    eventually(lambda: [one["track"]["title"] for one in server.call("like.list", {}, token)["likes"]] == ["Alpha"], "it is among the likes")
    tab.context.close()


def moment(browser, server, room):
    """What the room plays is shared with its sentence, as a link that opens the track at that second."""
    server.person("mila")
    friend = server.person("nils")["access_token"]
    server.call("people.follow", {"user": "@mila"}, friend)
    tab = sign_in(browser, server, "mila@example.org", f"/r/{room}")
    tab.get_by_role("button", name="Share").first.click()
    # The one before is on its way out while the next opens.
    dialog = tab.locator("dialog[open]").last
    dialog.locator(".share-sentence", has_text="I’m currently listening to “Alpha” by Tone").wait_for()
    dialog.get_by_role("button", name="This moment of the track").click()
    switch = dialog.get_by_role("switch", name="From ")
    switch.wait_for()
    check("I’m currently listening to “Alpha” by Tone" in dialog.inner_text(), "the sentence is lost")
    link = dialog.locator("input[readonly]")
    path, second = link.input_value().removeprefix(server.url).split("?t=")
    check(path.startswith("/track/") and 12 <= int(second) < 180, f"the link is {link.input_value()}")
    switch.click()
    check(link.input_value() == server.url + path, "without the moment the link is not that of the track")
    switch.click()
    check(link.input_value() == f"{server.url}{path}?t={second}", "the moment is lost")
    dialog.get_by_role("button", name="Send to nils").click()
    dialog.get_by_role("button", name="Send to nils", disabled=True).wait_for()
    told = server.call("notifications.list", {}, friend)["notifications"][0]
    check((told["title"], told["at_s"]) == ("Alpha", int(second)), f"they are told {told}")
    tab.goto(f"{server.url}{path}?t={second}")
    clock = f"{int(second) // 60}:{int(second) % 60:02}"
    tab.until(f"document.querySelector('track-page .hero-line .badge')?.textContent === 'From {clock}'", "the page says where it begins")
    tab.evaluate(SOLO)
    tab.click(".hero-play")
    tab.until(f"solo.state === 'playing' && solo.position >= {second}000 && solo.position < {second}000 + 8000", "it begins there")
    # Once begun it is a track as any other: paused, it goes on where it was.
    tab.evaluate("solo.seek(2000)")
    tab.click(".hero-play")
    tab.until("solo.state === 'paused'", "paused")
    tab.click(".hero-play")
    tab.until("solo.state === 'playing' && solo.position >= 2000 && solo.position < 9000", "it goes on")
    # A second that is none, or is past the end, is the beginning.
    for query in ("?t=180", "?t=-3", "?t=1.5", "?t=x", "?t=", ""):
        tab.goto(f"{server.url}{path}{query}")
        tab.until("document.querySelector('track-page h1')?.textContent === 'Alpha'", "the track")
        check(tab.locator("track-page .hero-line .badge").count() == 0, f"{query} is taken for a moment")
    tab.context.close()


def run(playwright, server, folder):
    music = folder / "music"
    music.mkdir()
    for title, pitch in (("Alpha", FIRST), ("Beta", SECOND)):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"sine=frequency={pitch}:duration=180", "-metadata", f"title={title}",
                        "-metadata", "artist=Tone", music / f"{title}.flac"], check=True, stdin=subprocess.DEVNULL)
    with Server(server.programs, "--music", f"Test={music}") as own, chromium(playwright) as browser:
        desk = Desk(browser, own)
        desk.goto(f"{own.url}/settings")
        desk.evaluate(SOLO)
        desk.until("session.status === 'online'", "a connection")
        eventually(lambda: desk.evaluate("async () => (window.tracks = (await session.request('library.list')).tracks).length === 2"), "two tracks", 60)
        desk.evaluate("() => { solo.play(tracks, {from: 12_000}); }")
        desk.until("solo.state === 'playing'", "it plays alone")
        desk.click("player-bar .bar-cover")
        desk.click("playing-page a[href='/host?from=solo']")
        desk.here()
        desk.until("host.playlist.songs.map(({title}) => title).join() === 'Alpha,Beta'", "both tracks are in the list")
        desk.fill("input[name=title]", "Together")
        place = desk.evaluate("solo.position")
        room = desk.go()
        desk.until("solo.state === 'paused'", "alone it is paused")
        tab = listener(browser, own, room)
        tab.until("player.room.track?.title === 'Alpha' && player.position > 12e6", "listeners hear the first from its place on")
        check(abs(tab.evaluate("player.position") / 1000 - place) < 20_000, "the room is somewhere else in the track")
        check(abs(tones.pitch(hear(tab, 1.0)) - FIRST) < 1, "the sound is not that of the first")
        liked(browser, own, room)
        moment(browser, own, room)
        desk.evaluate("() => { host.skip(1); }")
        tab.until("player.room.track?.title === 'Beta' && player.state === 'live'", "then the second", 60)
        tab.wait_for_timeout(1500)
        check(abs(tones.pitch(hear(tab, 1.0)) - SECOND) < 1, "the sound is not that of the second")
        check(not desk.evaluate("trouble"), f"trouble: {desk.evaluate('trouble')}")
        check(not desk.complaints, f"the page complains: {desk.complaints[:3]}")
