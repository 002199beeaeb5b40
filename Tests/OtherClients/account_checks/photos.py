"""Photos over HTTP."""
import http.client, json, os, pathlib, socket, subprocess, tempfile, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import Failure, check, equal, true

from account_checks.names import at_once
from account_checks.pictures import JPEG, WEBP, bomb, overfull, png, size_of_webp
from account_checks.stage import main_server, ok, outsider, record

BYTES_MAX = 5_242_880


def send(body, token=None, **headers):
    """(status, data or error, headers) of POST /v1/photo."""
    link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=30)
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    link.request("POST", "/v1/photo", body, headers | ({"Authorization": f"Bearer {token}"} if token else {}))
    answer = link.getresponse()
    raw = answer.read()
    link.close()
    record.http(token, raw)
    told = json.loads(raw)
    return answer.status, told.get("data") or told["error"], {k.lower(): v for k, v in answer.getheaders()}


def upload(body, token):
    status, data, _ = send(body, token)
    equal(status, 200, f"a photo: {data}")
    return data["profile"]["photo"]


def fetch(photo, size="full", **headers):
    """(status, body, headers) of GET /v1/photos/…"""
    link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=30)
    identifier = photo["id"] if isinstance(photo, dict) else photo
    link.request("GET", f"/v1/photos/{identifier}/{size}", headers={k.replace("_", "-"): v for k, v in headers.items()})
    answer = link.getresponse()
    body = answer.read()
    link.close()
    return answer.status, body, {k.lower(): v for k, v in answer.getheaders()}


@check("PNG, JPEG and WebP become a photo in three sizes, whatever Content-Type says")
def _():
    token = outsider(name=True)["access_token"]
    for body, size, kind in ((png(200, 100), (200, 100), "image/png"), (png(20, 33), (20, 33), "text/plain"),
                             (JPEG, (16, 16), "image/jpeg"), (WEBP, (16, 16), "image/png")):
        status, data, _ = send(body, token, Content_Type=kind)
        equal(status, 200, f"{kind}: {data}")
        photo = data["profile"]["photo"]
        equal((photo["width"], photo["height"]), size, "size")
        for name, wanted in (("32", (32, 32)), ("64", (64, 64)), ("full", size)):
            status, image, headers = fetch(photo, name)
            equal((status, headers["content-type"], size_of_webp(image)), (200, "image/webp", wanted), name)
        equal(ok("user.me", token=token)["profile"]["photo"], photo, "user.me")


@check("a photo is kept for ever: ETag, 304, immutable")
def _():
    photo = upload(png(), outsider(name=True)["access_token"])
    tags = set()
    for size in ("32", "64", "full"):
        _, body, headers = fetch(photo, size)
        true("immutable" in headers["cache-control"] and "max-age=31536000" in headers["cache-control"],
             f"cache-control: {headers['cache-control']}")
        equal(headers["x-content-type-options"], "nosniff", "x-content-type-options")
        tag = headers["etag"]
        tags.add(tag)
        for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            status, body, headers = fetch(photo, size, If_None_Match=known)
            equal((status, body, headers.get("etag")), (304, b"", tag), f"If-None-Match: {known}")
        equal(fetch(photo, size, If_None_Match='"other"')[0], 200, "with another tag")
    equal(len(tags), 3, "tags of three sizes")


@check("after another photo, and after photo.remove, the old address is 404")
def _():
    token = outsider(name=True)["access_token"]
    one = upload(png(), token)
    two = upload(png(shade=200), token)
    true(one["id"] != two["id"], "the same identifier")
    for size in ("32", "64", "full"):
        equal((fetch(one, size)[0], fetch(two, size)[0]), (404, 200), size)
        equal(fetch(one, size, If_None_Match="*")[0], 404, "what is gone has not been kept")
    equal(ok("photo.remove", {}, token)["profile"]["photo"], None, "photo")
    equal(fetch(two)[0], 404, "after photo.remove")
    equal(ok("photo.remove", {}, token)["profile"]["photo"], None, "again")
    for path in ("full/", "128", "0", "", "FULL", "../full", "full/x", "%66ull/"):
        equal(fetch(two, path)[0], 404, f"size {path!r}")
    for identifier in ("x", "A" * 64, "A" * 65, "..", "%2e%2e", "a.b"):
        equal(fetch(identifier)[0], 404, f"identifier {identifier!r}")


@check("who may not send a photo: nobody 401, a guest 403 with the permission, a wrong token 401; no other method")
def _():
    status, error, headers = send(png())
    equal((status, error["code"], "www-authenticate" in headers), (401, "auth.required", True), "without a token")
    status, error, _ = send(png(), ok("auth.guest")["access_token"])
    equal((status, error["code"], error["permission"]), (403, "auth.account_required", "profile.edit"), "a guest")
    status, error, _ = send(png(), "made.up.token")
    equal((status, error["code"]), (401, "auth.token_invalid"), "a wrong token")
    for method in ("GET", "PUT", "DELETE"):
        link = http.client.HTTPConnection(urlsplit(helpers.URL).netloc, timeout=10)
        link.request(method, "/v1/photo", png() if method == "PUT" else None)
        true(link.getresponse().status in (400, 405, 501), method)


@check("what is no photo: 415; what begins like one: 422 and damaged; too many pixels: 422")
def _():
    token = outsider(name=True)["access_token"]
    before = upload(png(), token)
    whole = png(300, 300)
    for what, body, wanted in (
            ("GIF", b"GIF89a" + bytes(60), (415, "photo.type_unsupported")),
            ("SVG", b"<svg xmlns='http://www.w3.org/2000/svg'/>", (415, "photo.type_unsupported")),
            ("text", b"x", (415, "photo.type_unsupported")), ("zeros", bytes(5000), (415, "photo.type_unsupported")),
            ("HTML", b"<!doctype html><script>alert(1)</script>", (415, "photo.type_unsupported")),
            ("half a PNG", whole[:len(whole) // 2], (422, "photo.damaged")),
            ("the head of a PNG", whole[:33], (422, "photo.damaged")),
            ("half a JPEG", JPEG[:200], (422, "photo.damaged")),
            ("half a WebP", WEBP[:30], (422, "photo.damaged")),
            ("a PNG with a bit turned over", whole[:200] + bytes([whole[200] ^ 1]) + whole[201:],
             (422, "photo.damaged")),
            ("16384 pixels square", bomb(16384), (422, "photo.too_many_pixels")),
            ("30000 pixels square", bomb(30000), (422, "photo.too_many_pixels"))):
        status, error, _ = send(body, token)
        equal((status, error.get("code")), wanted, what)
    status, error, _ = send(b"", token)
    true(status in (400, 411, 415), f"no body: {status}")
    equal(ok("user.me", token=token)["profile"]["photo"], before, "the photo of before")


@check("5 242 880 bytes are taken, one more is photo.too_large")
def _():
    token, bare = outsider(name=True)["access_token"], len(png())
    full = png(filling=BYTES_MAX - bare)
    equal(len(full), BYTES_MAX, "bytes of the picture")
    upload(full, token)
    status, error, _ = send(png(filling=BYTES_MAX - bare + 1), token)
    equal((status, error["code"]), (413, "photo.too_large"), "one byte more")


@check("6000 pixels square in a few kilobytes: taken, made smaller, and the server goes on")
def _():
    photo = upload(bomb(6000), outsider(name=True)["access_token"])
    true(max(photo["width"], photo["height"]) <= 6000 and photo["width"] == photo["height"], f"{photo}")


def processor_seconds(process):
    """What a process and those it has waited for have used."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@check("2 × 2 pixels that unpack to 4.5 GiB: photo.damaged for less than two seconds of a core, and nobody waits")
def _():
    token, body = outsider(name=True)["access_token"], overfull(4600)
    true(len(body) < BYTES_MAX, f"{len(body)} bytes")
    before, start = processor_seconds(main_server().process.pid), time.monotonic()
    status, error, _ = send(body, token)
    equal((status, error.get("code")), (422, "photo.damaged"), "the bomb")
    used, took = processor_seconds(main_server().process.pid) - before, time.monotonic() - start
    true(used < 2, f"{used:.2f} s of a core, {took:.2f} s in all")
    upload(png(), token)


@check("what is shown of a photo was made by a process that has ended: the server has no children left")
def _():
    upload(png(), outsider(name=True)["access_token"])
    pid = main_server().process.pid
    children = [pathlib.Path(f"/proc/{pid}/task/{thread.name}/children").read_text()
                for thread in pathlib.Path(f"/proc/{pid}/task").iterdir()]
    equal("".join(children).split(), [], "children")


@check("Expect: 100-continue by curl: goes on when it is taken, and is refused before a byte of the body is sent")
def _():
    token = outsider(name=True)["access_token"]
    for body, given, wanted in ((png(filling=2_000_000), token, 200), (png(filling=6_000_000), token, 413),
                                (png(filling=2_000_000), "made.up.token", 401)):
        with tempfile.NamedTemporaryFile() as file:
            file.write(body)
            file.flush()
            done = subprocess.run(
                ["curl", "-sS", "-v", "-H", "Expect: 100-continue", "-H", f"Authorization: Bearer {given}",
                 "--data-binary", f"@{file.name}", "-o", "/dev/null", "-w", "%{http_code} %{size_upload}",
                 f"{helpers.URL}/v1/photo"], capture_output=True, text=True, timeout=60)
        status, sent = done.stdout.split()
        equal((int(status), "100 Continue" in done.stderr, int(sent) > 0), (wanted, wanted == 200, wanted == 200),
              f"with {len(body)} bytes")


@check("an upload that is refused early: whoever sends all of it first can still read why")
def _():
    token = outsider(name=True)["access_token"]
    at = urlsplit(helpers.URL)
    for size, given, wanted in ((6 << 20, token, b"413"), (6 << 20, None, b"401"), (4 << 20, None, b"401")):
        for _ in range(10):
            with socket.create_connection((at.hostname, at.port), 20) as s:
                bearer = f"Authorization: Bearer {given}\r\n" if given else ""
                s.sendall((f"POST /v1/photo HTTP/1.1\r\nHost: {at.netloc}\r\n{bearer}"
                           f"Content-Length: {size}\r\n\r\n").encode())
                try:
                    for _ in range(size // 65536):
                        s.sendall(bytes(65536))
                    answer = b""
                    while b"}" not in answer and (more := s.recv(65536)):
                        answer += more
                except ConnectionError as error:
                    raise Failure(f"{size} bytes: {error}")
                equal((answer.split()[1], b'"error"' in answer), (wanted, True), f"{size} bytes")


@check("forty photos at the same time: each is taken, or photo.busy with retry_after_ms")
def _():
    tokens = [outsider(name=True)["access_token"] for _ in range(8)] * 5
    body = png(1500, 1000)
    answers = at_once([lambda t=t: send(body, t) for t in tokens])
    for status, data, headers in answers:
        if status != 200:
            equal((status, data["code"]), (503, "photo.busy"), "status")
            true(data["retry_after_ms"] > 0 and int(headers["retry-after"]) > 0, f"{data}")
    true(any(status == 200 for status, _, _ in answers), "none was taken")
    for token in tokens[:8]:
        photo = ok("user.me", token=token)["profile"]["photo"]
        true(photo is None or fetch(photo)[0] == 200, "a photo that is not there")
