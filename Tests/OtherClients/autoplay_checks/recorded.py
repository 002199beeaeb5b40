"""The sound of hosts who agree to be recorded. Written from Protocol/spec/replays.md, "Recordings"."""
import http.client, json, os, signal, struct, subprocess, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import Client, account, check, equal, rpc, true

from autoplay_checks import stage
from autoplay_checks.kept import code
from autoplay_checks.stage import FOLDER, Owner, until

#: A tone for each file that a host has: name, pitch in Hz, seconds.
FILES = {"one": (440, 6), "two": (660, 6)}


def file_of(name):
    path = FOLDER / f"host-{name}.opus"
    if not path.exists():
        pitch, seconds = FILES[name]
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=f={pitch}:r=48000:d={seconds}", "-ac", "2", "-c:a", "libopus",
                        "-b:a", "96k", "-metadata", f"title={name}", path], check=True)
    return path


class Broadcast:
    """`sonactl broadcast` into a room."""

    def __init__(self, owner, *arguments):
        self.process = subprocess.Popen(
            [stage.PROGRAMS / "sonactl", "broadcast", "--server", helpers.URL, "--token", owner.token, "--room", owner.room, *map(str, arguments)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"XDG_CONFIG_HOME": str(FOLDER)})

    def end(self):
        try:
            return self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        return self.end()


def recording_owner(**fields):
    ada = Owner(**fields)
    ada.data("room.update", room=ada.room, replays=True)
    return ada


def recordings(owner):
    replays = owner.data("replay.list", room=owner.room)["replays"]
    return owner.data("replay.recordings", replay=replays[0]["id"])["recordings"] if replays else []


def fetched(path, headers=None):
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    link.request("GET", path, headers=headers or {})
    answer = link.getresponse()
    return answer.status, answer.read(), answer


def sound(data):
    """Samples of a file, of its left channel, by ffmpeg."""
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", "pipe:0", "-ac", "1", "-ar", "48000", "-f", "s16le", "pipe:1"], input=data, capture_output=True)
    equal(done.stderr.decode(), "", "what ffmpeg says of it")
    return [one for one, in struct.iter_unpack("<h", done.stdout)]


def pitch(samples):
    """Hz, by crossings of zero in a second of the middle."""
    begin = len(samples) // 2 - 12_000
    piece = samples[begin:begin + 24_000]
    return sum(1 for one, two in zip(piece, piece[1:]) if one < 0 <= two) * 2


def packets_of_file(data):
    """The packets of an Ogg stream, without its two headers."""
    packets, at, part = [], 0, b""
    while at < len(data):
        equal(data[at:at + 4], b"OggS", f"a page at {at}")
        count = data[at + 26]
        lacing, at = data[at + 27:at + 27 + count], at + 27 + count
        for size in lacing:
            part += data[at:at + size]
            at += size
            if size < 255:
                packets.append(part)
                part = b""
    return packets[2:]


@check("a host who agrees is recorded: the packets as they were, at their moments, and everybody is told")
def _():
    ada = recording_owner()
    with Client() as guest:
        entered = guest.data("room.join", {"room": ada.room})
        equal(entered["room"].get("recorded"), None, "at first")
        cast = Broadcast(ada, "--record", file_of("one"), file_of("two"))
        until(lambda: [event for event in [guest.event("host.changed", 12)] if event["data"].get("recorded")], "everybody is told")
        equal(ada.now()["room"]["recorded"], True, "the room says so")
        said = cast.end()
        until(lambda: ada.now()["room"]["host_state"] == "none", "the host has left")
        equal(ada.now()["room"].get("recorded"), None, "after that")
        until(lambda: ada.playback()["playback"]["state"] == 0, "it is over", 20)
    found = until(lambda: [one for one in [recordings(ada)] if len(one) >= 2], f"both files are recorded; {said}")[0]
    (replay,) = ada.data("replay.list", room=ada.room)["replays"]
    passages = ada.data("replay.passages", replay=replay["id"])["passages"]
    starts = [one["at_ms"] for one in passages if one["sounds"]]
    equal([one["host"]["uid"] for one in found], [ada.uid, ada.uid], "whose sound it is")
    for one, start, (name, (tone, seconds)) in zip(found, starts, FILES.items()):
        true(abs(one["at_ms"] - start) <= 30, f"{name}: at {one['at_ms']} ms, heard from {start}")
        true(abs(one["length_ms"] - seconds * 1000) <= 1, f"{name}: {one['length_ms']} ms")
        status, data, answer = fetched(one["stream"])
        equal((status, answer.getheader("content-type")), (200, "audio/ogg"), name)
        equal(packets_of_file(data), packets_of_file(file_of(name).read_bytes()), f"the packets of {name}")
        samples = sound(data)
        true(abs(len(samples) - seconds * 48_000) <= 48, f"{name}: {len(samples)} samples")
        true(abs(pitch(samples) - tone) <= 4, f"{name}: {pitch(samples)} Hz")
        status, part, answer = fetched(one["stream"], {"Range": "bytes=100-199"})
        equal((status, part), (206, data[100:200]), "a range")
    # Nobody without the address, and nobody for another recording.
    path, token = found[0]["stream"].split("?t=")
    equal(fetched(path)[0], 401, "without a token")
    equal(fetched(f"{path}?t={token[:-2]}xx")[0], 401, "with a wrong token")
    equal(fetched(f"/v1/recordings/{found[1]['id']}?t={token}")[0], 401, "with the token of another")
    export = ada.data("account.export")["export"]
    equal([one["id"] for one in export["recordings"]], [one["id"] for one in found], "the export")


@check("nobody is recorded unasked, in a room without replays, or by anybody but the host")
def _():
    ada = recording_owner()
    with Client(ada.token) as host, Client() as guest:
        for client in (host, guest):
            client.data("room.join", {"room": ada.room, "audio": False})
        host.refused("host.not_host", "host.record", {"on": True})
        host.data("host.start", {"stream": {"codec": "opus", "channels": 2, "pre_skip": 312}, "pacing": "server"})
        guest.refused("auth.account_required", "host.record", {"on": True})
        for wrong in ({}, {"on": 1}, {"on": None}):
            host.refused("request.invalid", "host.record", wrong)
        equal(host.data("host.record", {"on": False}), {"recorded": False}, "not recorded")
        equal(host.data("host.record", {"on": True}), {"recorded": True}, "recorded")
        ada.data("room.update", room=ada.room, replays=False)
        until(lambda: ada.now()["room"].get("recorded") is None, "without replays nothing is recorded")
        host.refused("recording.off", "host.record", {"on": True})
        ada.data("room.update", room=ada.room, replays=True)
        equal(ada.now()["room"].get("recorded"), None, "when replays are kept again, nobody is recorded unasked")
    with Client(ada.token) as nobody:
        nobody.refused("room.not_joined", "host.record", {"on": True})
    bob = recording_owner()
    Broadcast(bob, file_of("one")).end()
    until(lambda: bob.playback()["playback"]["state"] == 0, "it is over", 20)
    equal(recordings(bob), [], "whoever does not agree")


@check("a track of the library that a host plays is not recorded")
def _():
    ada = recording_owner()
    cast = Broadcast(ada, "--record", "--music", ada.tracks["Low"], file_of("one"))
    said = cast.end()
    until(lambda: ada.data("replay.list", room=ada.room)["replays"], f"a replay; {said}")
    until(lambda: ada.playback()["playback"]["state"] == 0, "it is over", 20)
    equal(recordings(ada), [], "recordings")


@check("the host and the owner remove a recording, others may not; it goes with the replay and with the account")
def _():
    ada = recording_owner()
    for _ in range(2):
        Broadcast(ada, "--record", file_of("one")).end()
        until(lambda: ada.playback()["playback"]["state"] == 0, "it is over", 20)
    found = until(lambda: [one for one in [recordings(ada)] if len(one) == 2], "two recordings")[0]
    stranger = account()["access_token"]
    named = {"recording": found[0]["id"]}
    equal(code("replay.remove_recording", named, stranger), "room.forbidden", "a stranger")
    equal(code("replay.remove_recording", {"recording": "01JDQ6Z3M8R5V2K7X4N9T1B0CF"}, ada.token), "recording.not_found", "none")
    equal(code("replay.remove_recording", {"recording": "x"}, ada.token), "request.invalid", "no identifier")
    ada.data("room.update", room=ada.room, visibility="private")
    equal(code("replay.remove_recording", named, stranger), "recording.not_found", "a stranger of a private room")
    equal(ada.data("replay.remove_recording", **named), {}, "its host")
    equal(fetched(found[0]["stream"])[0], 404, "the sound is gone")
    equal([one["id"] for one in recordings(ada)], [found[1]["id"]], "the other one is there")
    (replay,) = ada.data("replay.list", room=ada.room)["replays"]
    ada.data("room.update", room=ada.room, replays=False)
    ada.data("replay.remove", replay=replay["id"])
    equal(fetched(found[1]["stream"])[0], 404, "it goes with the replay")


@check("after kill -9 all but the last second is there, and can be played")
def _():
    ada = recording_owner()
    cast = Broadcast(ada, "--record", "--loop", file_of("one"))
    until(lambda: ada.playing() == "one", "it plays", 15)
    begun = time.monotonic()
    time.sleep(4.5)
    heard = time.monotonic() - begun
    stage.SERVER.kill()
    cast.process.kill()
    cast.process.communicate()
    stage.SERVER.revive()
    found = until(lambda: recordings(ada), "the recording is there")
    length = sum(one["length_ms"] for one in found) / 1000
    true(heard - 1.5 < length, f"{length} s of more than {heard} s")
    samples = [sample for one in found for sample in sound(fetched(one["stream"])[1])]
    true(abs(len(samples) / 48_000 - length) < 0.05, f"{len(samples) / 48_000} s, {length} by what is stored")
    true(abs(pitch(samples) - 440) <= 4, f"{pitch(samples)} Hz")


@check("sonactl lists what is recorded, and removes it")
def _():
    ada = recording_owner()
    Broadcast(ada, "--record", file_of("two")).end()
    until(lambda: ada.playback()["playback"]["state"] == 0, "it is over", 20)
    until(lambda: recordings(ada), "a recording")
    (replay,) = ada.data("replay.list", room=ada.room)["replays"]

    def sonactl(*arguments):
        done = subprocess.run([stage.PROGRAMS / "sonactl", *arguments, "--server", helpers.URL, "--token", ada.token], capture_output=True, text=True,
                              env=os.environ | {"XDG_CONFIG_HOME": str(FOLDER)})
        equal(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout
    line = sonactl("rooms", "replays", "recordings", replay["id"])
    address = line.split()[-1]
    true(address.startswith(helpers.URL) and pitch(sound(fetched(address.removeprefix(helpers.URL))[1])) in range(656, 665), line)
    (one,) = json.loads(sonactl("rooms", "replays", "recordings", "--json", replay["id"]))["recordings"]
    sonactl("rooms", "replays", "remove-recording", one["id"])
    equal(recordings(ada), [], "when it is gone")
