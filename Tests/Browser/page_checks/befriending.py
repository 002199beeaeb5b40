"""Friends' music: what they play who let one see it, tracks in common with those who allow it, and the switches for both."""
import subprocess, time

from axe_playwright_python.sync_playwright import Axe

from support import check, chromium, eventually
from .belonging import sign_in
from .music import clean
from .playing import clean as clean_looks

OWN_SERVER = True


def music(folder, titles):
    """Files that are heard in a second."""
    folder.mkdir()
    for place, title in enumerate(titles):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", f"sine=frequency={300 + 80 * place}:duration=1",
                        "-metadata", f"title={title}", "-metadata", "artist=The Ones", folder / f"{place}.flac"], check=True, stdin=subprocess.DEVNULL)
    return folder


def play(server, token, track):
    """Hears a track to its end."""
    opened = server.call("track.open", {"track": track}, token)
    begun = int(time.time() * 1000)
    subprocess.run(["curl", "-sf", "-o", "/dev/null", server.url + opened["stream"]], check=True)

    def counted():
        return server.call("play.report", {"track": track, "token": opened["token"], "key": f"{token[-8:]}{track}", "heard_ms": 1000, "started_ms": begun}, token)["counted"]
    eventually(counted, "a play")


def run(playwright, server, folder):
    from support import Server
    axe, titles = Axe(), ["One", "Two", "Three"]
    with Server(server.programs, "--music", f"Test={music(folder / 'music', titles)}") as own, chromium(playwright) as browser:
        people = {name: own.person(name) for name in ("ada", "ben", "cleo")}
        token = {name: person["access_token"] for name, person in people.items()}
        uid = {name: person["user"]["uid"] for name, person in people.items()}
        for one, other in (("ada", "ben"), ("ben", "ada"), ("ada", "cleo"), ("cleo", "ada")):
            own.call("people.follow", {"user": uid[other]}, token[one])
        ids = eventually(lambda: (found := {one["title"]: one["id"] for one in own.call("library.list", {}, token["ada"])["tracks"]}) if len(own.call("library.list", {}, token["ada"])["tracks"]) == 3 else None, "three tracks", 60)
        tab = sign_in(browser, own, "ada@example.org", "/friends")
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.until("document.querySelector('friends-page .empty h2')?.textContent.includes('Nothing from friends')", "nothing is there, and it says why")
        # Ben lets friends see both; Cleo nothing.
        own.call("play.settings", {"share_plays": True, "share_taste": True}, token["ben"])
        for name in ("One", "Two"):
            own.call("like.set", {"track": ids[name], "liked": True}, token["ben"])
        own.call("like.set", {"track": ids["Two"], "liked": True}, token["ada"])
        play(own, token["ben"], ids["One"])
        play(own, token["cleo"], ids["Three"])
        tab.goto(own.url + "/")
        tab.until("document.querySelector('.friend-card')?.textContent.includes('One')", "Explore has a shelf of it")
        tab.click(".shelf-head a[href='/friends']")
        tab.until("document.querySelector('.feed-row')", "what Ben plays")
        shown = tab.evaluate("[...document.querySelectorAll('.feed-row')].map(row => row.querySelector('.feed-title').textContent + ' ' + row.querySelector('.feed-person').textContent)")
        check(len(shown) == 1 and shown[0].startswith("One") and shown[0].endswith("@ben"), f"{shown}")
        clean_looks(tab, axe, "what friends play")
        tab.click("[data-view=common]")
        tab.until("document.querySelectorAll('.common-person').length === 2", "both friends can be chosen")
        tab.click(f".common-person[data-user='{uid['ben']}']")
        tab.until("[...document.querySelectorAll('.track-row:not([data-waiting]) .track-title')].map(one => one.textContent).join() === 'Two'", "what both like")
        check(tab.evaluate("document.querySelector('.common-head h2').textContent") == "1 track in common", "how many is not told")
        clean_looks(tab, axe, "tracks in common")
        tab.click(f".common-person[data-user='{uid['cleo']}']")
        tab.until("document.querySelector('friends-page [role=alert]') && !document.querySelector('.track-row')", "Cleo has not allowed it")
        # The same switches stand in the settings, and say what is so.
        tab.locator(".friends-consents input[name=share_plays]").check()
        eventually(lambda: own.call("play.settings", {}, token["ada"])["settings"]["share_plays"], "the switch is stored")
        tab.goto(own.url + "/settings")
        tab.until("document.querySelector('input[name=share_plays]')?.checked && !document.querySelector('input[name=share_taste]').checked", "the settings say so")
        tab.goto(own.url + "/u/@ben")
        tab.click(f"a[href*='{uid['ben']}']")
        tab.until("document.querySelector('.track-title')?.textContent === 'Two'", "a friend's page leads to what is in common")
        clean(tab)
    return []
