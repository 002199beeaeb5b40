"""What there is: folders, artists, albums, songs, lists and search."""
from protocol_checks.helpers import check, equal, true
from subsonic_checks import stage


@check("folders, artists, albums and songs lead to each other")
def _():
    app = stage.app()
    folders = {one["name"]: one["id"] for one in app.ok("getMusicFolders")["musicFolders"]["musicFolder"]}
    true({"Discs", "Tapes"} <= set(folders), str(folders))
    artists = app.ok("getArtists")["artists"]["index"]
    letters = {index["name"]: [one["name"] for one in index["artist"]] for index in artists}
    equal(letters, {"A": ["Ada"], "C": ["The Cats"], "Z": ["Zoë"]}, "by letters")
    ada = artists[0]["artist"][0]
    equal(ada["albumCount"], 1, "albums of Ada")
    (album,) = app.ok("getArtist", id=ada["id"])["artist"]["album"]
    equal((album["name"], album["songCount"], album["year"], album["genre"]), ("First Light", 5, 2001, "Rock"))
    songs = app.ok("getAlbum", id=album["id"])["album"]["song"]
    equal([(song["title"], song["track"], song["suffix"]) for song in songs], [(f"Song {n}", n, "flac") for n in range(1, 6)])
    equal(app.ok("getSong", id=songs[0]["id"])["song"], songs[0], "alone as in its album")
    song = songs[2]
    equal((song["albumId"], song["artistId"], song["parent"], song["isDir"], song["contentType"], song["duration"]),
          (album["id"], ada["id"], album["id"], False, "audio/flac", 9))
    true(song["size"] > 1000 and song["path"].endswith("03 Song 3.flac"), str(song))


@check("folders are browsed as trees, too")
def _():
    app = stage.app()
    indexes = app.ok("getIndexes")["indexes"]
    true(indexes["lastModified"] > 1_500_000_000_000, str(indexes["lastModified"]))
    artist = indexes["index"][0]["artist"][0]
    directory = app.ok("getMusicDirectory", id=artist["id"])["directory"]
    equal([(one["title"], one["isDir"]) for one in directory["child"]], [("First Light", True)])
    songs = app.ok("getMusicDirectory", id=directory["child"][0]["id"])["directory"]
    equal((songs["name"], len(songs["child"])), ("First Light", 5))
    folders = {one["name"]: one["id"] for one in app.ok("getMusicFolders")["musicFolders"]["musicFolder"]}
    tape = app.ok("getMusicDirectory", id=folders["Tapes"])["directory"]
    equal([one["title"] for one in tape["child"]], ["Zoë"])
    equal([one["artist"][0]["name"] for one in app.ok("getArtists", musicFolderId=folders["Tapes"])["artists"]["index"]], ["Zoë"])
    app.fails(70, "getMusicDirectory", id="777")


@check("lists of albums have their orders, and pages that join")
def _():
    app = stage.App()

    def names(**fields):
        return [one["name"] for one in app.ok("getAlbumList2", **fields)["albumList2"]["album"]]

    equal(names(type="alphabeticalByName"), ["First Light", "Night & Sea"])
    equal(names(type="alphabeticalByName", size=1, offset=1), ["Night & Sea"])
    equal(names(type="alphabeticalByName", size=1, offset=2), [])
    equal(names(type="alphabeticalByArtist"), ["First Light", "Night & Sea"])
    equal(names(type="byYear", fromYear=2005, toYear=2020), ["Night & Sea"])
    equal(names(type="byYear", fromYear=2020, toYear=1990), ["Night & Sea", "First Light"])
    equal(names(type="byGenre", genre="Jazz"), ["Night & Sea"])
    equal(sorted(names(type="newest")), ["First Light", "Night & Sea"])
    equal(sorted(names(type="random")), ["First Light", "Night & Sea"])
    for kind in ("starred", "highest", "frequent", "recent"):
        equal(names(type=kind), [], f"{kind} of a new account")
    folder = {one["name"]: one["id"] for one in app.ok("getMusicFolders")["musicFolders"]["musicFolder"]}
    equal(names(type="alphabeticalByName", musicFolderId=folder["Tapes"]), [])
    equal([one["title"] for one in app.ok("getAlbumList", type="alphabeticalByName")["albumList"]["album"]],
          ["First Light", "Night & Sea"])


@check("genres, songs of one, and songs at random")
def _():
    app = stage.app()
    genres = {one["value"]: (one["songCount"], one["albumCount"]) for one in app.ok("getGenres")["genres"]["genre"]}
    equal(genres, {"Rock": (5, 1), "Jazz": (3, 1)})
    jazz = app.ok("getSongsByGenre", genre="Jazz", count=2, offset=1)["songsByGenre"]["song"]
    equal([song["title"] for song in jazz], ['Łódź <2> & "more"', 'Łódź <3> & "more"'])
    some = app.ok("getRandomSongs", size=4, genre="Rock")["randomSongs"]["song"]
    equal(len({song["id"] for song in some}), 4)
    equal({song["album"] for song in app.ok("getRandomSongs", size=50, fromYear=2005)["randomSongs"]["song"]}, {"Night & Sea"})


@check("search finds by beginnings, and everything by an empty query, page by page")
def _():
    app = stage.app()
    found = app.ok("search3", query="lodz")["searchResult3"]
    equal((len(found["song"]), found["album"], found["artist"]), (3, [], []))
    found = app.ok("search3", query="ada first")["searchResult3"]
    equal(([one["name"] for one in found["album"]], len(found["song"])), (["First Light"], 5))
    equal([one["name"] for one in app.ok("search3", query="cats", albumCount=0, songCount=0)["searchResult3"]["artist"]], ["The Cats"])
    titles = [app.ok("search3", query='""', songCount=2, songOffset=offset, albumCount=0, artistCount=0)["searchResult3"]["song"]
              for offset in range(0, 12, 2)]
    titles = [song["title"] for page in titles for song in page]
    equal((len(titles), len(set(titles)), titles[0]), (len(stage.SONGS), len(stage.SONGS), "Alone"))
    equal(app.ok("search2", query="night")["searchResult2"]["album"][0]["isDir"], True)


@check("what goes together, and what is said of artists and albums")
def _():
    app = stage.app()
    songs, albums = stage.songs(app), stage.albums(app)
    ada = songs["Song 1"]["artistId"]
    top = app.ok("getTopSongs", artist="Ada", count=3)["topSongs"]["song"]
    equal((len(top), {song["artist"] for song in top}), (3, {"Ada"}))
    near = app.ok("getSimilarSongs", id=songs["Song 1"]["id"], count=3)["similarSongs"]["song"]
    true(songs["Song 1"]["id"] not in [song["id"] for song in near], "it goes with itself")
    app.ok("getSimilarSongs2", id=ada, count=3)
    info = app.ok("getArtistInfo2", id=ada)["artistInfo2"]
    true(info["largeImageUrl"].startswith("http://127.0.0.1"), str(info))
    app.ok("getArtistInfo", id=albums["First Light"]["id"])
    info = app.ok("getAlbumInfo2", id=albums["First Light"]["id"])["albumInfo"]
    true("/v1/covers/" in info["mediumImageUrl"], str(info))


@check("words, with times and by title")
def _():
    app = stage.app()
    songs = stage.songs(app)
    (words,) = app.ok("getLyricsBySongId", id=songs["Song 1"]["id"])["lyricsList"]["structuredLyrics"]
    equal((words["synced"], words["line"]), (True, [{"start": 1500, "value": "One"}, {"start": 3000, "value": "Two"}]))
    equal(app.ok("getLyricsBySongId", id=songs["Song 2"]["id"])["lyricsList"]["structuredLyrics"], [])
    equal(app.ok("getLyrics", artist="Ada", title="Song 1")["lyrics"]["value"], "One\nTwo")
    equal(app.ok("getLyrics", artist="Ada", title="Nothing")["lyrics"]["value"], "")


@check("the account, the scan and what is not there are told")
def _():
    app = stage.app()
    user = app.ok("getUser", username=app.user)["user"]
    equal((user["username"], user["adminRole"], user["streamRole"]), (app.user, False, True))
    equal(len(app.ok("getUsers")["users"]["user"]), 1)
    status = app.ok("getScanStatus")["scanStatus"]
    equal((status["scanning"], status["count"]), (False, len(stage.SONGS)))
    equal(app.ok("getLicense")["license"]["valid"], True)
    app.ok("getPodcasts"), app.ok("getNewestPodcasts"), app.ok("getNowPlaying")


@check("tracks that an account does not see are not found by any way")
def _():
    app, admin = stage.App(), stage.admin()
    alone = stage.songs(app)["Alone"]
    stage.data("library.folder_update", {"folder": "Tapes", "audience": "admins"}, admin)
    try:
        true("Alone" not in stage.songs(app), "in the search")
        app.fails(70, "getSong", id=alone["id"])
        app.fails(70, "stream", id=alone["id"])
        app.fails(70, "getArtist", id=alone["artistId"])
        app.fails(70, "star", id=alone["id"])
        true("Tapes" not in [one["name"] for one in app.ok("getMusicFolders")["musicFolders"]["musicFolder"]], "the folder")
    finally:
        stage.data("library.folder_update", {"folder": "Tapes", "audience": "accounts"}, admin)


@check("Amperfy's first requests find what it reads, in XML")
def _():
    """The order of its requests, and the attributes that it takes from the answers."""
    app = stage.App()

    def ask(name, **fields):
        status, body, headers = app.raw(name, v="1.13.0", c="Amperfy", **fields)
        equal(status, 200, name)
        root = stage.parsed(body)
        equal(root.attrib["status"], "ok", name)
        return root

    def has(element, *names):
        for name in names:
            true(name in element.attrib, f"{element.tag} has no {name}: {element.attrib}")

    equal(stage.ask("ping", {})[0], 200, "without anything")
    true(ask("ping").attrib["version"].count(".") == 2, "a version of three numbers")
    has(ask("getGenres")[0][0], "songCount", "albumCount")
    for index in ask("getArtists")[0]:
        has(index[0], "id", "name", "albumCount", "coverArt")
    albums, offset = [], 0
    while True:
        page = ask("getAlbumList2", type="alphabeticalByName", size=1, offset=offset)[0]
        albums += list(page)
        offset += len(page)
        if not len(page):
            break
    equal(len(albums), 2, "albums, one a page")
    has(albums[0], "id", "name", "artist", "artistId", "coverArt", "songCount", "duration", "year", "genre")
    ask("getPlaylists"), ask("getPodcasts", includeEpisodes="false")
    song = ask("getAlbum", id=albums[0].attrib["id"])[0].find(f"{stage.NAMESPACE}song")
    has(song, "id", "title", "track", "year", "duration", "size", "contentType", "coverArt", "discNumber", "isDir", "artistId", "albumId")
    equal(ask("getSong", id=song.attrib["id"])[0].attrib["title"], song.attrib["title"])
    ask("getArtist", id=albums[0].attrib["artistId"])
    for name in ("getStarred2", "getRandomSongs", "getMusicFolders", "getIndexes", "getInternetRadioStations"):
        ask(name)
    equal(len(ask("search3", query="song", artistCount=0, albumCount=0, songCount=40)[0]), 5, "songs alone")
    status, body, headers = app.raw("stream", v="1.13.0", c="Amperfy", id=song.attrib["id"], format="mp3", maxBitRate=0)
    equal((status, headers["content-type"]), (200, song.attrib["contentType"]), "to be kept")
