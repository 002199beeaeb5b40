"""A playlist is kept on the device: said to be unencrypted, played when the server is gone, brought up to date, and gone after signing out."""
from axe_playwright_python.sync_playwright import Axe

from support import check, chromium, eventually
from .belonging import sign_in
from .music import STORES, clean, server_with_music, settled
from .playing import clean as clean_looks

OWN_SERVER = "it stops the server"
SOUNDS = """() => new Promise(resolve => {
    const request = indexedDB.open('sona-offline');
    request.onsuccess = () => {
        const names = [...request.result.objectStoreNames];
        if (!names.includes('sounds')) { request.result.close(); return resolve([0, 0]); }
        const shelf = request.result.transaction(names).objectStore('sounds').getAll(), lists = request.result.transaction(names).objectStore('playlists').count();
        lists.onsuccess = () => { request.result.close(); resolve([shelf.result.length, lists.result]); };
    };
})"""


def keep(tab, count):
    """Presses the button, reads what is said, and waits until all of it is here."""
    tab.click("[data-act=keep]")
    tab.locator("dialog", has_text="not encrypted").wait_for()
    check("MB" in tab.locator("dialog p").inner_text(), "the dialog does not say how much room it takes")
    tab.locator("dialog .primary").click()
    tab.until("document.querySelector('.kept-badge:not([hidden])')?.textContent === 'On this device'", "it is kept")
    check(tab.evaluate(SOUNDS) == [count, 1], f"kept: {tab.evaluate(SOUNDS)}")


def heard(tab, what):
    tab.evaluate(STORES)
    tab.click(".hero-play")
    tab.until("solo.state === 'playing' && solo.position > 300", f"{what}: sound")


def run(playwright, server, folder):
    axe = Axe()
    with server_with_music(server.programs, count=24, minutes=0.2) as (own, token), chromium(playwright) as browser:
        who = own.person("nina")["access_token"]
        tracks = [one["id"] for one in own.call("library.list", {"limit": 5}, token)["tracks"]]
        playlist = own.call("playlist.create", {"title": "For the train", "tracks": tracks[:3]}, who)["playlist"]["id"]
        tab = sign_in(browser, own, "nina@example.org", "/library")
        tab.until("navigator.serviceWorker.controller !== null", "the worker has taken over")
        tab.goto(f"{own.url}/playlists/{playlist}")
        settled(tab)
        keep(tab, 3)
        clean_looks(tab, axe, "a kept playlist")
        tab.goto(f"{own.url}/library/playlists?scope=kept")
        tab.until("document.querySelector('.kept-room p')?.textContent.includes('MB') && document.querySelector('.playlist-card a')?.textContent === 'For the train'", "how much room it takes is told")
        # What is kept follows the playlist.
        own.call("playlist.add", {"playlist": playlist, "tracks": tracks[3:]}, who)
        tab.goto(f"{own.url}/playlists/{playlist}")
        tab.until("document.querySelectorAll('.track-row:not([data-waiting])').length === 5", "five tracks")
        eventually(lambda: tab.wait_for_timeout(50) or tab.evaluate(SOUNDS) == [5, 1], "what was added is kept, too")
        tab.until("document.querySelector('.kept-badge:not([hidden])')?.textContent === 'On this device'", "all of it")
        clean(tab)
        # The modules that this story asks for are here without a server, too.
        tab.evaluate(STORES)
        port = own.port
        own.stop()
        tab.goto(own.url + "/library/playlists")
        tab.click(".playlist-card a")
        settled(tab, "the entries without a server")
        heard(tab, "without a server")
        tab.evaluate("solo.jump(3)")
        tab.until("solo.state === 'playing' && solo.index === 3 && solo.position > 300", "another one")
        tab.evaluate("solo.seek(6000)")
        tab.until("solo.state === 'playing' && solo.position > 6200 && solo.position < 9000", "from a place in the middle")
        tab.evaluate("solo.clear()")
        own.start(port)
        tab.until("session.status === 'online'", "the line is back", seconds=40)
        tab.goto(f"{own.url}/playlists/{playlist}")
        tab.until("document.querySelector('[data-act=keep][aria-pressed=true]')", "its page")
        tab.click("[data-act=keep]")
        tab.until("document.querySelector('[data-act=keep][aria-pressed=false]')", "no longer kept")
        eventually(lambda: tab.evaluate(SOUNDS) == [0, 0], "nothing is left")
        keep(tab, 5)
        tab.evaluate(STORES)
        tab.evaluate("session.signOut()")
        eventually(lambda: tab.wait_for_timeout(50) or tab.evaluate(SOUNDS) == [0, 0], "signing out leaves nothing here")
    return ["3 tracks, then 5; played from the beginning, the fourth, and from its middle"]
