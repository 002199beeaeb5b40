#!/usr/bin/env python3
"""Uses the package as somebody would who has installed it: checks.py http://HOST:PORT. Needs opusinfo, and Python with websockets and pip.

The server must be one with the demo room. Exits with 1 if something is wrong, with 77 if websockets is not there.
"""
import asyncio, pathlib, re, subprocess, sys, tempfile, zipfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER / "src"))
try:
    import websockets  # noqa: F401
except ImportError:
    print("SKIPPED the Python package: websockets is not installed")
    sys.exit(77)
from sona_client import ConnectionLost, RequestError, connect  # noqa: E402


def true(holds, what):
    if not holds:
        raise AssertionError(what)


async def refused(code, asked):
    try:
        await asked
    except RequestError as error:
        true(error.code == code, f"{error.code} instead of {code}")
        return
    raise AssertionError(f"no {code}")


async def rooms_and_chat(url):
    async with connect(url) as one, connect(url, name="other") as other:
        true(one.user["guest"] and one.user["uid"] != other.user["uid"] and "chat" in one.features, "two guests")
        true(abs(one.server_time() - other.server_time()) < 5_000 and one.clock_error < 20_000, "one clock")
        room, same = await one.enter("@demo"), await other.enter("@demo", audio=False)
        true(room.id == same.id and room.info["live"] and room.track["title"], f"{room.info}")
        true(abs(room.position - same.position) < 10_000, f"{room.position} and {same.position}")
        events = other.events()
        said = await room.send("Hello from Python")
        async for event in events:
            if event["type"] == "chat.message" and event["data"]["message"]["id"] == said["id"]:
                break
        true(same.chat[-1]["text"] == "Hello from Python", "the other reads it")
        await refused("chat.text_invalid", room.send("x" * 5000))
        await refused("room.not_found", one.enter("@nobody-at-all"))
        true(one.room is room, "still in the room")
        await refused("request.unknown", one.request("no.such.thing"))
        found = await one.request("room.search", query="")
        true(room.id in [one["id"] for one in found["rooms"]], "the room is found")


async def sound(url, folder):
    async with connect(url) as sona:
        room = await sona.enter("@demo")
        packets, last = [], None
        async for packet in room.packets():
            true(last is None or packet.seq == (last.seq + 1) % 2**32, "a packet is missing")
            true(room.stream(packet.epoch) is not None, "a packet of no stream")
            packets, last = [*packets, packet], packet
            if len(packets) == 150:
                break
        ahead = packets[-1].play_at - sona.server_time()
        true(-20_000 < ahead < 20_000_000, f"{ahead} µs ahead")
        file = folder / "heard.opus"
        first = await room.record(str(file), seconds=3)
        true(first is not None and abs(first - sona.server_time()) < 15_000_000, f"{first}")
        told = subprocess.run(["opusinfo", file], capture_output=True, text=True).stdout
        true(not re.search("warning|error", told, re.I), told)
        await room.leave()
        await refused("room.not_joined", room.send("Nobody reads this"))
    try:
        await sona.request("room.search", query="")
    except ConnectionLost:
        return
    raise AssertionError("a closed connection answers")


def on_a_terminal(url, folder):
    def run(*arguments, status=0):
        done = subprocess.run([sys.executable, "-m", "sona_client", *arguments], capture_output=True, text=True, cwd=folder, timeout=60,
                              env={"PYTHONPATH": str(folder / "installed"), "PATH": "/usr/bin:/bin"})
        true(done.returncode == status, f"{arguments}: {done.returncode} {done.stderr}")
        return done.stdout + done.stderr
    built = subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, folder / "source"],
                           capture_output=True, text=True)
    (wheel,) = folder.glob("sona_client-*.whl") if built.returncode == 0 else [None]
    true(wheel, f"no wheel: {built.stderr[-500:]}")
    with zipfile.ZipFile(wheel) as files:
        true({"sona_client/client.py", "sona_client/py.typed"} <= set(files.namelist()), f"{files.namelist()}")
        files.extractall(folder / "installed")
    # Its own dependency is where this program has it.
    import websockets
    (folder / "installed" / "websockets").symlink_to(pathlib.Path(websockets.__file__).parent)
    true("demo" in run("rooms", url).lower() or "♪" in run("rooms", url), "the list of rooms")
    run("chat", url, "@demo", "--say", "Hello from the terminal")
    run("listen", url, "@demo", "some.opus", "--seconds", "2")
    true((folder / "some.opus").read_bytes().startswith(b"OggS"), "a recording")
    true("room.not_found" in run("listen", url, "@nobody-at-all", "none.opus", status=1), "no such room")
    true("sona-client:" in run("rooms", "http://127.0.0.1:9", status=1), "no server")
    true("listen" in run("--help"), "the help")


def main():
    url = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "source"
        subprocess.run(["cp", "-r", FOLDER, source], check=True)
        asyncio.run(rooms_and_chat(url))
        asyncio.run(sound(url, folder))
        on_a_terminal(url, folder)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(f"the Python package: {error}")
        sys.exit(1)
