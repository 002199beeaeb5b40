"""The server, its music, and who asks for it."""
import http.client, json, pathlib, shutil, subprocess, sys, tempfile, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true  # noqa: F401

SERVER = None  # set by __main__
KILLS, SEED = 1, 0  # set by __main__, too
TESTS = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="sona-library-"))
MUSIC, ODD, CHOSEN = FOLDER / "music", FOLDER / "odd", FOLDER / "chosen"
MANIFEST = []  # what the files of MUSIC say of themselves
ODD_MANIFEST = []
_admin = None


def make_music():
    """200 files in ten formats, and some hundred that are odd."""
    for program, folder, arguments in (("make_folder.py", MUSIC, ["--count", "200"]), ("make_odd.py", ODD, ["--count", "150"]),
                                       ("make_folder.py", CHOSEN, ["--count", "10", "--seed", "9"])):
        manifest = FOLDER / f"{folder.name}.json"
        subprocess.run([sys.executable, TESTS / "Library" / program, folder, "--manifest", manifest, *arguments],
                       check=True, stdout=subprocess.DEVNULL)
    MANIFEST.extend(json.loads(line) for line in (FOLDER / "music.json").read_text().splitlines())
    ODD_MANIFEST.extend(json.loads((FOLDER / "odd.json").read_text()))


def remove_music():
    # Some paths are longer than a call of the system takes: rm goes down step by step.
    subprocess.run(["rm", "-rf", FOLDER])


def data(kind, fields=None, token=None):
    """The data of a reply over HTTP."""
    status, body, _ = rpc(kind, fields or {}, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:200]}")
    return body["data"]


def refused(code, kind, fields=None, token=None):
    status, body, _ = rpc(kind, fields or {}, token)
    equal(isinstance(body, dict) and body.get("error", {}).get("code"), code, kind)


def guest():
    return data("auth.guest")["access_token"]


def somebody():
    return account()["access_token"]


def admin():
    global _admin
    if not _admin:
        made = account()
        SERVER.operator("user", "set-role", made["user"]["uid"], "admin")
        _admin = data("auth.sign_in", {"email": made["email"], "password": helpers.PASSWORD})["access_token"]
    return _admin


def folders():
    return {folder["name"]: folder for folder in data("library.folders", token=admin())["folders"]}


def wait_for_scans(seconds=120):
    end = time.monotonic() + seconds
    while any(folder["scanning"] or not folder["scan"] for folder in folders().values()):
        true(time.monotonic() < end, "the scans do not end")
        time.sleep(0.1)
    return folders()


def get(path, token=None, method="GET", **headers):
    """(status, bytes, headers in lower case)."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    given = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    if token:
        given["Authorization"] = f"Bearer {token}"
    link.request(method, path, None, given)
    answer = link.getresponse()
    body = answer.read()
    link.close()
    return answer.status, body, {name.lower(): value for name, value in answer.getheaders()}


def everything(kind, token, **fields):
    """All items of a list, page by page."""
    items, cursor = [], None
    while True:
        page = data("library.list", {"kind": kind, "limit": 37, "cursor": cursor} | fields, token)
        items += page[kind]
        cursor = page["next_cursor"]
        if not cursor:
            return items
