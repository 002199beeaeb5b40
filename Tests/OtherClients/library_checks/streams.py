"""tracks.md: access, streams, downloads, tokens and covers."""
import random, re, time

from protocol_checks.helpers import check, equal, true

from library_checks import stage
from library_checks.stage import data, everything, get, guest, refused, somebody


def a_track(kind="flac"):
    """A track, and the bytes of its file."""
    titles = [entry["tags"].get("title") for entry in stage.MANIFEST]
    tracks = everything("tracks", somebody())
    for entry in stage.MANIFEST:
        title = entry["tags"].get("title")
        found = [track for track in tracks if track["title"] == title]
        if entry["format"] == kind and title and titles.count(title) == 1 and len(found) == 1:
            track = found[0]
            return track, (stage.MUSIC / entry["path"]).read_bytes()
    raise stage.helpers.Failure(f"no {kind} of a title of its own")


@check("the bytes of a stream, and of each range of it, are those of the file")
def _():
    token, chance = somebody(), random.Random(3)
    for kind in ("flac", "mp3", "vorbis", "wav"):
        track, whole = a_track(kind)
        path = f"/v1/tracks/{track['id']}/stream"
        status, body, headers = get(path, token)
        equal((status, len(body), body == whole), (200, len(whole), True), f"a {kind}")
        true(headers["accept-ranges"] == "bytes" and headers["etag"].startswith('"'), f"headers: {headers}")
        for _ in range(12):
            first = chance.randrange(len(whole))
            last = chance.randrange(first, len(whole))
            status, body, answer = get(path, token, Range=f"bytes={first}-{last}")
            equal((status, body == whole[first:last + 1]), (206, True), f"{first}-{last} of {len(whole)}")
            equal(answer["content-range"], f"bytes {first}-{last}/{len(whole)}", "Content-Range")
        equal(get(path, token, Range="bytes=-7")[1], whole[-7:], "the last seven")
        equal(get(path, token, Range=f"bytes={len(whole)}-")[0], 416, "behind the end")
        equal(get(path, token, Range="bytes=0-9", If_Range='"another"')[:2], (200, whole), "another state of the file")
        equal(get(path, token, Range="bytes=0-9", If_Range=headers["etag"])[0], 206, "the same state")
        equal(get(path, token, If_None_Match=headers["etag"])[:2], (304, b""), "known already")
        status, body, answer = get(path, token, method="HEAD")
        equal((status, body, answer["content-length"]), (200, b"", str(len(whole))), "HEAD")


@check("a token opens its track alone, and ends with the sign-in")
def _():
    made = stage.account()
    token = made["access_token"]
    one, whole = a_track()
    two, _ = a_track("mp3")
    ticket = data("track.open", {"track": one["id"]}, token)
    equal(get(ticket["stream"])[:2], (200, whole), "without a header")
    key = ticket["token"]
    equal(get(f"/v1/tracks/{two['id']}/stream?t={key}")[0], 401, "another track")
    equal(get(f"/v1/tracks/{one['id']}/stream?t={key[:-2]}")[0], 401, "a part of the token")
    equal(get(f"/v1/tracks/{one['id']}/stream")[0], 401, "nobody")
    equal(get(f"/v1/tracks/{one['id']}/download?t={key}")[0], 401, "downloads take a sign-in")
    true(ticket["expires_ms"] - time.time() * 1000 > 5 * 3_600_000, "six hours")
    data("auth.sign_out", {"refresh_token": made["refresh_token"]}, token)
    equal(get(ticket["stream"])[0], 401, "after the sign-in has ended")


@check("downloads have a name, and are not for guests")
def _():
    track, whole = a_track()
    path = f"/v1/tracks/{track['id']}/download"
    status, body, headers = get(path, somebody())
    equal((status, body == whole), (200, True), "a download")
    true(re.fullmatch(r"attachment; filename\*=UTF-8''[!-~]+\.flac", headers["content-disposition"]),
         headers["content-disposition"])
    equal(get(path, guest())[0], 403, "a guest")


@check("the audience of a folder holds in streams, lists, search and albums alike")
def _():
    uid, chosen, other, visitor = None, stage.account(), somebody(), guest()
    uid = chosen["user"]["uid"]
    theirs = {"folder": "Chosen", "audience": "chosen", "users": [uid]}
    before = {track["id"] for track in everything("tracks", other)}
    data("library.folder_update", theirs, stage.admin())
    try:
        hidden = before - {track["id"] for track in everything("tracks", other)}
        equal(len(hidden), 10, "tracks that are hidden")
        ids = sorted(hidden)
        for token, sees in ((chosen["access_token"], True), (stage.admin(), True), (other, False), (visitor, False)):
            for track in ids[:3]:
                wanted = 200 if sees else 404
                equal(get(f"/v1/tracks/{track}/stream", token)[0], wanted, "stream")
                true(sees or get(f"/v1/tracks/{track}/peaks", token)[0] == 404, "peaks")
                if not sees:
                    refused("track.not_found", "track.get", {"track": track}, token)
                    refused("track.not_found", "track.open", {"track": track}, token)
        title = data("track.get", {"track": ids[0]}, stage.admin())["track"]["title"]
        query = next((word for word in title.split() if word.isalnum()), title[:3])
        found = data("search", {"query": query, "limit": 100}, other)
        true(not hidden & {track["id"] for track in found["tracks"]}, "search")
        for album in everything("albums", other):
            inside = data("album.get", {"album": album["id"]}, other)["tracks"]
            true(not hidden & {track["id"] for track in inside}, "album.get")
    finally:
        data("library.folder_update", theirs | {"audience": "accounts", "users": []}, stage.admin())
    equal({track["id"] for track in everything("tracks", other)}, before, "everybody sees it again")


@check("covers come in three sizes without a token, and again as known")
def _():
    token = somebody()
    track = next(track for track in everything("tracks", token) if track["cover"])
    path = track["cover"]["path"]
    for size in ("64", "256", "full"):
        status, body, headers = get(f"{path}/{size}")
        equal((status, headers["content-type"], body[:4], body[8:12]), (200, "image/webp", b"RIFF", b"WEBP"), size)
        equal(headers["cache-control"], "private, max-age=31536000, immutable", "kept")
        equal(headers["cross-origin-resource-policy"], "same-origin", "other sites")
        equal(get(f"{path}/{size}", If_None_Match=headers["etag"])[0], 304, "known")
    equal(get(f"{path}/32")[0], 404, "a size that is none")
    equal(get(path)[0], 404, "no size")


@check("a key of a cover that was changed or made up opens nothing")
def _():
    token = somebody()
    covers = [track["cover"]["path"] for track in everything("tracks", token) if track["cover"]][:2]
    path = covers[0]
    for place in range(len("/v1/covers/"), len(path)):
        wrong = path[:place] + ("A" if path[place] != "A" else "B") + path[place + 1:]
        equal(get(f"{wrong}/64")[0], 404, f"another letter at {place}")
    equal(get(f"{path}A/64")[0], 404, "longer")
    equal(get(f"{path[:-1]}/64")[0], 404, "shorter")
    start = len("/v1/covers/") + 26
    mixed = covers[1][:start] + path[start:]
    equal(get(f"{mixed}/64")[0], 404, "the key of another track")


@check("albums, artists and genres have covers, and every colour is found")
def _():
    token = somebody()
    titles = {entry["tags"].get("title") for entry in stage.MANIFEST}  # odd files have pictures without a colour
    until = time.time() + 120
    while True:
        tracks = [track for track in everything("tracks", token) if track["cover"] and track["title"] in titles]
        if all(track["cover"]["color"] for track in tracks):
            break
        true(time.time() < until, "colours are found within two minutes")
        time.sleep(2)
    true(all(re.fullmatch("#[0-9a-f]{6}", track["cover"]["color"]) for track in tracks), "colours")
    known = {track["cover"]["path"] for track in everything("tracks", token) if track["cover"]}
    for kind in ("albums", "artists", "genres"):
        covers = [item["cover"] for item in everything(kind, token)]
        true(any(covers), kind)
        true(all(cover["path"] in known for cover in covers if cover), f"{kind} have covers of tracks")


def metrics():
    text = stage.SERVER.metrics()
    return {name: float(value) for name, value in re.findall(r"^(sona_[^ ]+) ([0-9.e+-]+)$", text, re.M)}


@check("the metrics tell the library, its scans, and what is sent of it")
def _():
    track, whole = a_track()
    cover = next(one["cover"]["path"] for one in everything("tracks", somebody()) if one["cover"])
    before = metrics()
    equal(get(f"/v1/tracks/{track['id']}/stream", somebody())[1] == whole, True, "a stream")
    get(f"/v1/tracks/{track['id']}/stream", somebody(), Range="bytes=10-19")
    get(f"/v1/tracks/{track['id']}/download", somebody())
    picture = get(f"{cover}/256")[1]
    after = metrics()
    for kind, count in (("stream", len(whole) + 10), ("download", len(whole)), ("cover", len(picture))):
        name = f'sona_media_sent_bytes_total{{kind="{kind}"}}'
        equal(after[name] - before[name], count, name)
        equal(after[f'sona_media_files_open{{kind="{kind}"}}'], 0, f"no {kind} is open")
    true(after['sona_music_scans_total{result="done"}'] >= 3, "scans")
    true(after["sona_music_scanned_files_total"] >= len(stage.MANIFEST), "files that were looked at")
    true(after["sona_music_last_scan_seconds"] > 0, "the last scan took time")
    equal(after["sona_music_scans_running"], 0, "no scan runs")
    true(after["sona_music_problem_files"] > 0, "files of the folder of odd ones")
    until = time.time() + 30  # the counts are kept for some seconds
    while True:
        found = metrics()
        tracks = sum(value for name, value in found.items() if name.startswith("sona_tracks{"))
        albums = found['sona_albums{state="present"}']
        if (tracks, albums) == (len(everything("tracks", stage.admin())), len(everything("albums", stage.admin()))):
            break
        true(time.time() < until, f"{tracks} tracks and {albums} albums")
        time.sleep(1)


@check("edits are the administrator's, stay, and can be taken back")
def _():
    track, _ = a_track()
    refused("auth.forbidden", "track.update", {"track": track["id"], "title": "Mine"}, somebody())
    edited = data("track.update", {"track": track["id"], "title": "Zzyzx Road", "genres": ["Test"]}, stage.admin())["track"]
    equal((edited["title"], edited["edited"]), ("Zzyzx Road", True), "edited")
    equal(data("search", {"query": "zzyz"}, somebody())["tracks"][0]["id"], track["id"], "found by its new title")
    back = data("track.update", {"track": track["id"], "reset": ["title", "genres"]}, stage.admin())["track"]
    equal((back["title"], back["genres"], back["edited"]), (track["title"], track["genres"], False), "taken back")
    refused("track.in_folder", "track.remove", {"track": track["id"]}, stage.admin())
