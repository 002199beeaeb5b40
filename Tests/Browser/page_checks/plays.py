"""What is heard alone in the page becomes a play: half of a track, once, and nothing while the sound is off."""
import subprocess

from support import Page, Server, check, chromium, eventually

OWN_SERVER = True
SECONDS = 6
STORES = """async () => {
    const root = document.querySelector('script[type=module]').src, get = async path => import(new URL(path, root));
    window.solo = (await get('store/solo.js')).solo;
    window.session = (await get('store/session.js')).session;
    window.settings = (await get('store/settings.js')).settings;
}"""


def plays(tab):
    return tab.evaluate("async () => (await session.request('play.list', {})).plays.map(({track, heard_ms}) => [track.title, heard_ms])")


def run(playwright, server, folder):
    music = folder / "music"
    music.mkdir()
    for place, title in enumerate(("Loud", "Quiet")):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"sine=frequency={300 + 80 * place}:duration={SECONDS}",
                        "-metadata", f"title={title}", music / f"{title}.flac"], check=True, stdin=subprocess.DEVNULL)
    with Server(server.programs, "--music", f"Test={music}") as own, chromium(playwright) as browser:
        own.person("ada")
        tab = Page(browser, own.url + "/sign-in?from=%2Fplaying", locale="en-US", viewport={"width": 1280, "height": 800})
        for name, value in (("email", "ada@example.org"), ("password", "a long password")):
            tab.fill(f"input[name={name}]", value)
        tab.click("main button[type=submit]")
        tab.evaluate(STORES)
        tab.until("session.user?.username === 'ada' && session.status === 'online'", "signed in")
        eventually(lambda: tab.evaluate("""async () => {
            window.tracks = (await session.request('library.list', {kind: 'tracks'})).tracks;
            return tracks.length === 2;
        }"""), "two tracks", 60)
        tab.evaluate("() => { solo.play([tracks[0]]); }")
        found = eventually(lambda: plays(tab), "a play", 20)
        check([title for title, _ in found] == ["Loud"] and SECONDS * 480 <= found[0][1] <= SECONDS * 1000, f"the plays are {found}")
        tab.until("solo.state === 'paused'", "its end")
        tab.evaluate("() => { settings.set('muted', true); solo.play([tracks[1]]); }")
        tab.until("solo.state === 'playing'", "it plays, and nobody hears it")
        tab.until("solo.state === 'paused'", "its end")
        tab.wait_for_timeout(500)
        check([title for title, _ in plays(tab)] == ["Loud"], f"the plays are {plays(tab)}")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
