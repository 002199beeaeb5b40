"""What people notice of a change of processes."""
import http.client, json, os, socket, struct, subprocess, threading, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import Client, Closed, account, check, equal, true

from autoplay_checks import stage
from autoplay_checks.stage import Ear, Owner, longest_silence, until

#: Seconds that the whole change may take here: two processes in debug builds beside other work.
PATIENCE = 30


def host(ada, title, seconds=40):
    """`sonactl broadcast` of a tone."""
    file = stage.FOLDER / f"{title}.opus"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"sine=f=500:r=48000:d={seconds}", "-c:a", "libopus", file], check=True)
    return subprocess.Popen(
        [stage.PROGRAMS / "sonactl", "broadcast", "--server", helpers.URL, "--token", ada.token, "--room", ada.room, file],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"XDG_CONFIG_HOME": str(stage.FOLDER)})


@check("a host and listeners: the same seat, epoch and events, and no sound is lost")
def _():
    ada = Owner(lead_ms=2000)
    hosting = host(ada, "Hosted")
    try:
        until(lambda: ada.now()["room"]["live"], "it is live")
        ears = [Ear(ada.room, "--stats") for _ in range(3)]
        with Client() as one:
            epoch = one.data("room.join", {"room": ada.room})["stream"]["epoch"]
        time.sleep(4)
        before, first = ada.now(), stage.SERVER.process.pid
        equal(stage.SERVER.replace(PATIENCE), 0, "the process before ends with")
        true(stage.SERVER.owner() != first, "another process has the folder")
        time.sleep(4)
        after = ada.now()
        equal(after["room"]["host_state"], "here", "the seat")
        equal(after["room"]["host"], before["room"]["host"], "the host")
        with Client() as one:
            equal(one.data("room.join", {"room": ada.room})["stream"]["epoch"], epoch, "the epoch")
        for ear in ears:
            silence = longest_silence(ear.samples())
            true(silence < 20, f"{silence:.0f} ms of silence")
    finally:
        hosting.terminate()
        hosting.wait(10)


def until_cut(one):
    """The numbers of the packets that come until the connection is cut."""
    heard = []
    try:
        while True:
            heard += [packet.seq for packet in one.packets(1, PATIENCE)]
    except (ConnectionError, OSError, Closed) as cut:
        true(getattr(cut, "code", 1006) == 1006, f"it is cut without a close code: {cut}")
    return heard


@check("a listener resumes with the process that took over: its session, its room, the packets it lacks")
def _():
    ada = Owner(lead_ms=2000)
    hosting = host(ada, "Resumed")
    try:
        until(lambda: ada.now()["room"]["live"], "it is live")
        bob = account()
        one = Client(auth=bob["access_token"])
        snapshot = one.data("room.join", {"room": ada.room})
        heard = [packet.seq for packet in one.packets(20)]
        replacing = threading.Thread(target=stage.SERVER.replace, args=(PATIENCE,))
        replacing.start()
        heard += until_cut(one)
        again = Client(auth=bob["access_token"], resume={
            "token": one.welcome["resume_token"], "room_seq": snapshot["seq"], "session_seq": 0, "packet_seq": heard[-1]})
        replacing.join()
        equal(again.welcome.get("resumed"), True, "resumed")
        equal(again.welcome["session"], one.welcome["session"], "the session")
        equal(again.welcome["clock_id"], one.welcome["clock_id"], "the clock")
        equal(again.welcome["stay"]["room"], ada.room, "the room")
        true("snapshot" not in again.welcome["stay"], "the events since are known")
        heard += [packet.seq for packet in again.packets(100)]
        equal(heard, list(range(heard[0], heard[0] + len(heard))), "every packet once and in order")
        # One more change, from the process that took over.
        equal(stage.SERVER.replace(PATIENCE), 0, "the second ends with")
        third = Client(auth=bob["access_token"], resume={
            "token": again.welcome["resume_token"], "room_seq": snapshot["seq"], "session_seq": 0})
        equal(third.welcome.get("resumed"), True, "resumed again")
    finally:
        hosting.terminate()
        hosting.wait(10)


@check("a room that plays by itself goes on with the same track at the same place, without a pause")
def _():
    ada = Owner()
    ada.add("Long")
    ears = [Ear(ada.room) for _ in range(2)]
    ada.autoplay()
    until(lambda: ada.playing() == "Long", "it plays")
    time.sleep(4)
    at, before = time.monotonic(), place(ada)
    equal(stage.SERVER.replace(PATIENCE), 0, "the process before ends with")
    time.sleep(4)
    wanted = before + (time.monotonic() - at) * 1e6
    true(abs(place(ada) - wanted) < 100_000, f"it is at {place(ada)} µs; it should be at {wanted:.0f}")
    equal(ada.playing(), "Long", "the track")
    for ear in ears:
        samples = ear.samples()
        silence = longest_silence(samples)
        true(silence < 20, f"{silence:.0f} ms of silence")
    equal([one["track"]["title"] for one in ada.data("room.history", room=ada.room)["plays"]], ["Long"], "one play in the history")
    ada.autoplay(on=False)


def place(ada):
    now = ada.playback()
    playback = now["playback"]
    true(playback["state"] == 1, f"it plays: {playback}")
    return playback["position_us"] + now["server_us"] - playback["anchor_us"]


@check("requests over HTTP are answered all the while, or told to come back; no connection is refused")
def _():
    at, stop, seen = urlsplit(helpers.URL), threading.Event(), []

    def ask():
        while not stop.is_set():
            try:
                link = http.client.HTTPConnection(at.hostname, at.port, timeout=20)
                link.request("POST", "/v1/rpc/server.info", b"{}", {"Content-Type": "application/json"})
                seen.append(link.getresponse().status)
                link.close()
            except ConnectionRefusedError:
                seen.append("refused")
            except OSError:
                seen.append("cut")
            time.sleep(0.01)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        time.sleep(0.3)
        equal(stage.SERVER.replace(PATIENCE), 0, "the process before ends with")
        time.sleep(0.5)
    finally:
        stop.set()
        asking.join()
    true(set(seen) <= {200, 503, "cut"}, f"answers: {sorted(set(map(str, seen)))}")
    true(seen.count("cut") <= 1, "one connection at most is cut in the middle")
    equal(seen[-1], 200, "the last answer")


def door():
    """A conversation with the running server, as a process that wants to take over."""
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(PATIENCE)
    one.connect(str(stage.SERVER.data / "takeover.sock"))
    return one


def say(one, message):
    one.sendall(struct.pack("<I", len(message)) + message)


def hear(one):
    """A message, and the descriptors that came with it."""
    try:
        head, descriptors = socket.recv_fds(one, 4, 64)[:2]
    except ConnectionResetError:  # it has not read all that was said
        return None, []
    if len(head) < 4:
        return None, descriptors
    left, message = struct.unpack("<I", head)[0], b""
    while len(message) < left:
        message += one.recv(left - len(message))
    return message, descriptors


@check("a process that goes away before it was given the data folder changes nothing")
def _():
    ada = Owner()
    first = stage.SERVER.owner()
    for message in (b"", b"nonsense", b"{}", json.dumps({"version": "9", "format": 99}).encode()):
        with door() as one:
            say(one, message)
            answer, descriptors = hear(one)
            true(not descriptors, "it is given no sockets")
            true(answer is None or json.loads(answer)["refusal"], f"answer: {answer}")
    with door() as one:
        one.sendall(struct.pack("<I", 0xFFFFFFFF) + b"x" * 1000)
        equal(hear(one)[0], None, "a message of four gigabytes")
    with door() as one:
        say(one, json.dumps({"version": "9", "format": 1}).encode())
        answer, descriptors = hear(one)
        equal([socket_["use"] for socket_ in json.loads(answer)["sockets"]], ["clients", "operator"], "sockets")
        equal(len(descriptors), 2, "descriptors")
        for descriptor in descriptors:
            os.close(descriptor)
    time.sleep(0.3)
    equal(stage.SERVER.owner(), first, "the process")
    ada.now()
    equal(stage.SERVER.replace(PATIENCE), 0, "the process before ends with")
    ada.now()


@check("--take-over without a server ends with 75 and a sentence")
def _():
    folder = stage.FOLDER / "nobody"
    done = subprocess.run([stage.PROGRAMS / "sona", "serve", "--data", folder, "--listen", "127.0.0.1:0", "--take-over"],
                          capture_output=True, text=True, timeout=20)
    equal(done.returncode, 75, done.stderr)
    true("could not be taken over" in done.stderr, done.stderr)
    true(not folder.exists(), "no folder is made")
