"""Listeners see the cover of each file: cut to a square and encoded anew, or none; only the owner and whoever has the seat may send one."""
import subprocess, urllib.error, urllib.request

from page_checks.belonging import png
from sound_checks import tones
from support import PATIENCE, Fault, Host, check, chromium, eventually
from .desk import Desk, listener, wav

#: The middle of what the stage of a page shows: size, and red, green and blue in its middle and at its edges.
SHOWN = """() => {
    const image = document.querySelector('room-stage .stage-cover .cover:not(.aura) img');
    if (!image?.complete || image.naturalWidth === 0) return null;
    const pen = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext('2d');
    pen.drawImage(image, 0, 0);
    const at = (x, y) => [...pen.getImageData(Math.floor(x * (image.naturalWidth - 1)), Math.floor(y * (image.naturalHeight - 1)), 1, 1).data].slice(0, 3);
    return {size: [image.naturalWidth, image.naturalHeight], middle: at(.5, .5), left: at(.02, .5), src: new URL(image.src).pathname};
}"""


def sound(path, picture, pitch):
    """A file of a tone with a picture in its tags, if one is given."""
    plain = wav(path.with_suffix(".plain.wav"), pitch, 12)
    pictured = ["-i", str(picture), "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic"] if picture else []
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", str(plain), *pictured, "-metadata", f"title={path.stem}", str(path)],
                   check=True, stdin=subprocess.DEVNULL)
    plain.unlink()
    return path


def near(color, wanted):
    return all(abs(one - other) < 24 for one, other in zip(color, wanted))


def status(server, path, body, token):
    """The status and the code with which a picture is answered."""
    import json
    request = urllib.request.Request(server.url + path, body, {"authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["error"]["code"]


def run(playwright, server, folder):
    # A wide picture: green in its middle, red to the sides, which are cut off.
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "color=red:s=1800x900", "-f", "lavfi", "-i", "color=lime:s=900x900",
                    "-filter_complex", "[0][1]overlay=450:0", "-frames:v", "1", str(folder / "wide.png")], check=True)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", "-i", "color=blue:s=300x300", "-frames:v", "1", str(folder / "small.jpg")], check=True)
    files = [sound(folder / "1 wide.flac", folder / "wide.png", 440), sound(folder / "2 bare.mp3", None, 523.25),
             sound(folder / "3 small.mp3", folder / "small.jpg", 659.26), sound(folder / "4 wide.mp3", folder / "wide.png", 783.99)]
    with chromium(playwright) as browser:
        desk = Desk(browser, server)
        token = desk.person["access_token"]
        room = desk.room(server, lead_ms=1500)
        desk.open(room)
        desk.add(*files)
        desk.go()
        tab = listener(browser, server, room)

        def shown(title):
            tab.until(f"player.room.track?.title === '{title}'", f"{title} is heard")
            return eventually(lambda: tab.wait_for_timeout(50) or tab.evaluate(SHOWN), f"a cover of {title}")
        first = shown("1 wide")
        check(first["size"] == [600, 600], f"it has {first['size']} pixels")
        check(near(first["middle"], (0, 255, 0)) and near(first["left"], (0, 255, 0)), f"its middle is {first['middle']}, its edge {first['left']}")
        tab.until("player.room.track?.title === '2 bare'", "the second is heard")
        eventually(lambda: tab.wait_for_timeout(50) or tab.evaluate(SHOWN) is None, "what has no cover shows none")
        check(tab.evaluate("!player.room.track.artwork"), "what has no cover has one")
        small = shown("3 small")
        # The cover comes with the title, since it was sent before.
        check(small["size"] == [300, 300] and near(small["middle"], (0, 0, 255)), f"the small one is {small}")
        again = shown("4 wide")
        check(again["src"] == first["src"], "the same picture is kept twice")
        plays = server.call("room.history", {"room": room}, token)["plays"]
        check([play["track"]["title"] for play in plays] == ["4 wide", "3 small", "2 bare", "1 wide"], f"a cover made a play of its own: {plays}")
        check(plays[-1]["track"].get("artwork") == first["src"], "the cover is not in the history")
        # Only from whoever has the seat, and only pictures.
        path = f"/v1/rooms/{room}/covers"
        check(status(server, path, png((1, 2, 3)), server.person()["access_token"]) == (403, "host.not_host"), "somebody else may send a cover")
        check(status(server, path, b"<svg/>", token)[1] == "photo.type_unsupported", "what is no picture is kept")
        check(status(server, "/v1/rooms/nothing/covers", png((1, 2, 3)), token)[1] == "room.not_found", "a room that there is not has covers")
        one, other = (status(server, path, png((1, 2, 3)), token) for _ in range(2))
        check(one[0] == 200 and one == other, f"the same picture twice is {one} and {other}")
        # The oldest goes; what is sent again is not the oldest.
        last = [status(server, path, png((number, 200 - number, 9)), token) for number in range(100)]
        check(all(code == 200 for code, _ in last), f"a cover was refused: {[one for one in last if one[0] != 200][:3]}")
        for artwork, wanted in ((last[0][1]["artwork"], 200), (one[1]["artwork"], 404)):
            try:
                with urllib.request.urlopen(server.url + artwork, timeout=PATIENCE) as answer:
                    found = answer.status
            except urllib.error.HTTPError as error:
                found = error.code
            check(found == wanted, f"of 101 covers {artwork} has the status {found}")
        # A host on the command line sends a file, too.
        with Host(server, "--loop", "--cover", str(folder / "small.jpg"), str(tones.tone(folder / "tone.opus", 440, seconds=4))) as line:
            artwork = line.call("room.get")["room"]["track"]["artwork"]
            with urllib.request.urlopen(server.url + artwork, timeout=PATIENCE) as answer:
                check(answer.status == 200 and answer.headers["content-type"] == "image/webp", f"{artwork}: {answer.status}")
        server.call("room.close", {"room": room}, token)
        try:
            urllib.request.urlopen(server.url + last[1][1]["artwork"], timeout=PATIENCE)
            raise Fault("a closed room has covers")
        except urllib.error.HTTPError as error:
            check(error.code == 404, f"the cover of a closed room has the status {error.code}")
        for page in (desk, tab):
            check(not [line for line in page.complaints if "404" not in line], f"a page complains: {page.complaints[:3]}")
        return [f"a picture of 1800 x 900 comes as {first['size']}, one of 300 x 300 as it is; 100 covers are kept"]
