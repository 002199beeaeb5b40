"""An evening with Maloja, somebody else's service: it gets each listen once, over a restart of both."""
import contextlib, json, os, pathlib, signal, socket, sqlite3, subprocess, sys, time, urllib.request

from protocol_checks.helpers import account, check, equal, true
from verdicts import Skipped

from scrobble_checks import stage
from scrobble_checks.sending import together
from scrobble_checks.services import ListenBrainz
from scrobble_checks.stage import Ears, ask, fetch, hear_alone, tracks, until


def program():
    places = [pathlib.Path(sys.executable).parent / "maloja", pathlib.Path(os.environ.get("SONA_PYTHON", "/")).parent / "maloja"]
    found = next((place for place in places if place.exists()), None)
    if not found:
        raise Skipped("Maloja is not installed: pip install malojaserver")
    return found


class Maloja:
    def __init__(self):
        self.program, self.folder = program(), stage.FOLDER / "maloja"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/apis/listenbrainz"
        self.start()

    def start(self):
        self.folder.mkdir(exist_ok=True)
        settings = {"MALOJA_DATA_DIRECTORY": str(self.folder), "MALOJA_SKIP_SETUP": "true", "MALOJA_FORCE_PASSWORD": "secret",
                    "MALOJA_PORT": str(self.port), "MALOJA_HOST": "127.0.0.1", "MALOJA_LASTFM_API_KEY": "false"}
        self.log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen([self.program, "run"], env=os.environ | settings, stdout=self.log, stderr=self.log, start_new_session=True)
        until(self.answers, "Maloja answers", 40)

    def answers(self):
        true(self.process.poll() is None, "Maloja ends: " + (self.folder / "log").read_text()[-500:])
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/apis/mlj_1/test", timeout=2).status
        except OSError:
            return False

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def token(self):
        # Written when it starts for the first time: NAME: KEY.
        files = list(self.folder.rglob("apikeys.yml"))
        for line in files[0].read_text().splitlines() if files else ():
            name, _, key = line.partition(":")
            if key.strip():
                return key.strip().strip("'\"")
        raise Skipped("Maloja has made no key")

    def listens(self):
        """(seconds since 1970, title) of each, out of its database: its list over HTTP stays empty with an SQLAlchemy that is new."""
        with contextlib.closing(sqlite3.connect(f"file:{next(self.folder.rglob('malojadb.sqlite'))}?mode=ro", uri=True)) as database:
            return sorted(database.execute("SELECT s.timestamp, t.title FROM scrobbles s JOIN tracks t ON t.id = s.track_id"))


@check("an evening, alone and in a room: Maloja has exactly its listens, each once, though it and the server are killed; another listener has their own")
def _():
    maloja, other = Maloja(), ListenBrainz({"t": "bob"})
    ears = []
    try:
        ada, bob, host = (account()["access_token"] for _ in range(3))
        made = ask(ada, "scrobble.connect", service="listenbrainz", address=maloja.url, token=maloja.token())["connection"]
        equal(made["address"], maloja.url, "the path stays")
        ask(bob, "scrobble.connect", service="listenbrainz", address=other.url, token="t")
        room = ask(host, "room.create", title="Evening", visibility="public")["room"]["id"]
        ask(host, "queue.add", room=room, tracks=[{"track": {"title": "x"}, "source": tracks(host)[title]} for title in ("Harbour", "Tram")])
        playing = lambda: (ask(ada, "room.get", room=room)["now_playing"] or {}).get("track", {}).get("title")
        # Bob hears the second track alone.
        hears = {"first": lambda: True, "second": lambda: playing() == "Tram"}
        ears = [Ears(ada, room, hears["first"]), Ears(bob, room, hears["second"])]
        began = time.time()
        ask(host, "autoplay.set", room=room, on=True)
        until(lambda: playing() == "Harbour", "it plays")
        maloja.kill()
        # Alone on another device, meanwhile, and the half of the first track in the room.
        together(lambda: hear_alone(ada, "Waltz"), lambda: time.sleep(17))
        until(lambda: ask(ada, "scrobble.list")["connections"][0]["waiting"] == 2, "both wait", 8)
        stage.SERVER.kill()
        for one in ears:
            one.stop()
        stage.SERVER.revive()
        equal(ask(ada, "scrobble.list")["connections"][0]["waiting"], 2, "they wait still")
        ears = [Ears(ada, room, hears["first"]), Ears(bob, room, hears["second"])]
        maloja.start()
        until(lambda: len(maloja.listens()) == 2, "Maloja has them", 20)
        until(lambda: len(maloja.listens()) == 3, "the second track of the room", 45)
        until(lambda: other.titles("bob") == ["Tram"], "the other listener has the second alone", 5)
        time.sleep(2)
        found = maloja.listens()
        equal(sorted(one[1] for one in found), ["Harbour", "Tram", "Waltz"], "all of them, once")
        times = {title: at for at, title in found}
        true(abs(times["Harbour"] - began) < 4 and abs(times["Waltz"] - began) < 6 and times["Tram"] > times["Harbour"] + 25, f"{times}, it began at {began:.0f}")
        [state] = ask(ada, "scrobble.list")["connections"]
        equal((state["waiting"], state["sent"], state["error"], state["state"]), (0, 3, None, "active"), "the connection")
        equal(other.titles("bob"), ["Tram"], "the other listener")
        # What was sent and not noted, as when the server is killed between the two, is known to Maloja by its time.
        body = {"listen_type": "single", "payload": [{"listened_at": times["Waltz"], "track_metadata": {"artist_name": "Ada & Bob 2", "track_name": "Waltz", "release_name": "Évening"}}]}
        again = urllib.request.Request(maloja.url + "/1/submit-listens", json.dumps(body).encode(), {"Authorization": "Token " + maloja.token(), "Content-Type": "application/json"})
        equal(urllib.request.urlopen(again, timeout=5).status, 200, "the same again")
        equal(len(maloja.listens()), 3, "after the same again")
    finally:
        for one in ears:
            one.stop()
        maloja.kill()
        other.stop()
