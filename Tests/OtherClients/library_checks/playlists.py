"""playlists.md: lists that several people and devices edit, and what each of them is told."""
import http.client, json, os, random, subprocess, tempfile, threading, time
from urllib.parse import quote, urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import Client, account, check, equal, true

from account_checks.pictures import bomb, png, size_of_webp
from library_checks import stage
from library_checks.stage import data, everything, guest, refused, somebody

WITHIN = 1.0  # seconds in which a second device is told


class Replica:
    """A device that knows a list by one page and by events alone."""
    def __init__(self, token, playlist):
        self.client, self.playlist, self.gaps = Client(token), playlist, 0
        self.load()

    def load(self):
        page = self.client.data("playlist.get", {"playlist": self.playlist, "limit": 500})
        equal(page["next_cursor"], None, "one page")
        self.keys = {entry["id"]: entry["key"] for entry in page["entries"]}
        self.version = page["playlist"]["version"]

    def take(self, event):
        if event["version"] <= self.version:
            return
        if event["before"] != self.version or event["reload"]:
            self.gaps += 1
            return self.load()
        self.keys.update({entry["id"]: entry["key"] for entry in event["added"] + event["moved"]})
        for entry in event["removed"]:
            self.keys.pop(entry, None)
        self.version = event["version"]

    def follow(self, version, seconds=20):
        while self.version < version:
            self.take(self.client.event("playlist.changed", seconds, lambda told: told["id"] == self.playlist)["data"])

    def order(self):
        return sorted(self.keys, key=lambda entry: (self.keys[entry].encode(), entry))


def order(token, playlist):
    entries, cursor = [], None
    while True:
        page = data("playlist.get", {"playlist": playlist, "limit": 40} | ({"cursor": cursor} if cursor else {}), token)
        entries += [entry["id"] for entry in page["entries"]]
        cursor = page["next_cursor"]
        if not cursor:
            return entries


def some_tracks(token, count):
    return [track["id"] for track in data("library.list", {"limit": count}, token)["tracks"]]


@check("a second device is told of each change of a playlist within a second, and needs nothing else")
def _():
    token = somebody()
    tracks = some_tracks(token, 8)
    playlist = data("playlist.create", {"title": "Two devices", "tracks": tracks[:4]}, token)["playlist"]["id"]
    other = Replica(token, playlist)
    with Client(token) as one:
        def edit(kind, **fields):
            began = time.monotonic()
            done = one.data(kind, {"playlist": playlist} | fields)
            other.follow(done["version"], WITHIN)
            true(time.monotonic() - began < WITHIN, f"{kind} took {time.monotonic() - began:.2f} s")
            equal(other.order(), order(token, playlist), f"after {kind}")
            return done
        added = edit("playlist.add", tracks=tracks[4:8], at=1)["added"]
        edit("playlist.move", entries=[added[2]["id"], added[0]["id"]], after=other.order()[-1])
        edit("playlist.remove", entries=[added[1]["id"]])
        one.data("playlist.update", {"playlist": playlist, "title": "Renamed"})
        told = other.client.event("playlist.changed", WITHIN, lambda told: told["playlist"]["title"] == "Renamed")["data"]
        equal(told["playlist"]["tracks"], 7, "tracks")
        one.data("playlist.delete", {"playlist": playlist})
        equal(other.client.event("playlist.changed", WITHIN, lambda told: told["playlist"] is None)["data"]["id"], playlist, "gone")
    equal(other.gaps, 0, "gaps")
    other.client.__exit__()


@check("ten people edit one playlist at once and all end with the order of the server")
def _():
    owner = somebody()
    tracks = some_tracks(owner, 30)
    playlist = data("playlist.create", {"title": "Ten", "tracks": tracks[:10]}, owner)["playlist"]["id"]
    code = data("playlist.invite", {"playlist": playlist}, owner)["code"]
    tokens = [owner] + [somebody() for _ in range(9)]
    for token in tokens[1:]:
        equal(data("playlist.accept", {"playlist": playlist, "code": code}, token)["playlist"]["role"], "collaborator", "role")
    replicas = [Replica(token, playlist) for token in tokens]
    seed, wrong = random.randrange(1 << 32), []

    def walk(number):
        dice = random.Random(seed + number)
        try:
            for _ in range(15):
                known = order(tokens[number], playlist)
                entry = dice.choice(known) if known else None
                what = dice.random()
                if what < 0.25 and entry:
                    data("playlist.remove", {"playlist": playlist, "entries": [entry]}, tokens[number])
                elif what < 0.6 and entry:
                    data("playlist.move", {"playlist": playlist, "entries": [entry], "at": dice.randrange(len(known))}, tokens[number])
                else:
                    data("playlist.add", {"playlist": playlist, "tracks": [dice.choice(tracks)], "key": str(dice.random())}
                         | ({"before": entry} if entry else {}), tokens[number])
        except Exception as error:  # told by the check itself
            wrong.append(error)

    threads = [threading.Thread(target=walk, args=(number,)) for number in range(10)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    true(not wrong, f"seed {seed}: {wrong[:1]}")
    page = data("playlist.get", {"playlist": playlist}, owner)
    final = order(owner, playlist)
    equal(page["total"], len(final), f"seed {seed}: the count")
    for number, replica in enumerate(replicas):
        replica.follow(page["playlist"]["version"])
        equal(replica.order(), final, f"seed {seed}: the list of person {number}")
        equal(replica.gaps, 0, f"seed {seed}: gaps of person {number}")
        replica.client.__exit__()


@check("private playlists do not exist for others, unlisted ones by link alone, and blocks hide all")
def _():
    ada, ben = account(), account()
    mine, others = ada["access_token"], (ben["access_token"], guest())
    word = helpers.some_name()
    made = {kind: data("playlist.create", {"title": f"{word} {kind}", "visibility": kind}, mine)["playlist"]["id"]
            for kind in ("private", "unlisted", "public")}
    for token in others:
        refused("playlist.not_found", "playlist.get", {"playlist": made["private"]}, token)
        equal(data("playlist.get", {"playlist": made["unlisted"]}, token)["total"], 0, "by link")
        equal([one["id"] for one in data("search", {"query": word}, token)["playlists"]], [made["public"]], "search")
    refused("playlist.not_found", "playlist.pin", {"playlist": made["private"]}, others[0])
    refused("auth.account_required", "playlist.create", {"title": "x"}, others[1])
    data("playlist.pin", {"playlist": made["public"]}, others[0])
    data("people.block", {"user": ben["user"]["uid"]}, mine)
    refused("playlist.not_found", "playlist.get", {"playlist": made["public"]}, others[0])
    equal(data("playlist.list", {"scope": "pinned"}, others[0])["playlists"], [], "pins")
    equal(data("search", {"query": word}, others[0])["playlists"], [], "search after the block")


@check("a playlist goes out in three formats and comes in again, also as a long file")
def _():
    token = somebody()
    # Files of the same path, title and length are the same to a list in a file.
    tracks = [track["id"] for track in everything("tracks", token)][:60]
    playlist = data("playlist.create", {"title": "Out", "tracks": tracks}, token)["playlist"]["id"]
    for kind in ("m3u8", "xspf", "jspf"):
        text = data("playlist.export", {"playlist": playlist, "format": kind}, token)["text"]
        at = urlsplit(helpers.URL)
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
        link.request("POST", f"/v1/playlists/import?format={kind}&title={quote('Ins & ' + kind)}", text.encode(),
                     {"Authorization": f"Bearer {token}"})
        done = json.loads(link.getresponse().read())["data"]
        equal((done["added"], done["missing_count"], done["playlist"]["title"]), (60, 0, f"Ins & {kind}"), kind)
        if kind != "m3u8":
            page = data("playlist.get", {"playlist": done["playlist"]["id"], "limit": 500}, token)
            equal([entry["track"]["id"] for entry in page["entries"]], tracks, f"the tracks of {kind}")
    done = data("playlist.import", {"text": "#EXTM3U\n#EXTINF:12,Nobody - Nothing\nnowhere.mp3\n"}, token)
    equal(done["missing"], [{"place": 1, "text": "Nobody - Nothing"}], "missing")
    refused("playlist.unreadable", "playlist.import", {"text": "<playlist>"}, token)
    refused("upload.too_large", "playlist.import", {"text": "#" * 60_001}, token)
    for size, wanted in ((4_194_304, (422, "playlist.unreadable")), (4_194_305, (413, "upload.too_large")), (5_242_881, (413, "upload.too_large"))):
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
        link.request("POST", "/v1/playlists/import?format=jspf", b"{" * size, {"Authorization": f"Bearer {token}"})
        answer = link.getresponse()
        equal((answer.status, json.loads(answer.read())["error"]["code"]), wanted, f"a file of {size} bytes")


def send_picture(playlist, image, token):
    """(status, data or error) of POST /v1/playlists/<id>/picture."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    link.request("POST", f"/v1/playlists/{playlist}/picture", image, {"Authorization": f"Bearer {token}"} if token else {})
    answer = link.getresponse()
    told = json.loads(answer.read())
    link.close()
    return answer.status, told.get("data") or told["error"]


def get(path):
    """(status, bytes) of an address."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    link.request("GET", path)
    answer = link.getresponse()
    body = answer.read()
    link.close()
    return answer.status, body


@check("a playlist has a picture of its own, which devices are told of, links show, and sonactl sets and takes away")
def _():
    token, other = somebody(), somebody()
    playlist = data("playlist.create", {"title": "Pictured", "visibility": "public", "tracks": some_tracks(token, 3)}, token)["playlist"]["id"]
    true("picture" not in data("playlist.get", {"playlist": playlist}, token)["playlist"], "a picture before there is one")
    with Client(token) as device:
        status, told = send_picture(playlist, png(200, 100), token)
        equal(status, 200, f"{told}")
        first = told["playlist"]["picture"]
        equal((first["width"], first["height"]), (200, 100), "its size")
        event = device.event("playlist.changed", WITHIN, lambda told: told["id"] == playlist)["data"]
        equal((event["playlist"]["picture"], event["version"]), (first, told["playlist"]["version"]), "the event")
    for size, wanted in (("32", (32, 32)), ("64", (64, 64)), ("full", (200, 100))):
        status, image = get(f"/v1/photos/{first['id']}/{size}")
        equal((status, size_of_webp(image)), (200, wanted), size)
    page = get(f"/playlists/{playlist}")[1].decode()
    true(f"/v1/photos/{first['id']}/full" in page and "Picture of the playlist" in page, "the card of its link")
    for image, wanted, code in ((b"no picture", 415, "photo.type_unsupported"), (bytes(5_242_881), 413, "photo.too_large"),
                                (bomb(20_000), 422, "photo.too_many_pixels"), (png(40, 30)[:60], 422, "photo.damaged")):
        equal((lambda status, error: (status, error["code"]))(*send_picture(playlist, image, token)), (wanted, code), code)
    for who, named, code in ((other, playlist, "playlist.forbidden"), (guest(), playlist, "auth.account_required"),
                             (None, playlist, "auth.required"), (token, "0" * 26, "playlist.not_found"), (token, "none", "playlist.not_found")):
        equal(send_picture(named, png(), who)[1]["code"], code, code)
    refused("playlist.forbidden", "playlist.remove_picture", {"playlist": playlist}, other)
    copy = data("playlist.copy", {"playlist": playlist}, other)["playlist"]
    true("picture" not in copy and copy["covers"] == told["playlist"]["covers"], "the copy shows its covers")
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(png(64, 64, shade=9))
        file.flush()
        second = json.loads(sonactl(token, "playlists", "picture", playlist, file.name, "--json"))["picture"]
    equal((get(f"/v1/photos/{first['id']}/full")[0], get(f"/v1/photos/{second['id']}/full")[0]), (404, 200), "the one before is gone")
    export = data("account.export", {}, token)["export"]["playlists"]["own"]
    equal([one["picture"] for one in export], [second], "export")
    true("picture" not in json.loads(sonactl(token, "playlists", "picture", playlist, "--remove", "--json")), "taken away")
    equal(get(f"/v1/photos/{second['id']}/full")[0], 404, "it is gone")
    status, told = send_picture(playlist, png(), token)
    data("playlist.delete", {"playlist": playlist}, token)
    equal(get(f"/v1/photos/{told['playlist']['picture']['id']}/full")[0], 404, "gone with its playlist")


def sonactl(token, *arguments):
    """What sonactl prints."""
    done = subprocess.run([stage.SERVER.programs / "sonactl", "--server", helpers.URL, *arguments], capture_output=True, text=True,
                          env=os.environ | {"SONA_TOKEN": token}, stdin=subprocess.DEVNULL, timeout=30)
    equal(done.returncode, 0, f"sonactl {arguments}: {done.stderr[-300:]}")
    return done.stdout


@check("an account's export has its playlists, and its removal takes them along")
def _():
    ada, ben = account(), somebody()
    token = ada["access_token"]
    tracks = some_tracks(token, 2)
    playlist = data("playlist.create", {"title": "Mine", "visibility": "public", "tracks": tracks}, token)["playlist"]["id"]
    data("playlist.pin", {"playlist": playlist}, ben)
    reply = data("account.export", {}, token)
    own = reply["export"]["playlists"]["own"]
    equal([(one["title"], [entry["track"] for entry in one["entries"]]) for one in own], [("Mine", tracks)], "export")
    data("account.remove", {"code": reply["code"]}, token)
    refused("playlist.not_found", "playlist.get", {"playlist": playlist}, ben)
    equal(data("playlist.list", {"scope": "pinned"}, ben)["playlists"], [], "pins")
