"""tus 1.0.0, with tuspy and by hand."""
import base64, hashlib, sqlite3, time
from email.utils import parsedate_to_datetime

from protocol_checks.helpers import check, equal, true

from upload_checks import stage
from upload_checks.stage import (TusUploadFailed, ask, begun, client, coming, contents, cut, kept, metadata, patch, played,
                                 refused, somebody, sound, state, usage)


@check("OPTIONS tells what is offered, without a token")
def _():
    status, _, headers = ask("OPTIONS", "/v1/uploads", tus=False)
    equal(status, 204, "status")
    equal(headers["tus-version"], "1.0.0", "version")
    equal(set(headers["tus-extension"].split(",")),
          {"creation", "creation-with-upload", "expiration", "checksum", "termination"}, "extensions")
    equal(headers["tus-checksum-algorithm"], "sha1,sha256", "hashes")
    equal(headers["tus-max-size"], str(64 << 20), "size")


@check("tuspy uploads a file, and it plays byte for byte")
def _():
    token, content = somebody(), sound(20)
    uploader = client(token).uploader(str(kept(content)), metadata={"filename": "Évening noise.wav"})
    uploader.upload()
    track = uploader.request.response_headers["sona-track"]
    equal(hashlib.sha256(played(track, token)).digest(), hashlib.sha256(content).digest(), "the stream")
    equal(state(uploader.url.removeprefix(stage.SERVER.url), token), (len(content), len(content), track), "HEAD after it")
    status, body, _ = stage.rpc("track.get", {"track": track}, token=token)
    equal((status, body["data"]["track"]["title"], body["data"]["track"]["status"]), (200, "Évening noise", None), "track")
    true(hashlib.sha256(content).hexdigest() in contents(), "the file is named by its hash")
    equal(usage(token)["used_bytes"], len(content), "usage")


@check("tuspy in pieces of all sizes, with checksums")
def _():
    token, content = somebody(), sound(2)
    for size in (1_000_003, 65_536, 50_000):
        uploader = client(token).uploader(str(kept(content)), chunk_size=size, upload_checksum=True)
        uploader.upload()
        equal(played(uploader.request.response_headers["sona-track"], token), content, f"pieces of {size}")
    equal(usage(token)["tracks"], 1, "the same content is one track")


@check("an upload that was cut goes on where it was, with another program")
def _():
    token, content = somebody(), sound(30)
    path = begun(token, len(content), Upload_Metadata=metadata(filename="cut.wav"))
    for after in (1, 70_000, 1_000_000, 2_500_000):
        offset = state(path, token)[0]
        cut(path, token, offset, content[offset:], after)
        stage.eventually(lambda: state(path, token)[0] == offset + after, f"{after} bytes after {offset} count")
    uploader = client(token).uploader(str(kept(content)), url=stage.SERVER.url + path)
    true(uploader.offset > 3_000_000, f"tuspy goes on at {uploader.offset}")
    uploader.upload()
    equal(played(uploader.request.response_headers["sona-track"], token), content, "the stream")


@check("an offset that the server does not have is 409, and nothing changes")
def _():
    token, content = somebody(), sound(1)
    path = begun(token, len(content))
    equal(patch(path, token, 0, content[:1000])[0], 204, "the beginning")
    for offset in (0, 999, 1001, len(content)):
        status, error, _ = patch(path, token, offset, content[1000:2000])
        equal((status, error["code"]), (409, "upload.offset_conflict"), f"offset {offset}")
    status, error, _ = patch(path, token, 1000, content)
    equal((status, error["code"]), (413, "upload.too_large"), "more than announced")
    equal(state(path, token)[0], 1000, "offset")
    status, _, headers = patch(path, token, 1000, content[1000:])
    equal((status, headers["upload-offset"]), (204, str(len(content))), "the rest")


@check("a wrong checksum is 460, and none of the bytes count")
def _():
    token, content = somebody(), sound(1)
    path = begun(token, len(content))
    for name in ("sha1", "sha256"):
        right = base64.b64encode(hashlib.new(name, content[:1000]).digest()).decode()
        wrong = base64.b64encode(hashlib.new(name, b"other").digest()).decode()
        offset = state(path, token)[0]
        status, error, _ = patch(path, token, offset, content[:1000], Upload_Checksum=f"{name} {wrong}")
        equal((status, error["code"]), (460, "upload.checksum_mismatch"), name)
        equal(state(path, token)[0], offset, "offset after it")
        equal(patch(path, token, offset, content[:1000], Upload_Checksum=f"{name} {right}")[0], 204, f"right {name}")
    for bad in ("md5 AAAA", "sha1", "sha1 AAAA", "sha1 !!!!"):
        status, error, _ = patch(path, token, 2000, b"1", Upload_Checksum=bad)
        equal((status, error["code"]), (400, "request.invalid"), bad)


@check("creation with upload: the beginning in the same request, or all of it")
def _():
    token, content = somebody(), sound(1)
    stream = {"Content_Type": "application/offset+octet-stream"}
    status, _, headers = ask("POST", "/v1/uploads", token, content[:5000], Upload_Length=len(content), **stream)
    equal((status, headers["upload-offset"]), (201, "5000"), "the beginning")
    status, _, headers = patch(headers["location"], token, 5000, content[5000:])
    first = headers["sona-track"]
    status, _, headers = ask("POST", "/v1/uploads", token, content, Upload_Length=len(content), **stream)
    equal((status, headers["sona-track"]), (201, first), "all of it, again")
    status, error, _ = ask("POST", "/v1/uploads", token, content, Upload_Length=10, **stream)
    equal((status, error["code"]), (413, "upload.too_large"), "more than announced")


@check("termination: an upload is gone with its file, a track stays")
def _():
    token, content = somebody(), sound(1)
    path = begun(token, len(content))
    patch(path, token, 0, content[:1000])
    true(path.rsplit("/")[-1] in coming(), "it has a file")
    equal(ask("DELETE", path, token)[0], 204, "DELETE")
    true(path.rsplit("/")[-1] not in coming(), "its file is gone")
    for method in ("HEAD", "DELETE"):
        equal(ask(method, path, token)[0], 404, f"{method} after it")
    uploader = client(token).uploader(str(kept(content)))
    uploader.upload()
    track = uploader.request.response_headers["sona-track"]
    equal(ask("DELETE", uploader.url.removeprefix(stage.SERVER.url), token)[0], 204, "DELETE of a finished one")
    equal(played(track, token), content, "the track")


@check("expiration: told with every answer, and kept")
def _():
    token, content = somebody(), sound(1)
    path = begun(token, len(content))
    _, _, headers = patch(path, token, 0, content[:1000])
    left = parsedate_to_datetime(headers["upload-expires"]).timestamp() - time.time()
    true(86_390 < left <= 86_401, f"it expires in {left} s")
    stage.SERVER.kill()
    with sqlite3.connect(stage.SERVER.data / "sona.sqlite") as database:
        database.execute("UPDATE uploads SET touched_ms = touched_ms - 86400000 WHERE id = ?", [path.rsplit("/")[-1]])
    database.close()
    stage.SERVER.revive()
    equal(ask("HEAD", path, token)[0], 404, "HEAD")
    # While the server removes it, it is 423.
    stage.eventually(lambda: patch(path, token, 1000, content[1000:])[0] == 404, "PATCH")
    stage.eventually(lambda: path.rsplit("/")[-1] not in coming(), "its file is gone")


@check("without the version, the type or the length it is refused")
def _():
    token = somebody()
    path = begun(token, 1000)
    for method, at in (("POST", "/v1/uploads"), ("HEAD", path), ("PATCH", path), ("DELETE", path)):
        for version in ({}, {"Tus_Resumable": "0.2.2"}):
            status, _, headers = ask(method, at, token, tus=False, **version)
            equal((status, headers.get("tus-version")), (412, "1.0.0"), f"{method} {version}")
    refused(415, "request.media_type", "PATCH", path, token, b"1", Upload_Offset=0)
    refused(400, "request.invalid", "PATCH", path, token, b"1", Content_Type="application/offset+octet-stream")
    for headers in ({}, {"Upload_Length": "x"}, {"Upload_Length": "-1"}, {"Upload_Defer_Length": "1"},
                    {"Upload_Length": "5", "Upload_Metadata": "filename %%%%"},
                    {"Upload_Length": "5", "Upload_Metadata": "a b c"},
                    {"Upload_Length": "5", "Upload_Metadata": "k " + "QUFB" * 1100},
                    {"Upload_Length": "5", "Upload_Concat": "partial"}):
        refused(400, "request.invalid", "POST", "/v1/uploads", token, **headers)
    refused(404, "upload.not_found", "PATCH", "/v1/uploads/01KB4Z0000000000000000TRAK", token, b"1", Upload_Offset=0,
            Content_Type="application/offset+octet-stream")


@check("POST with X-HTTP-Method-Override stands for PATCH and DELETE")
def _():
    token, content = somebody(), sound(1)
    path = begun(token, len(content))
    status, _, headers = ask("POST", path, token, content[:10], Upload_Offset=0, X_HTTP_Method_Override="PATCH",
                             Content_Type="application/offset+octet-stream")
    equal((status, headers["upload-offset"]), (204, "10"), "PATCH")
    equal(ask("POST", path, token, X_HTTP_Method_Override="DELETE")[0], 204, "DELETE")


@check("a file that is no music is 415 to tuspy, and nothing of it stays")
def _():
    token = somebody()
    before = contents()
    for content in (b"#EXTM3U\nhttp://127.0.0.1/x.mp3\n" * 50, b"ID3" + bytes(5000), b"\0" * 100_000):
        uploader = client(token).uploader(str(kept(content, "song.mp3")))
        try:
            uploader.upload()
        except TusUploadFailed as error:
            equal(error.status_code, 415, f"{content[:10]}")
            true(b"media.unsupported" in error.response_content, f"{error.response_content}")
        else:
            raise stage.helpers.Failure(f"{content[:10]} was taken")
        equal(ask("HEAD", uploader.url.removeprefix(stage.SERVER.url), token)[0], 404, "HEAD after it")
    equal((contents(), usage(token)["coming_bytes"]), (before, 0), "what stays")


@check("uploads of others are not there")
def _():
    ada, bob = somebody(), somebody()
    path = begun(ada, 1000)
    for method in ("HEAD", "DELETE"):
        equal(ask(method, path, bob)[0], 404, method)
    equal(patch(path, bob, 0, b"1")[0], 404, "PATCH")
    equal(state(path, ada)[0], 0, "the owner's")


@check("a page of another origin that the server allows may upload and read the headers")
def _():
    token = somebody()
    status, _, headers = ask("OPTIONS", "/v1/uploads", tus=False, Origin=stage.PAGE,
                             Access_Control_Request_Method="PATCH")
    equal((status, headers["access-control-allow-origin"]), (204, stage.PAGE), "OPTIONS")
    true("PATCH" in headers["access-control-allow-methods"], "methods")
    true("Upload-Offset" in headers["access-control-allow-headers"], "headers")
    status, _, headers = ask("POST", "/v1/uploads", token, Upload_Length=10, Origin=stage.PAGE)
    equal((status, headers["access-control-allow-origin"]), (201, stage.PAGE), "POST")
    true("Location" in headers["access-control-expose-headers"], "exposed")
    refused(403, "request.origin_forbidden", "POST", "/v1/uploads", token, Upload_Length=10,
            Origin="https://evil.example")
