"""Stars, ratings, plays, playlists, the queue and bookmarks."""
import time, urllib.error, urllib.request

from protocol_checks.helpers import check, equal, true
from subsonic_checks import stage


@check("stars and ratings are the likes of the account")
def _():
    app = stage.App()
    songs, albums = stage.songs(app), stage.albums(app)
    song, album = songs["Song 2"], albums["Night & Sea"]
    app.ok("star", id=[song["id"], songs["Song 3"]["id"]], albumId=album["id"], artistId=song["artistId"])
    starred = app.ok("getStarred2")["starred2"]
    equal([one["title"] for one in starred["song"]], ["Song 3", "Song 2"], "the last first")
    equal(([one["name"] for one in starred["album"]], [one["name"] for one in starred["artist"]]), (["Night & Sea"], ["Ada"]))
    true(app.ok("getSong", id=song["id"])["song"]["starred"].endswith("Z"), "when")
    equal(len(app.ok("getStarred")["starred"]["song"]), 2)
    equal(stage.data("like.list", {"kind": "track"}, app.token)["count"], 2, "in the page")
    app.ok("unstar", id=song["id"], albumId=album["id"])
    equal(len(app.ok("getStarred2")["starred2"]["song"]), 1)
    equal([one["name"] for one in app.ok("getAlbumList2", type="starred")["albumList2"]["album"]], [])
    app.ok("setRating", id=album["id"], rating=4)
    equal(app.ok("getAlbumList2", type="highest")["albumList2"]["album"][0]["userRating"], 4)
    app.ok("setRating", id=album["id"], rating=0)
    equal(app.ok("getAlbumList2", type="highest")["albumList2"]["album"], [])
    app.fails(0, "setRating", id=album["id"], rating=6)
    app.fails(10, "star")


@check("a scrobble is a play, once")
def _():
    app = stage.App()
    song = stage.songs(app)["Song 4"]
    app.ok("scrobble", id=song["id"], submission="false")
    equal(stage.data("play.list", token=app.token)["plays"], [], "what began only")
    at = int(time.time() * 1000) - 3_600_000
    for _ in range(2):
        app.ok("scrobble", id=song["id"], time=at)
    (play,) = stage.data("play.list", token=app.token)["plays"]
    equal((play["id"], play["at_ms"]), (song["id"], at))
    equal([one["name"] for one in app.ok("getAlbumList2", type="recent")["albumList2"]["album"]], ["First Light"])
    equal([one["name"] for one in app.ok("getAlbumList2", type="frequent")["albumList2"]["album"]], ["First Light"])
    app.fails(70, "scrobble", id="01JDQ6Z3M8R5V2K7X4N9T1B0CF")


@check("playlists are made, filled, changed and removed")
def _():
    app = stage.App()
    songs = stage.songs(app)
    ids = [songs[f"Song {n}"]["id"] for n in (1, 2, 3)]
    made = app.ok("createPlaylist", name="Evening", songId=ids)["playlist"]
    equal((made["name"], made["songCount"], [one["id"] for one in made["entry"]], made["owner"]), ("Evening", 3, ids, app.user))
    app.ok("updatePlaylist", playlistId=made["id"], name="Night", comment="For Łódź", public="true",
           songIdToAdd=[ids[0], ids[0]], songIndexToRemove=[0, 2])
    now = app.ok("getPlaylist", id=made["id"])["playlist"]
    equal((now["name"], now["comment"], now["public"], [one["id"] for one in now["entry"]]),
          ("Night", "For Łódź", True, [ids[1], ids[0], ids[0]]))
    other = stage.App()
    true("Night" in [one["name"] for one in other.ok("getPlaylists")["playlists"]["playlist"]], "a public one")
    other.fails(50, "updatePlaylist", playlistId=made["id"], name="Mine")
    other.fails(50, "deletePlaylist", id=made["id"])
    equal([one["id"] for one in app.ok("createPlaylist", playlistId=made["id"], songId=ids[2])["playlist"]["entry"]], [ids[2]])
    app.fails(70, "updatePlaylist", playlistId=made["id"], songIndexToRemove=7)
    app.ok("deletePlaylist", id=made["id"])
    app.fails(70, "getPlaylist", id=made["id"])


@check("the queue goes from device to device, by song and by place")
def _():
    app = stage.App()
    songs = stage.songs(app)
    ids = [songs[title]["id"] for title in ("Song 1", "Alone", "Song 1")]
    equal(app.ok("getPlayQueue")["playQueue"]["entry"], [], "before")
    app.ok("savePlayQueue", id=ids, current=ids[1], position=4321)
    queue = app.ok("getPlayQueue")["playQueue"]
    equal(([one["id"] for one in queue["entry"]], queue["current"], queue["position"], queue["changedBy"]),
          (ids, ids[1], 4321, "checks"))
    player = stage.data("player.get", token=app.token)
    equal((player["player"]["index"], [one["id"] for one in player["items"]]), (1, ids), "in the page")
    app.ok("savePlayQueueByIndex", id=ids, currentIndex=2, position=1)
    queue = app.ok("getPlayQueueByIndex")["playQueueByIndex"]
    equal((queue["currentIndex"], queue["position"]), (2, 1))
    app.fails(0, "savePlayQueueByIndex", id=ids, currentIndex=3)
    app.fails(0, "savePlayQueue", id=ids, current="x")
    app.ok("savePlayQueue")
    equal(app.ok("getPlayQueue")["playQueue"]["entry"], [], "nothing")


@check("a queue of ten thousand songs comes as a form")
def _():
    app = stage.App()
    songs = stage.songs(app)
    ids = [songs[f"Song {place % 5 + 1}"]["id"] for place in range(10_000)]
    answer = stage.json_of(app.raw("savePlayQueue", method="POST", f="json", id=ids, current=ids[3], position=7))
    equal(answer["status"], "ok", str(answer)[:200])
    player = stage.data("player.get", {"limit": 1}, app.token)["player"]
    equal((player["count"], player["index"], player["position_ms"]), (10_000, 3, 7))
    queue = app.ok("getPlayQueue")["playQueue"]
    equal([one["id"] for one in queue["entry"]], ids, "all of them come back")
    status, _, _ = app.raw("savePlayQueue", method="POST", id=ids * 2)
    equal(status, 413, "twice as many")


@check("bookmarks are kept, one for each song")
def _():
    app = stage.App()
    song = stage.songs(app)["Alone"]
    app.ok("createBookmark", id=song["id"], position=1000, comment="Here")
    app.ok("createBookmark", id=song["id"], position=2500)
    (mark,) = app.ok("getBookmarks")["bookmarks"]["bookmark"]
    equal((mark["position"], mark["entry"]["id"], mark["username"], "comment" in mark), (2500, song["id"], app.user, False))
    app.ok("deleteBookmark", id=song["id"])
    equal(app.ok("getBookmarks")["bookmarks"]["bookmark"], [])
    app.fails(70, "deleteBookmark", id=song["id"])
    app.fails(10, "createBookmark", id=song["id"])


@check("the jukebox is the queue of the account's own room")
def _():
    app = stage.App()
    songs = stage.songs(app)
    ids = [songs[f"Song {n}"]["id"] for n in (1, 2, 3)]
    app.fails(70, "jukeboxControl", action="status")
    room = stage.data("room.create", {"title": "Jukebox"}, app.token)["room"]["id"]

    def titles():
        return [one["title"] for one in app.ok("jukeboxControl", action="get")["jukeboxPlaylist"]["entry"]]

    equal(stage.json_of(app.raw("jukeboxControl", f="json", action="add", id=ids))["jukeboxStatus"]["playing"], False)
    equal(titles(), ["Song 1", "Song 2", "Song 3"])
    app.raw("jukeboxControl", action="remove", index=1)
    equal(titles(), ["Song 1", "Song 3"])
    app.raw("jukeboxControl", action="set", id=[ids[1], ids[0], ids[2]])
    equal(titles(), ["Song 2", "Song 1", "Song 3"])
    app.raw("jukeboxControl", action="start")
    end = time.monotonic() + 20
    while not app.ok("jukeboxControl", action="status")["jukeboxStatus"]["playing"]:
        true(time.monotonic() < end, "it does not play")
        time.sleep(0.2)
    equal(titles()[0], "Song 2", "what plays is the first")
    stations = app.ok("getInternetRadioStations")["internetRadioStations"]["internetRadioStation"]
    (address,) = [one["streamUrl"] for one in stations if one["id"] == room]
    true(address.rsplit("/", 1)[1].startswith(f"{room}.opus"), f"a station: {address}")
    # A private room plays at the address that its owner was given, and at no other.
    stage.data("room.update", {"room": room, "visibility": "private"}, app.token)
    stations = app.ok("getInternetRadioStations")["internetRadioStations"]["internetRadioStation"]
    (address,) = [one["streamUrl"] for one in stations if one["id"] == room]
    with urllib.request.urlopen(address, timeout=20) as sound:
        equal(sound.read(4), b"OggS", "the sound of a private room")
    try:
        urllib.request.urlopen(address.split("?")[0], timeout=20)
        true(False, "a private room is heard without its token")
    except urllib.error.HTTPError as refused:
        true(refused.code in (401, 403, 404), f"{refused.code} without the token")
    stage.data("room.update", {"room": room, "visibility": "public"}, app.token)
    app.raw("jukeboxControl", action="skip", index=2)
    end = time.monotonic() + 20
    while titles()[:1] != ["Song 3"]:
        true(time.monotonic() < end, f"{titles()} after a skip")
        time.sleep(0.2)
    app.raw("jukeboxControl", action="clear")
    app.raw("jukeboxControl", action="stop")
    app.fails(0, "jukeboxControl", action="setGain", gain=0.5)
    app.fails(0, "jukeboxControl", action="dance")
    app.fails(70, "jukeboxControl", action="remove", index=9)
