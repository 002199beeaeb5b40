"""The server, its music, and apps that ask for it."""
import hashlib, http.client, json, os, pathlib, subprocess, tempfile, time, urllib.parse, xml.etree.ElementTree as tree

from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true

SERVER = None  # set by __main__
FOLDER = tempfile.TemporaryDirectory(prefix="sona-subsonic-")
DISCS, TAPES = pathlib.Path(FOLDER.name) / "discs", pathlib.Path(FOLDER.name) / "tapes"
NAMESPACE = "{http://subsonic.org/restapi}"
# Folder, file, seconds, tags. Two albums, of which one has more than one artist, and a song without an album.
SONGS = [
    *[(DISCS, f"Ada/First Light/{n}.flac", 6 + n, {
        "title": f"Song {n}", "artist": "Ada", "album_artist": "Ada", "album": "First Light", "track": str(n), "disc": "1",
        "date": "2001", "genre": "Rock"}) for n in range(1, 6)],
    *[(DISCS, f"Cats/Night/{n}.mp3", 5, {
        "title": f"Łódź <{n}> & \"more\"", "artist": "The Cats", "album_artist": "The Cats", "album": "Night & Sea",
        "track": str(n), "date": "2011", "genre": "Jazz"}) for n in range(1, 4)],
    (TAPES, "alone.opus", 30, {"title": "Alone", "artist": "Zoë"}),
]
CHANGING = ("create", "update", "delete", "star", "unstar", "set", "save", "scrobble")
_app = None


def make_music():
    hour_ago = time.time() - 3600  # a scan leaves files alone that were written to just now
    for place, (folder, name, seconds, tags) in enumerate(SONGS):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        given = [word for tag in tags.items() for word in ("-metadata", "=".join(tag))]
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                        f"sine={300 + 50 * place}:duration={seconds}", *given, str(path)], check=True)
    picture = ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=c=orange:s=400x400", "-frames:v", "1"]
    subprocess.run([*picture, str(DISCS / "Ada/First Light/cover.jpg")], check=True)
    (DISCS / "Ada/First Light/1.lrc").write_text("[00:01.50]One\n[00:03.00]Two\n")
    for path in [*DISCS.rglob("*"), *TAPES.rglob("*")]:
        if path.is_file():
            os.utime(path, (hour_ago, hour_ago))


def data(kind, fields=None, token=None):
    """The data of a reply of the server's own protocol."""
    status, body, _ = rpc(kind, fields or {}, token)
    true(isinstance(body, dict) and body.get("type") == "ok", f"{kind}: {status} {str(body)[:200]}")
    return body["data"]


def wait_for_music():
    helpers.URL = SERVER.url
    token, end = account()["access_token"], time.monotonic() + 30
    while len(data("library.list", {"kind": "tracks", "limit": 100}, token)["tracks"]) < len(SONGS):
        true(time.monotonic() < end, "the music is not found")
        time.sleep(0.1)


def admin():
    made = account()
    SERVER.operator("user", "set-role", made["user"]["uid"], "admin")
    return data("auth.sign_in", {"email": made["email"], "password": helpers.PASSWORD})["access_token"]


class App:
    """An app of an account that signs in with a password of its own."""
    def __init__(self, made=None, name="An app"):
        self.account = made or account()
        self.token, self.user = self.account["access_token"], self.account["user"]["username"]
        reply = data("app_password.create", {"name": name}, self.token)
        self.secret, self.password = reply["secret"], reply["app_password"]

    def sign(self, how="token"):
        if how == "token":
            salt = os.urandom(4).hex()
            return {"u": self.user, "t": hashlib.md5((self.secret + salt).encode()).hexdigest(), "s": salt}
        if how == "plain":
            return {"u": self.user, "p": self.secret}
        if how == "hex":
            return {"u": self.user, "p": "enc:" + self.secret.encode().hex()}
        return {"apiKey": self.secret}

    def raw(self, endpoint, /, how="token", method="GET", headers=None, **fields):
        return ask(endpoint, {"v": "1.16.1", "c": "checks", **self.sign(how), **fields}, method, headers)

    def ok(self, endpoint, /, **fields):
        """The members of an answer that is right by the schemas, in JSON and in XML. What changes something is asked once."""
        from subsonic_checks import forms
        return forms.once(self, endpoint, fields) if endpoint.startswith(CHANGING) else forms.both(self, endpoint, fields)

    def fails(self, code, name, /, **fields):
        """The sentence of the error."""
        status, body, _ = self.raw(name, f="json", **fields)
        equal(status, 200, f"{name}: the status of an error")
        answer = json.loads(body)["subsonic-response"]
        equal((answer["status"], answer.get("error", {}).get("code")), ("failed", code), f"{name} {answer}")
        return answer["error"]["message"]


def app():
    """One app for checks that leave nothing behind."""
    global _app
    _app = _app or App()
    return _app


def ask(name, fields, /, method="GET", headers=None, view=True):
    """(status, bytes, headers in lower case)."""
    at = urllib.parse.urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    pairs = urllib.parse.urlencode([(key, one) for key, value in fields.items()
                                    for one in (value if isinstance(value, list) else [value])])
    path, body, given = f"/rest/{name}{'.view' if view else ''}", None, dict(headers or {})
    if method == "POST":
        body, given["Content-Type"] = pairs, "application/x-www-form-urlencoded"
    else:
        path += "?" + pairs
    link.request(method, path, body, given)
    answer = link.getresponse()
    read = answer.read()
    link.close()
    return answer.status, read, {key.lower(): value for key, value in answer.getheaders()}


def json_of(answer):
    """The members of an answer in JSON."""
    return json.loads(answer[1])["subsonic-response"]


def songs(app):
    """The songs by title."""
    found = app.ok("search3", query="", songCount=100)["searchResult3"]["song"]
    return {song["title"]: song for song in found}


def albums(app):
    return {album["name"]: album for album in app.ok("getAlbumList2", type="alphabeticalByName")["albumList2"]["album"]}


def as_json(element, shape):
    """An XML element as the JSON of the same answer has it: XML does not tell a number from a text, nor one from many."""
    if isinstance(shape, list):
        raise AssertionError("a list is many elements")
    told, children = {}, {}
    for key, text in element.attrib.items():
        told[key] = text
    for child in element:
        children.setdefault(child.tag.removeprefix(NAMESPACE), []).append(child)
    for key, value in shape.items():
        if key == "value" and key not in told:
            told[key] = element.text or ""
        elif isinstance(value, list):
            told[key] = [as_json(one, value[place]) if isinstance(value[place], dict) else one.text or ""
                         for place, one in enumerate(children.pop(key, []))]
        elif isinstance(value, dict):
            told[key] = as_json(children.pop(key)[0], value)
    equal(list(children), [], f"elements of XML that the JSON has not, in {element.tag}")
    return told


def texts(value):
    """The same with all values as the texts that XML has."""
    if isinstance(value, dict):
        return {key: texts(one) for key, one in value.items()}
    if isinstance(value, list):
        return [texts(one) for one in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def parsed(xml):
    return tree.fromstring(xml)
