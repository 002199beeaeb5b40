"""The server, the files, and requests that are written by hand."""
import array, base64, http.client, io, json, pathlib, random, re, socket, tempfile, time, wave
from urllib.parse import urlsplit

from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed  # noqa: F401  for the chapters

from protocol_checks import helpers
from protocol_checks.helpers import account, equal, rpc, true  # noqa: F401

SERVER = None  # set by __main__
KILLS, SEED = 1, 0  # set by __main__, too
PAGE = "https://player.example.org"  # a page of another origin that the server allows
FILES = pathlib.Path(tempfile.mkdtemp(prefix="sona-uploads-"))


def sound(seconds, seed=None):
    """A WAV file of noise: no two are the same."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(48_000)
        file.writeframes(random.Random(seed).randbytes(4 * int(48_000 * seconds)))
    return out.getvalue()


def kept(content, name="noise.wav"):
    """A file with that content."""
    path = FILES / f"{random.getrandbits(64):x}-{name}"
    path.write_bytes(content)
    return path


def somebody():
    return account()["access_token"]


def client(token):
    return TusClient(f"{helpers.URL}/v1/uploads", headers={"Authorization": f"Bearer {token}"})


def ask(method, path, token=None, body=None, tus=True, **headers):
    """(status, data, error or text, headers in lower case) of a request."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    given = {name.replace("_", "-"): str(value) for name, value in headers.items()}
    if tus:
        given.setdefault("Tus-Resumable", "1.0.0")
    if token:
        given["Authorization"] = f"Bearer {token}"
    link.request(method, path, body, given)
    answer = link.getresponse()
    raw = answer.read()
    link.close()
    try:
        told = json.loads(raw) if raw else {}
    except ValueError:
        told = {"error": raw.decode(errors="replace")}
    return answer.status, told.get("data") or told.get("error"), {k.lower(): v for k, v in answer.getheaders()}


def refused(status, code, *arguments, **more):
    found, error, headers = ask(*arguments, **more)
    equal((found, isinstance(error, dict) and error.get("code")), (status, code), f"{arguments[:2]}")
    return error, headers


def begun(token, length, **headers):
    """The path of an upload that was begun."""
    status, error, found = ask("POST", "/v1/uploads", token, Upload_Length=length, **headers)
    equal(status, 201, f"creation: {error}")
    equal((found["upload-offset"], found["tus-resumable"]), ("0", "1.0.0"), "headers of a creation")
    return found["location"]


def patch(path, token, offset, body, **headers):
    return ask("PATCH", path, token, body, Upload_Offset=offset, Content_Type="application/offset+octet-stream",
               **headers)


def state(path, token):
    """(offset, length, track) by HEAD."""
    status, _, found = ask("HEAD", path, token)
    equal(status, 200, f"HEAD {path}")
    equal(found["cache-control"], "no-store", "cache-control of HEAD")
    return int(found["upload-offset"]), int(found["upload-length"]), found.get("sona-track")


def cut(path, token, offset, body, after):
    """A PATCH of which only the beginning is sent."""
    at = urlsplit(helpers.URL)
    link = socket.create_connection((at.hostname, at.port), timeout=20)
    head = (f"PATCH {path} HTTP/1.1\r\nHost: {at.netloc}\r\nAuthorization: Bearer {token}\r\nTus-Resumable: 1.0.0\r\n"
            f"Upload-Offset: {offset}\r\nContent-Type: application/offset+octet-stream\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    link.sendall(head.encode() + body[:after])
    time.sleep(0.1)
    link.close()


def played(track, token):
    """The bytes of a track's stream."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    link.request("GET", f"/v1/tracks/{track}/stream", headers={"Authorization": f"Bearer {token}"})
    answer = link.getresponse()
    body = answer.read()
    link.close()
    equal(answer.status, 200, f"stream of {track}")
    return body


def usage(token):
    status, body, _ = rpc("storage.usage", token=token)
    equal(status, 200, f"storage.usage: {body}")
    return body["data"]


def metadata(**pairs):
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())


def contents():
    """The files of finished uploads, by their names."""
    return sorted(path.name for path in (SERVER.data / "media").glob("??/??/*"))


def coming():
    return sorted(path.name for path in (SERVER.data / "media" / "incoming").iterdir())


def eventually(condition, what, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        true(time.monotonic() < end, what)
        time.sleep(0.05)
