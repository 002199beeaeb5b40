"""The host's tab is loaded anew: the list is there again, the broadcast goes on where it stopped, and what is missing is asked for."""
import time

from sound_checks import tones
from support import check, chromium, eventually
from .desk import Desk, hear, listener, microphone, wav

FIRST, SECOND = 523.25, 659.26
#: The browser loses the bytes of all files.
FORGET = """async () => {
    const opened = indexedDB.open('sona-list');
    await new Promise(resolve => { opened.onsuccess = resolve; });
    const store = opened.result.transaction('files', 'readwrite').objectStore('files');
    await new Promise(resolve => { store.clear().onsuccess = resolve; });
}"""


def again(desk, path=None):
    """Loads the page anew, or another one of it in the same tab."""
    if path:
        desk.goto(desk.url_of_server + path)
    else:
        desk.reload()
    desk.store()
    desk.evaluate("""async () => {
        const root = document.querySelector('script[type=module]').src;
        window.host = (await import(new URL('store/host.js', root))).host;
        window.trouble = [];
        host.addEventListener('trouble', ({detail}) => trouble.push(String(detail)));
        await (await import(new URL('store/hosting/keeping.js', root))).restored;
    }""")


def by_handle(desk, path):
    """A file that the browser's picker gave a handle of is there again, though none of its bytes are kept."""
    desk.evaluate("""async bytes => {
        // A handle as a picker gives it, of a file that this page may always read.
        const folder = await navigator.storage.getDirectory(), handle = await folder.getFileHandle('handled.wav', {create: true});
        const writer = await handle.createWritable();
        await writer.write(Uint8Array.from(bytes));
        await writer.close();
        window.showOpenFilePicker = async () => [handle];
    }""", list(path.read_bytes()[:200_044]))
    desk.locator(".host-drop button").click()
    desk.until("host.playlist.songs.at(-1).name === 'handled.wav'", "the picker's file is in the list")
    desk.wait_for_timeout(1500)
    desk.evaluate(FORGET)
    again(desk)
    gone = desk.evaluate("host.playlist.songs.map(song => [song.name, song.isGone])")
    check(gone[-1] == ["handled.wav", False] and all(is_gone for _, is_gone in gone[:-1]), f"what is there again by its handle: {gone}")
    desk.locator(".host-song").last.locator("[data-does=remove]").click()
    desk.wait_for_timeout(1500)


def run(playwright, server, folder):
    one, two, three = wav(folder / "one.wav", FIRST, 120), wav(folder / "two.wav", SECOND, 60), wav(folder / "three.wav", 440, 30)
    with chromium(playwright, *microphone()) as browser:
        desk = Desk(browser, server)
        desk.page.on("dialog", lambda dialog: dialog.accept())
        room = desk.room(server, lead_ms=4000)

        def call(method, data=None):
            return server.call(method, {"room": room} | (data or {}), desk.person["access_token"])
        desk.open(room)
        desk.add(one)
        desk.add(two)
        # Before anything is played: titles, order, repeat.
        desk.click(".host-list-head button")
        desk.locator(".host-song").nth(1).locator("[data-does=up]").click()
        desk.wait_for_timeout(1000)
        again(desk)
        desk.until("host.playlist.songs.length === 2", "the list is there again")
        desk.until("[...document.querySelectorAll('.host-song .entry-title')].map(title => title.innerText).join() === 'two,one'", "the order is there again")
        check(desk.evaluate("host.playlist.repeat") == "all", "what repeats is lost")
        check(desk.locator(".host-gone").is_hidden(), "files are asked for that are there")
        desk.locator(".host-song").nth(1).locator("[data-does=up]").click()
        desk.click(".host-list-head button")
        desk.click(".host-list-head button")
        desk.until("document.querySelector('host-setup select[name=room]')", "the rooms are known")
        desk.go()
        tab = listener(browser, server, room)
        tab.evaluate("""() => {
            window.ended = [];
            session.on('stream.ended', data => ended.push(data));
        }""")
        # On air: the seat is kept, and listeners do not hear a thing of it.
        desk.until("host.position > 6e6", "it is heard for a while")
        plays = call("queue.get")["now"]["play"]
        tab.evaluate("packets.splice(0)")
        begin = time.monotonic()
        again(desk)
        desk.until("host.state === 'live'", "the broadcast goes on")
        took = time.monotonic() - begin
        check(desk.evaluate("host.room.id") == room, "it goes on elsewhere")
        desk.wait_for_timeout(5000)
        check(tab.evaluate("player.room.track?.title") == "one" and not tab.evaluate("ended"), "listeners were told that it was over")
        packets = sorted(tab.evaluate("packets.map(([epoch, at, samples]) => [at, samples])"))
        gap = max(after - (at + samples / 0.048) for (at, samples), (after, _) in zip(packets, packets[1:])) / 1000
        check(abs(tones.pitch(hear(tab, 1)) - FIRST) < 1, "it is not the same song")
        place = tab.evaluate("player.position / 1e6")
        check(gap < 1500, f"listeners heard a pause of {gap:.0f} ms")
        now = call("queue.get")
        check(now["now"]["play"] == plays and now["waiting"] == 1, f"the queue has changed: {now}")
        # On another page of the same tab, with the room paused: paused it stays.
        desk.evaluate("host.pause()")
        desk.until("host.state === 'paused'", "paused")
        tab.until("player.state === 'paused'", "listeners see the pause")
        place = tab.evaluate("player.position")
        again(desk, "/settings")
        desk.until("host.state === 'paused'", "paused as before, wherever one is")
        eventually(lambda: call("room.get")["room"]["host_state"] == "here", "the host has the seat")
        check(abs(desk.evaluate("host.position") - place) < 0.2e6, f"it is at {desk.evaluate('host.position')} and was at {place}")
        desk.evaluate("host.play()")
        tab.until("player.state === 'live'", "it goes on")
        # What the browser did not keep is asked for, and stands where it stood.
        desk.goto(f"{server.url}/host")
        again(desk)
        desk.until("host.state === 'live'", "on air")
        desk.evaluate(FORGET)
        again(desk)
        desk.until("host.state === 'idle' && document.querySelector('host-setup .notice')", "the page says what is missing")
        check("Choose these files again" in desk.inner_text("host-setup [role=status]"), desk.inner_text("host-setup [role=status]"))
        check(desk.locator(".host-gone").is_visible() and "2 files" in desk.inner_text(".host-gone"), desk.inner_text("host-list"))
        check(desk.locator(".host-song .host-failure").count() == 2, "the files that are gone are not marked")
        desk.set_input_files("host-list input[multiple]", [str(three), str(two), str(one)])
        desk.until("host.playlist.songs.length === 3 && host.playlist.gone.length === 0", "the files are there again")
        check(desk.locator(".host-song .entry-title").all_inner_texts() == ["one", "two", "three"], "they stand elsewhere")
        check(desk.locator("host-setup select[name=room]").input_value() == room, "another room is chosen")
        desk.go()
        tab.until("player.state === 'live' && player.room.track?.title === 'one'", "listeners hear it again")
        desk.evaluate("host.end()")
        desk.until("host.state === 'ended'", "it ends")
        by_handle(desk, three)
        # A copy of the tab has a list of its own.
        again(desk)
        check(desk.evaluate("host.state") == "idle" and desk.evaluate("host.playlist.songs.length") == 3, "what was ended goes on")
        copy = desk.page.context.new_page()
        copy.goto(server.url)
        copy.evaluate("name => sessionStorage.setItem('sona.list', name)", desk.evaluate("sessionStorage.getItem('sona.list')"))
        copy.goto(f"{server.url}/host")
        copy.wait_for_selector("host-list")
        copy.wait_for_timeout(3500)
        check(copy.locator(".host-song").count() == 0, "two tabs have one list")
        check(copy.evaluate("sessionStorage.getItem('sona.list')") != desk.evaluate("sessionStorage.getItem('sona.list')"), "two tabs have one name")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return [f"on air again {took:.1f} s after loading anew; listeners heard a pause of {max(0, gap):.0f} ms"]
