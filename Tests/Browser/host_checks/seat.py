"""The seat: others pause and seek by the host, it is handed over and taken back, and a reload is warned of."""
import subprocess
from concurrent.futures import ThreadPoolExecutor

from page_checks.belonging import png
from support import PATIENCE, check, chromium, eventually
from .desk import Desk, wav

#: The next request of a type takes a second, or fails.
ONCE = """([type, code]) => {
    const {session} = host, request = session.request;
    session.request = async (asked, ...rest) => {
        if (asked !== type) return request.call(session, asked, ...rest);
        session.request = request;
        if (code) throw Object.assign(new Error(code), {code});
        await new Promise(resolve => setTimeout(resolve, 1000));
        return request.call(session, asked, ...rest);
    };
}"""


def pictured(desk, picture):
    """The owner gives the room a picture, and takes it away; let fall on its field it is for nobody else on the page."""
    desk.click("host-room summary")
    songs, toasts = desk.evaluate("host.playlist.songs.length"), desk.locator(".toast").count()
    desk.evaluate("""bytes => {
        const files = new DataTransfer();
        files.items.add(new File([Uint8Array.from(bytes)], 'sleeve.png', {type: 'image/png'}));
        for (const type of ['dragenter', 'dragover', 'drop']) {
            document.querySelector('host-room .photo-field').dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: files}));
        }
    }""", list(png((30, 60, 200))))
    eventually(picture, "the room has a picture")
    desk.until("document.querySelector('host-room .photo-field img')?.naturalWidth > 0", "its field shows it")
    desk.until("document.querySelector('host-stage .cover img')?.naturalWidth > 0", "so does the stage")
    check(desk.evaluate("host.playlist.songs.length") == songs and desk.locator(".toast").count() <= toasts, "the list has taken the picture for a sound")
    desk.click("host-room .photo-field button:has-text('Remove')")
    eventually(lambda: not picture(), "the room has no picture")
    desk.until("!document.querySelector('host-room .photo-field img')", "nor has its field")


def run(playwright, server, folder):
    music = wav(folder / "music.wav", 440, 90)
    with chromium(playwright) as browser:
        desk = Desk(browser, server)
        room = desk.room(server, lead_ms=600)
        desk.open(room)
        desk.add(music)
        desk.go()

        def call(method, **data):
            return server.call(method, {"room": room} | data, desk.person["access_token"])

        def control(*arguments):
            """Another program of the owner's: its exit code and what it said."""
            done = subprocess.run([server.programs / "sonactl", "--server", server.url, "--token", desk.person["access_token"], *arguments],
                                  capture_output=True, text=True, timeout=PATIENCE)
            return done.returncode, done.stdout + done.stderr
        check(control("pause", room)[0] == 0, "sonactl pause")
        desk.until("host.state === 'paused'", "another program of theirs pauses the host")
        check(control("seek", room, "30")[0] == 0, "sonactl seek")
        check(desk.evaluate("host.state") == "paused", "a seek while paused does not stay paused")
        check(control("play", room)[0] == 0, "sonactl play")
        desk.until("host.state === 'live' && host.position > 29e6", "it goes on from where it was sent to")
        code, said = control("seek", room, "900")
        check(code != 0 and "does not reach so far" in said, f"a seek beyond the end: {code} {said}")
        # Two who want the same at once are both answered, and whoever wants what fails is, too.
        desk.evaluate(ONCE, ["host.pause", None])
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda _: control("pause", room), range(2)))
        check([code for code, _ in answers] == [0, 0], f"two who pause are answered with {answers}")
        desk.evaluate(ONCE, ["host.start", "request.invalid"])
        code, said = control("play", room)
        check(code != 0 and "could not do it" in said, f"what fails is answered with {code} {said}")
        check(control("play", room)[0] == 0, "sonactl play")
        desk.until("host.state === 'live'", "it goes on")
        # Public or private, by the host.
        desk.click("host-room .switch")
        eventually(lambda: call("room.get")["room"]["visibility"] == "private", "the room turns private")
        desk.click("host-room .switch")
        eventually(lambda: call("room.get")["room"]["visibility"] == "public", "and public again")
        pictured(desk, lambda: call("room.get")["room"]["picture"])
        # Another comes in, is offered the seat, and takes it from their own page.
        other = Desk(browser, server)
        other.goto(f"{server.url}/r/{room}")
        other.wait_for_selector("room-stage")
        desk.click("host-room [data-user]")
        take = other.locator(".toast button:has-text('Take over')")
        take.wait_for()
        # It is there for as long as the offer is good, whatever else is said, and not longer.
        other.wait_for_timeout(13_000)
        other.evaluate("""async () => {
            const {toast} = await import(new URL('shell/toasts.js', document.querySelector('script[type=module]').src));
            for (const text of ['one', 'two', 'three']) toast(text);
        }""")
        check(take.count() == 1, "the offer is not shown any more")
        desk.evaluate("host.end()")
        take.wait_for(state="detached")
        desk.go()
        # Or they ask for it.
        other.click("room-page button:has-text('Ask to play')")
        desk.click("host-requests:has-text('wants to host') button:has-text('Hand over')")
        take.click()
        other.store()
        other.evaluate("""async () => {
            const root = document.querySelector('script[type=module]').src;
            window.host = (await import(new URL('store/host.js', root))).host;
            window.trouble = [];
        }""")
        other.until("document.querySelector('host-setup select[name=room]')", "the room is chosen")
        other.add(music)
        other.go()
        desk.until("host.state === 'ended' && host.reason === 'handed_over'", "the first host is told")
        check("Somebody else plays now" in desk.inner_text("host-setup"), "the page does not say what became of the broadcast")
        # The owner takes it back: asked first.
        desk.click(".host-go")
        desk.click("dialog .primary")
        desk.until("host.state === 'live'", "the owner has the seat again")
        other.until("host.state === 'ended' && host.reason === 'taken_back'", "the other host is told")
        # Nobody leaves by mistake.
        asked = []
        desk.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        desk.page.close(run_before_unload=True)
        eventually(lambda: desk.page.wait_for_timeout(50) or asked, "leaving is asked about")
        check(asked == ["beforeunload"], f"leaving is asked about by {asked}")
        for page in (desk, other):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
    return []
