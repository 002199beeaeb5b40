"""What is let fall on the page is played: files of each kind, and folders; each at its pitch and length, with its tags."""
import subprocess

from sound_checks import tones
from support import check, chromium, eventually
from .desk import Desk, hear, listener, wav

SECONDS = 8
#: What is heard of a file after another, Hz; apart from each other by no whole number.
KINDS = {
    "one.mp3": (440.0, ["-codec:a", "libmp3lame", "-b:a", "128k"]),
    "two.flac": (523.25, ["-codec:a", "flac"]),
    "three.m4a": (659.26, ["-codec:a", "aac", "-b:a", "128k"]),
    "four.ogg": (783.99, ["-codec:a", "libvorbis", "-qscale:a", "4"]),
    "five.wav": (932.33, ["-codec:a", "pcm_s24le"]),
    "six.aac": (1046.5, ["-codec:a", "aac", "-b:a", "128k"]),
}
#: What has no place for tags, or none that is read.
UNNAMED = ("six.aac",)
#: Samples that an encoder puts before and behind what it got, in a file that does not say so.
PADDING = {"six.aac": 4096}


def sound(path, pitch, options):
    """A file of a tone, written by ffmpeg."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = wav(path.with_suffix(".plain.wav"), pitch, SECONDS)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", plain, "-metadata", f"title=<b>{path.stem}</b>", "-metadata", "artist=Ada Żółć",
                    "-metadata", "album=Tones", *options, path], check=True, stdin=subprocess.DEVNULL)
    plain.unlink()
    return path


def drop(desk, *paths, onto="body"):
    """Lets files fall, as the system does."""
    if onto != "body":
        desk.locator(onto).scroll_into_view_if_needed()
    box = desk.locator(onto).bounding_box()
    line = desk.page.context.new_cdp_session(desk.page)
    place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + min(box["height"] / 2, 100)}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        line.send("Input.dispatchDragEvent", {"type": kind, "data": data, **place})
        if kind == "dragOver":
            desk.until("document.querySelectorAll('.host-drop[data-over]').length === 1", "the page shows that it takes files")
    line.detach()


def run(playwright, server, folder):
    album = folder / "album"
    for name, (pitch, options) in KINDS.items():
        sound(folder / name if name == "one.mp3" else album / ("disc 2" if name > "o" else "disc 1") / name, pitch, options)
    for name in ("cover.jpg", "notes.txt", ".hidden.mp3", "disc 1/list.m3u"):
        (album / name).write_text("nothing to hear")
    (folder / "letter.txt").write_text("nothing to hear")
    # What ffmpeg writes and browsers do not read, and what is called like sound and is none.
    lossless = sound(folder / "lossless.m4a", 440, ["-codec:a", "alac"])
    (folder / "false.mp3").write_bytes(b"<html>" * 400)
    empty = folder / "empty"
    empty.mkdir()
    with chromium(playwright) as browser:
        desk = Desk(browser, server)
        room = desk.room(server)
        desk.open(room)
        desk.choose("microphone")
        drop(desk, folder / "one.mp3", folder / "letter.txt", album)
        desk.until(f"host.playlist.songs.length === {len(KINDS)}", "the sounds of the folder are in the list")
        check("letter.txt" in desk.locator(".toast").last.inner_text(), "it does not say what is no sound")
        order = desk.evaluate("host.playlist.songs.map(song => song.file.name)")
        check(order == ["five.wav", "four.ogg", "six.aac", "three.m4a", "two.flac", "one.mp3"], f"the order is {order}")
        check(desk.is_checked("input[value=files]") and desk.locator("host-list").is_visible(), "files were let fall, and something else is to be played")
        check(desk.locator(".host-drop[data-over], .host-drop[data-busy]").count() == 0, "it still shows that something is dragged")
        for name, entry in zip(order, desk.locator(".host-song").all()):
            stem = name.split(".")[0]
            wanted = [stem, ""] if name in UNNAMED else [f"<b>{stem}</b>", "Ada Żółć · Tones"]
            check([entry.locator("p").nth(line).inner_text() for line in (0, 1)] == wanted, f"{name}: {entry.inner_text()!r}")
        drop(desk, empty)
        eventually(lambda: desk.wait_for_timeout(50) or "no sound" in desk.locator(".toast").last.inner_text(), "an empty folder is said to be empty")
        desk.go()
        tab = listener(browser, server, room)
        lines = []
        tab.evaluate("""() => {
            window.starts = [];
            session.on('stream.started', ({stream}) => starts.push(stream.start_us));
        }""")
        first = tab.evaluate("player.room.stream.start_us")
        for name in order:
            stem = name.split(".")[0]
            tab.until(f"player.room.track?.title.includes('{stem}')", f"{name} is heard")
            tab.until("player.position > 1.5e6", f"{name} is heard for a while")
            heard, wanted = tones.pitch(hear(tab, 1.5)), KINDS[name][0]
            # What cannot be read is told and marked when it is chosen, not when it is its turn.
            if name == "three.m4a":
                drop(desk, lossless, folder / "false.mp3", onto="host-list")
                desk.locator(".toast", has_text="2 files can").wait_for()
                check(desk.locator(".host-song .host-failure").count() == 2, "what cannot be read is not marked when it is chosen")
                waiting = server.call("queue.get", {"room": room}, desk.person["access_token"])["entries"]
                check(not any(entry["track"]["title"] in ("<b>lossless</b>", "false") for entry in waiting), "what cannot be read stands in the queue")
            check(abs(heard - wanted) < 1, f"{name} sounds at {heard:.1f} Hz instead of {wanted}")
        desk.until("document.querySelectorAll('.host-song .host-failure').length === 2", "what cannot be read is marked")
        check(desk.locator(".host-failure").all_inner_texts() == ["The browser cannot read this file."] * 2, "it is not said what is the matter")
        desk.until("host.state === 'waiting'", "the list is over")
        # Nobody has paused: listeners wait for the host, whose meter falls to silence.
        tab.until("player.state === 'waiting'", "listeners wait for the host")
        check("Paused" not in tab.inner_text("room-stage"), f"listeners read {tab.inner_text('room-stage')!r}")
        desk.until("document.querySelector('host-stage level-meter').getAttribute('aria-valuetext') === 'silence'", "the meter does not stand still")
        starts = [first, *tab.evaluate("starts")]
        lengths = [(after - before) * 0.048 for before, after in zip(starts, starts[1:])] + [desk.evaluate("host.playlist.songs.find(song => song.file.name === 'one.mp3').duration")]
        for name, length in zip(order, lengths):
            over = length - SECONDS * 48000
            check(-1200 <= over <= 1200 + PADDING.get(name, 0), f"{name} takes {over:.0f} samples more than it should")
            lines.append(f"{name}: {over / 48:+.1f} ms")
        # Elsewhere on the page nothing is opened in its place.
        desk.evaluate("history.pushState({}, '', '/settings'); dispatchEvent(new PopStateEvent('popstate', {state: {}}))")
        desk.wait_for_selector("settings-page")
        line = desk.page.context.new_cdp_session(desk.page)
        for kind in ("dragEnter", "dragOver", "drop"):
            line.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": {"items": [], "files": [str(folder / "letter.txt")], "dragOperationsMask": 1}})
        desk.wait_for_timeout(500)
        check(desk.evaluate("location.pathname") == "/settings" and desk.evaluate("host.isOnAir") and len(desk.page.context.pages) == 1, "a file takes the place of the page")
        for page in (desk, tab):
            check(not page.complaints, f"a page complains: {page.complaints[:3]}")
        return [f"{len(order)} files by drop, each at its pitch; longer than {SECONDS} s: {', '.join(lines)}"]
