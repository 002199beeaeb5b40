"""library.md: what a scan has found, lists and search."""
import unicodedata

from protocol_checks.helpers import check, equal, true

from library_checks import stage
from library_checks.stage import data, everything, refused, somebody


def tagged():
    return [entry for entry in stage.MANIFEST if entry["tags"].get("title")]


@check("every file of ten formats is a track, with what its tags say")
def _():
    tracks = everything("tracks", somebody())
    equal(len({track["id"] for track in tracks}), len(tracks), "different identifiers")
    true(len(tracks) >= len(stage.MANIFEST), f"{len(tracks)} tracks of {len(stage.MANIFEST)} files")
    titles = {}
    for track in tracks:
        titles.setdefault(track["title"], []).append(track)
    wrong = []
    for entry in tagged():
        found = titles.get(entry["tags"]["title"], [])
        artists = entry["tags"].get("artists") or []
        if not any(set(artists[:1]) <= {artist["name"] for artist in track["artists"]} for track in found):
            wrong.append((entry["path"], entry["tags"]["title"], artists, [track["artists"] for track in found][:2]))
    true(not wrong, f"{len(wrong)} are missing or have other artists, such as {wrong[:2]}")
    known = {entry["tags"]["title"] for entry in tagged()}
    # Some odd files have the titles of good ones.
    short = [title for title in known if all(track["duration_ms"] < 1 for track in titles.get(title, []))]
    true(not short, f"{len(short)} without a length, such as {short[:1]}")


@check("titles are found by beginnings of their words, in any case and without accents")
def _():
    token, tried = somebody(), 0
    for entry in tagged()[::9]:
        title = entry["tags"]["title"]
        words = [word for word in title.split() if word.isalpha()][:2]
        if not words or not title.isascii() and any(unicodedata.name(c, "").startswith(("CJK", "HIRA", "KATA", "ARAB"))
                                                    for c in title):
            continue
        query = " ".join(word[:max(2, len(word) - 1)] for word in words).upper()
        found = data("search", {"query": query, "limit": 100, "kind": "tracks"}, token)["tracks"]
        tried += 1
        true(title in {track["title"] for track in found}, f"{query!r} does not find {title!r}: {len(found)} others")
    true(tried > 8, f"only {tried} were tried")


@check("lists of albums, artists and genres, and what they hold, agree")
def _():
    token = somebody()
    genres = data("genre.list", token=token)["genres"]
    true(len(genres) >= 3, f"{len(genres)} genres")
    for genre in genres[:3]:
        tracks = everything("tracks", token, genre=genre["id"])
        equal(len(tracks), genre["tracks"], f"tracks of {genre['name']}")
        true(all(genre["id"] in {g["id"] for g in track["genres"]} for track in tracks), "the genre of each")
    for artist in everything("artists", token)[:5]:
        tracks = everything("tracks", token, artist=artist["id"])
        equal(len(tracks), artist["tracks"], f"tracks of {artist['name']}")
    for album in everything("albums", token, sort="added")[:5]:
        whole = data("album.get", {"album": album["id"]}, token)
        equal((len(whole["tracks"]), whole["album"]), (album["tracks"], album), "an album")
    refused("request.invalid", "library.list", {"kind": "artists", "sort": "plays"}, token)
    refused("artist.not_found", "library.list", {"artist": "0" * 26}, token)
    refused("request.invalid", "library.list", {"cursor": "no cursor"}, token)


@check("an outline tells how long a list is, and its cursors begin where it says")
def _():
    token = somebody()
    for kind, sort in (("tracks", "title"), ("tracks", "artist"), ("tracks", "added"), ("tracks", "plays"), ("albums", "added"), ("artists", "title")):
        whole = everything(kind, token, sort=sort)
        outline = data("library.outline", {"kind": kind, "sort": sort}, token)
        equal(outline["total"], len(whole), f"rows of {kind} by {sort}")
        equal(len(outline["cursors"]), max(0, len(whole) - 1) // outline["step"], f"cursors of {kind} by {sort}")
        for place, cursor in enumerate(outline["cursors"], 1):
            first = data("library.list", {"kind": kind, "sort": sort, "limit": 1, "cursor": cursor}, token)[kind][0]
            equal(first["id"], whole[place * outline["step"]]["id"], f"cursor {place} of {kind} by {sort}")
        indexes = [one["index"] for one in outline["letters"]]
        true(indexes == sorted(set(indexes)) and bool(indexes) == (sort in ("title", "artist") and bool(whole)), f"{outline['letters']}")
    refused("request.invalid", "library.outline", {"kind": "artists", "sort": "plays"}, token)
    refused("genre.not_found", "library.outline", {"genre": "0" * 26}, token)


@check("unknown artists are last in the order of artists")
def _():
    tracks = everything("tracks", somebody(), sort="artist")
    known = [bool(track["artists"]) for track in tracks]
    true(not any(after and not before for before, after in zip(known, known[1:])), "a known artist after an unknown one")
    true(not known[-1], "there is no track without an artist, so nothing was tried")
