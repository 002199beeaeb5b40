"""What is heard alone becomes a play: it is listed, summed up by month, kept private when wanted, and forgotten when asked."""
from axe_playwright_python.sync_playwright import Axe

from support import Server, check, chromium, eventually
from .belonging import sign_in
from .music import STORES, clean, rows, settled
from .playing import clean as clean_looks, heard
from .uploading import sound

OWN_SERVER = True


def plays(server, token):
    return [one["track"]["title"] for one in server.call("play.list", {}, token)["plays"]]


def counted(tab, server, token):
    """Of ten seconds half has to be heard; less, muted or jumped over is no play."""
    tab.evaluate("async () => { window.tracks = (await session.request('library.list')).tracks; }")
    tab.evaluate("() => { solo.play(tracks, {index: 0}); }")
    heard(tab, "Amber", "it plays")
    eventually(lambda: tab.wait_for_timeout(200) or plays(server, token) == ["Amber"], "half of it was heard")
    tab.evaluate("() => { solo.play(tracks, {index: 1}); }")
    heard(tab, "Basalt", "the next")
    tab.evaluate("solo.seek(8_500)")
    heard(tab, "Cedar", "its end was jumped to")
    tab.evaluate("player.muted = true")
    tab.wait_for_timeout(6500)
    tab.evaluate("player.muted = false")
    check(plays(server, token) == ["Amber"], f"{plays(server, token)} count")
    tab.evaluate("solo.pause()")


def listed(tab, server, axe):
    tab.goto(server.url + "/library/history")
    settled(tab)
    check(rows(tab) == ["Amber"], f"{rows(tab)}")
    clean_looks(tab, axe, "the history")
    tab.click("[data-view=stats]")
    tab.until("document.querySelector('.heard-sum') && document.querySelector('history-part').textContent.includes('1 play')", "what it comes to")
    check(tab.evaluate("[...document.querySelectorAll('.heard-words a')].some(one => one.textContent === 'Amber')"), "the hit list is without it")
    check(tab.evaluate("[document.querySelectorAll('.heard-bars')[0].children.length, document.querySelectorAll('.heard-bars')[1].children.length >= 28].join()") == "24,true", "hours and days")
    clean_looks(tab, axe, "the statistics")
    tab.select_option(".heard-when select:last-child", "2020")
    tab.until("document.querySelector('history-part .empty')", "nothing was heard then")


def private(tab, server, token):
    """Private listening writes nothing; what is cleared is gone."""
    tab.get_by_role("button", name="Privacy").click()
    tab.get_by_role("switch", name="Listen privately").check()
    eventually(lambda: server.call("play.settings", {}, token)["settings"]["private"], "it is private")
    tab.get_by_role("button", name="Clear history").click()
    tab.locator("dialog .danger").last.click()
    eventually(lambda: plays(server, token) == [], "forgotten")
    tab.keyboard.press("Escape")
    tab.evaluate(STORES)
    tab.evaluate("async () => { const {tracks} = await session.request('library.list'); solo.play(tracks, {index: 3}); }")
    heard(tab, "Dune", "it plays")
    tab.wait_for_timeout(7500)
    check(plays(server, token) == [], "what is heard in private is noted")


def run(playwright, server, folder):
    axe, music = Axe(), folder / "music"
    for place, title in enumerate(("Amber", "Basalt", "Cedar", "Dune")):
        sound(music / f"{title}.flac", 300 + 80 * place, 10, title=title, artist="The Minerals", album="Strata", genre="Rock")
    with Server(server.programs, "--music", f"Test={music}") as own, chromium(playwright) as browser:
        token = own.person("hana")["access_token"]
        eventually(lambda: len(own.call("library.list", {}, token)["tracks"]) == 4, "four tracks", 60)
        tab = sign_in(browser, own, "hana@example.org", "/library")
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.evaluate(STORES)
        tab.store()
        counted(tab, own, token)
        listed(tab, own, axe)
        private(tab, own, token)
        clean(tab)
