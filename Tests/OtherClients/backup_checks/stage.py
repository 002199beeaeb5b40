"""The server, what is in it, its backups, and writers beside them."""
import hashlib, http.client, io, json, pathlib, random, shutil, sqlite3, subprocess, sys, tempfile, threading, time, wave
from urllib.parse import urlsplit

from account_checks.pictures import png
from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true  # noqa: F401
from room_checks.server import MortalServer

SERVER = None
PROGRAMS, LONG, SEED = None, False, 0  # set by __main__
TESTS = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="sona-backups-"))
MUSIC, PLACE, PASSPHRASE = FOLDER / "music", FOLDER / "backups", FOLDER / "passphrase"
PEOPLE = []  # grants, with what belongs to them: room, photo, track, upload


def start():
    global SERVER
    subprocess.run([sys.executable, TESTS / "Library" / "make_folder.py", MUSIC, "--count", "60"], check=True,
                   stdout=subprocess.DEVNULL)
    PASSPHRASE.write_text("correct horse battery staple\n")
    PASSPHRASE.chmod(0o600)
    SERVER = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "1000", "--music", str(MUSIC))


def stop():
    if SERVER:
        SERVER.stop()
    shutil.rmtree(FOLDER, ignore_errors=True)


def sound(seconds, seed):
    """A WAV file of noise: no two are the same."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(random.Random(seed).randbytes(4 * int(48_000 * seconds)))
    return out.getvalue()


def http_ask(method, path, token=None, body=None):
    """(status, bytes)."""
    link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=60)
    link.request(method, path, body, {"Authorization": f"Bearer {token}"} if token else {})
    answer = link.getresponse()
    found = answer.status, answer.read()
    link.close()
    return found


def data(kind, fields=None, token=None):
    status, body, _ = rpc(kind, fields or {}, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:200]}")
    return body["data"]


def upload(token, content):
    status, raw = http_ask("PUT", "/v1/uploads/noise.wav", token, content)
    true(status in (200, 201), f"an upload: {status} {raw[:200]}")
    return hashlib.sha256(content).hexdigest()


def fill():
    """Five people, each with a photo, a room, a playlist and an upload."""
    for number in range(5):
        one = account()
        token = one["access_token"]
        status, raw = http_ask("POST", "/v1/photo", token, png(shade=20 * number))
        equal(status, 200, f"a photo: {raw[:200]}")
        one["photo"] = json.loads(raw)["data"]["profile"]["photo"]["id"]
        one["playlist"] = data("playlist.create", {"title": f"Nights {number}"}, token)["playlist"]["id"]
        one["content"] = sound(1 + number, number)
        one["hash"] = upload(token, one["content"])
        PEOPLE.append(one)


def sona(*arguments, status=0, seconds=120):
    """Runs a command of `sona`; (what it prints, what it complains of)."""
    done = subprocess.run([PROGRAMS / "sona", *map(str, arguments)], capture_output=True, text=True, timeout=seconds)
    equal(done.returncode, status, f"sona {' '.join(map(str, arguments[:3]))}: {done.stdout[-200:]} {done.stderr[-300:]}")
    return done.stdout, done.stderr


def create(place=None, *more, data_folder=None):
    """Makes a backup; what it tells of it."""
    out, _ = sona("backup", "create", place or PLACE, "--data", data_folder or SERVER.data, "--passphrase-file", PASSPHRASE,
                  "--json", *more)
    return json.loads(out)


def names(place=None):
    return [json.loads(line)["name"] for line in sona("backup", "list", place or PLACE, "--json")[0].splitlines()]


def verify(place=None, *more, status=0):
    return [json.loads(line) for line in sona("backup", "verify", place or PLACE, "--json", *more, status=status)[0].splitlines()]


def restore(target, place=None, *more, status=0):
    return sona("restore", place or PLACE, "--data", target, "--passphrase-file", PASSPHRASE, *more, status=status)


def size(folder):
    """Bytes of all files under a folder."""
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def rows(folder):
    """Every row of every ordinary table, by table: virtual ones need the server's own tokenizer."""
    with sqlite3.connect(f"file:{folder}/sona.sqlite?mode=ro", uri=True) as link:
        tables = [name for name, sql in link.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
                  if sql and not sql.upper().startswith("CREATE VIRTUAL")]
        found = {name: sorted(map(repr, link.execute(f'SELECT * FROM "{name}"'))) for name in tables}
    link.close()
    return found


def check_database(folder):
    """SQLite's own checks, as another program makes them; the names of all uploads."""
    with sqlite3.connect(f"file:{folder}/sona.sqlite?mode=ro", uri=True) as link:
        equal(link.execute("PRAGMA foreign_key_check").fetchall(), [], "references between rows")
        equal(link.execute("PRAGMA user_version").fetchone()[0] > 0, True, "the version")
        found = [bytes(row[0]).hex() for row in link.execute("SELECT content FROM media_contents")]
    link.close()
    return found


def check_contents(folder, hashes):
    for name in hashes:
        path = pathlib.Path(folder) / "media" / name[:2] / name[2:4] / name
        equal(hashlib.sha256(path.read_bytes()).hexdigest(), name, f"the file of the upload {name}")


class Writers:
    """Writes by requests over HTTP, so many a second, until the end of the block."""
    def __init__(self, rate=200, threads=4):
        self.rate, self.threads, self.done, self.ending, self.failure = rate, threads, 0, False, None
        self.lock = threading.Lock()

    def work(self, person, number):
        link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=30)
        begun, count = time.monotonic(), 0
        headers = {"Authorization": f"Bearer {person['access_token']}", "Content-Type": "application/json"}
        while not self.ending:
            wait = begun + count * self.threads / self.rate - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            count += 1
            link.request("POST", "/v1/rpc/playlist.update",
                         json.dumps({"playlist": person["playlist"], "title": f"{number} {count}"}), headers)
            answer = link.getresponse()
            raw = answer.read()
            if answer.status != 200:
                self.failure = f"{answer.status} {raw[:200]}"
                return
            with self.lock:
                self.done += 1
        link.close()

    def __enter__(self):
        self.begun = time.monotonic()
        self.running = [threading.Thread(target=self.work, args=(PEOPLE[k], k)) for k in range(self.threads)]
        for one in self.running:
            one.start()
        return self

    def __exit__(self, *_):
        self.ending = True
        for one in self.running:
            one.join()
        self.per_second = self.done / (time.monotonic() - self.begun)
        true(self.failure is None, f"a write: {self.failure}")


def eventually(condition, what, seconds=15):
    end = time.monotonic() + seconds
    while not (found := condition()):
        true(time.monotonic() < end, what)
        time.sleep(0.1)
    return found


def wait_for_scans(seconds=60):
    """Until the music folder is in the library, and its jobs are done."""
    def figures():
        text = SERVER.metrics()
        return [line for line in text.splitlines() if line.startswith(("sona_music_scans_running ", 'sona_jobs{state="running"}',
                                                                       'sona_jobs{state="queued"}'))]
    eventually(lambda: all(line.endswith(" 0") for line in figures()), "scans and jobs do not end", seconds)
    time.sleep(1)


class Second(MortalServer):
    """Another server, on another data folder."""
