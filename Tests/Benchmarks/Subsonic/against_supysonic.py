"""How fast a library of 100 000 tracks is listed by OpenSubsonic, and by supysonic from the same music in the same run.

    python3 Tests/Benchmarks/Subsonic/against_supysonic.py BIN-FOLDER [--tracks N] [--albums N]

Needs Debian's supysonic and gunicorn, whose database is filled directly, as ours is: neither server reads a file. BIN-FOLDER should hold
a release build. Prints a line of JSON: seconds for each page of 500 albums by name, and for each `getAlbum`, of both.
"""
import argparse, hashlib, http.client, json, os, pathlib, random, re, shutil, socket, sqlite3, subprocess, sys, tempfile, time
import urllib.parse, uuid

LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
WHEN = "2026-11-26 00:00:00"
#: `TrackMeasureRecord.currentVersion`.
MEASURE = 1
SUPYSONIC = pathlib.Path("/usr/lib/python3/dist-packages/supysonic")


def music(tracks, seed=1):
    """(artists, albums): names, and (name, artist's place, year, genre, [(title, ms)])."""
    dice = random.Random(seed)
    words = ["".join(dice.choice("abcdefghijklmnoprstuw") for _ in range(dice.randint(3, 9))) for _ in range(3000)]

    def name():
        return " ".join(dice.choice(words).title() for _ in range(dice.randint(1, 3)))

    artists = [f"{name()} {number}" for number in range(max(1, tracks // 50))]
    return artists, [(f"{name()} {number}", dice.randrange(len(artists)), dice.randint(1960, 2025), dice.randrange(30),
                      [(name(), dice.randint(60_000, 400_000)) for _ in range(10)]) for number in range(tracks // 10)]


def fill_sona(path, artists, albums):
    dice, now = random.Random(2), int(time.time() * 1000)
    db = sqlite3.connect(path)
    # The words of titles are found by a tokenizer that is the server's: the lists do not need them.
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_search_%'").fetchall()
    for name, _ in triggers:
        db.execute(f'DROP TRIGGER "{name}"')

    def ulid():
        return "01" + "".join(dice.choice(LETTERS) for _ in range(24))

    folder = db.execute("SELECT min(number) FROM music_folders").fetchone()[0]
    db.execute("INSERT INTO music_directories (number, folder, path) VALUES (1000, ?, ?)", (folder, b"x"))
    for number, name in enumerate(artists, 1000):
        db.execute("INSERT INTO artists (number, id, name, key, sort) VALUES (?, ?, ?, ?, ?)",
                   (number, ulid(), name, name.lower(), name.lower().encode()))
    for genre in range(30):
        db.execute("INSERT INTO genres (number, id, name, key, sort) VALUES (?, ?, ?, ?, ?)",
                   (1000 + genre, ulid(), f"Genre {genre}", f"genre {genre}", f"genre {genre}".encode()))
    track = 1000
    for number, (name, artist, year, genre, titles) in enumerate(albums, 1000):
        by = artists[artist]
        db.execute("INSERT INTO albums (number, id, name, key, artist, artist_key, sort, artist_sort, year, identity, added_ms) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   (number, ulid(), name, name.lower(), by, by.lower(), name.lower().encode(), by.lower().encode(), year, name, now))
        db.execute("INSERT INTO album_artists VALUES (?, 0, ?)", (number, 1000 + artist))
        for place, (title, milliseconds) in enumerate(titles, 1):
            track += 1
            db.execute(
                "INSERT INTO tracks (number, id, title, artist, album_name, title_key, artist_key, album_key, title_sort, artist_sort, "
                "album_sort, album, disc, place, year, duration_ms, kind, bitrate, sample_rate, channels, scope, plays, added_ms, "
                "changed_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, 'flac', 900, 44100, 2, ?, 0, ?, ?)",
                (track, ulid(), title, by, name, title.lower(), by.lower(), name.lower(), title.lower().encode(),
                 by.lower().encode(), name.lower().encode(), number, place, year, milliseconds, folder, now, now))
            db.execute("INSERT INTO track_artists VALUES (?, 0, ?)", (track, 1000 + artist))
            db.execute("INSERT INTO track_genres VALUES (?, 0, ?)", (track, 1000 + genre))
            db.execute("INSERT INTO music_files (directory, name, size, modified_ns, inode, track, has_picture) "
                       "VALUES (1000, ?, 30000000, 1, 1, ?, 0)", (f"{track}.flac".encode(), track))
            # There is nothing to measure: the server would look for the files meanwhile.
            db.execute("INSERT INTO track_measures (track, version, source, problem, measured_ms) VALUES (?, ?, '30000000-1', 'gone', ?)",
                       (track, MEASURE, now))
    for _, sql in triggers:
        db.execute(sql)
    db.execute("ANALYZE")
    db.commit()
    db.close()


def fill_supysonic(path, artists, albums):
    db = sqlite3.connect(path)
    add = db.execute

    def folder(number, root, name, place, parent):
        add("INSERT INTO folder (id, root, name, path, path_hash, created, last_scan, parent_id) VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
            (number, root, name, place, hashlib.sha1(place.encode()).digest(), WHEN, parent))

    folder(1, 1, "Music", "/x", None)
    ids = [uuid.uuid4().bytes for _ in artists]
    for one, name in zip(ids, artists):
        add("INSERT INTO artist VALUES (?, ?)", (one, name))
    for number, (name, artist, year, genre, titles) in enumerate(albums, 2):
        album = uuid.uuid4().bytes
        add("INSERT INTO album VALUES (?, ?, ?)", (album, name, ids[artist]))
        folder(number, 0, name, f"/x/{number}", 1)
        for place, (title, milliseconds) in enumerate(titles, 1):
            file = f"/x/{number}/{place}.flac"
            add("INSERT INTO track (id, disc, number, title, year, genre, duration, has_art, album_id, artist_id, bitrate, path, "
                "path_hash, created, last_modification, play_count, root_folder_id, folder_id) "
                "VALUES (?, 1, ?, ?, ?, ?, ?, 0, ?, ?, 900, ?, ?, ?, 0, 0, 1, ?)",
                (uuid.uuid4().bytes, place, title, year, f"Genre {genre}", milliseconds // 1000, album, ids[artist], file,
                 hashlib.sha1(file.encode()).digest(), WHEN, number))
    add("ANALYZE")
    db.commit()
    db.close()


class Server:
    """Asks over one connection where the server keeps it."""
    def __init__(self, port, sign):
        self.port, self.sign, self.link = port, sign, None

    def ask(self, name, **fields):
        query = urllib.parse.urlencode({**self.sign, "c": "bench", "v": "1.10.2", "f": "json", **fields})
        for again in (True, False):
            try:
                self.link = self.link or http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
                self.link.request("GET", f"/rest/{name}.view?{query}")
                answer = json.loads(self.link.getresponse().read())["subsonic-response"]
                break
            except (OSError, http.client.HTTPException):
                self.link = None
                if not again:
                    raise
        if answer["status"] != "ok":
            sys.exit(f"{name}: {answer}")
        return answer

    def measure(self, pages, singles):
        """Seconds for a page, and for an album."""
        self.ask("ping")
        begin, ids = time.perf_counter(), []
        for page in range(pages):
            ids += [album["id"] for album in self.ask(
                "getAlbumList2", type="alphabeticalByName", size=500, offset=500 * page)["albumList2"]["album"]]
        listed = time.perf_counter() - begin
        begin = time.perf_counter()
        for one in ids[:singles]:
            if len(self.ask("getAlbum", id=one)["album"]["song"]) != 10:
                sys.exit("an album has not ten songs")
        return {"page_s": round(listed / pages, 5), "album_s": round((time.perf_counter() - begin) / min(singles, len(ids)), 5),
                "albums": len(ids)}


def sona(programs, folder, artists, albums, pages, singles):
    data, music_folder = folder / "data", folder / "music"
    music_folder.mkdir()

    def serve():
        process = subprocess.Popen([programs / "sona", "serve", "--data", data, "--music", f"Big={music_folder}", "--listen",
                                    "127.0.0.1:0", "--exempt", "127.0.0.1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in process.stdout:
            if found := re.search(r"listening on http://127.0.0.1:(\d+)", line):
                return process, int(found[1])
        sys.exit("no server")

    process, _ = serve()
    process.terminate(), process.wait()
    fill_sona(data / "sona.sqlite", artists, albums)
    process, port = serve()
    try:
        def rpc(kind, fields, token=None):
            link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            link.request("POST", f"/v1/rpc/{kind}", json.dumps(fields), {
                "Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})})
            return json.load(link.getresponse())["data"]

        made = rpc("auth.sign_up", {"email": "bench@example.org", "username": "bench", "password": "a long password"})
        secret = rpc("app_password.create", {"name": "bench"}, made["access_token"])["secret"]
        return Server(port, {"u": "bench", "p": secret}).measure(pages, singles)
    finally:
        process.terminate(), process.wait()


def supysonic(folder, artists, albums, pages, singles):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    database, home = folder / "supysonic.db", folder / "home"
    home.mkdir()
    (home / ".supysonic").write_text(
        f"[base]\ndatabase_uri = sqlite:///{database}\n[webapp]\ncache_dir = {home}/cache\nmount_webui = off\n"
        f"[daemon]\nsocket = {home}/daemon.sock\n")
    environment = {**os.environ, "HOME": str(home)}
    subprocess.run(["/usr/bin/python3", shutil.which("supysonic-cli"), "user", "add", "bench", "-p", "bench password"], env=environment,
                   cwd=home, check=True, stdout=subprocess.DEVNULL)
    fill_supysonic(database, artists, albums)
    process = subprocess.Popen(["/usr/bin/python3", shutil.which("supysonic-server"), "-S", "gunicorn", "-h", "127.0.0.1", "-p", str(port)],
                               env=environment, cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        return Server(port, {"u": "bench", "p": "bench password"}).measure(pages, singles)
    finally:
        process.terminate(), process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--tracks", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--albums", type=int, default=200)
    given = parser.parse_args()
    if not SUPYSONIC.exists() or not shutil.which("supysonic-server"):
        sys.exit("Debian's supysonic is not here: apt install supysonic gunicorn")
    artists, albums = music(given.tracks)
    pages = min(given.pages, -(-len(albums) // 500))
    with tempfile.TemporaryDirectory(prefix="sona-subsonic-bench-") as name:
        folder = pathlib.Path(name)
        theirs = supysonic(folder, artists, albums, pages, given.albums)
        ours = sona(given.programs.resolve(), folder, artists, albums, pages, given.albums)
    told = {"tracks": given.tracks, "sona": ours, "supysonic": theirs, "load": os.getloadavg()[0],
            "times": {key: round(theirs[key] / ours[key], 1) for key in ("page_s", "album_s")}}
    print(json.dumps(told))
    sys.exit(0 if min(told["times"].values()) >= 10 else 1)


if __name__ == "__main__":
    main()
