"""Plain PUT, and who may upload."""
import subprocess

from protocol_checks.helpers import check, equal, rpc, true

from upload_checks import stage
from upload_checks.stage import ask, coming, contents, kept, played, refused, somebody, sound, usage


def put(token, content, name="noise.wav", **headers):
    return ask("PUT", f"/v1/uploads/{name}", token, content, tus=False, **headers)


@check("PUT answers with the track; the same content again with the same one")
def _():
    token, content = somebody(), sound(3)
    status, data, headers = put(token, content, "Nice%20evening.wav")
    equal((status, data["track"]["title"]), (201, "Nice evening"), "first")
    equal(headers["sona-track"], data["track"]["id"], "header")
    equal(played(data["track"]["id"], token), content, "the stream")
    status, again, _ = put(token, content, "other.wav")
    equal((status, again["track"]["id"]), (200, data["track"]["id"]), "again")


@check("curl uploads a file with -T")
def _():
    token, path = somebody(), kept(sound(10), "by curl.wav")
    done = subprocess.run(["curl", "-sS", "-f", "-T", path, "-H", f"Authorization: Bearer {token}",
                           f"{stage.SERVER.url}/v1/uploads/"], capture_output=True, text=True, timeout=60)
    equal(done.returncode, 0, done.stderr)
    true('"track"' in done.stdout, done.stdout)


@check("two accounts with one content: two tracks, one file, which goes with the last")
def _():
    ada, bob, content = somebody(), somebody(), sound(2)
    before = len(contents())
    tracks = [put(token, content)[1]["track"]["id"] for token in (ada, bob)]
    true(tracks[0] != tracks[1], "two tracks")
    equal(len(contents()), before + 1, "files")
    equal(rpc("track.remove", {"track": tracks[0]}, token=ada)[0], 200, "removal")
    equal(played(tracks[1], bob), content, "the other's")
    equal(rpc("track.remove", {"track": tracks[1]}, token=bob)[0], 200, "removal")
    stage.eventually(lambda: len(contents()) == before, "the file is gone")


@check("no token, a guest's, and an empty or nameless body are refused before anything is stored")
def _():
    guest = rpc("auth.sign_in", {"strategy": "guest"})[1]
    before = (contents(), coming())
    refused(401, "auth.required", "PUT", "/v1/uploads/x.wav", None, b"12", tus=False)
    refused(401, "auth.required", "POST", "/v1/uploads", None, Upload_Length=5)
    refused(401, "auth.token_invalid", "PUT", "/v1/uploads/x.wav", "nonsense", b"12", tus=False)
    if guest and "data" in guest:
        refused(403, "auth.account_required", "PUT", "/v1/uploads/x.wav", guest["data"]["access_token"], b"12",
                tus=False)
    token = somebody()
    refused(415, "media.unsupported", "PUT", "/v1/uploads/x.wav", token, b"", tus=False)
    refused(415, "media.unsupported", "PUT", "/v1/uploads/x.wav", token, b"no music", tus=False)
    refused(400, "request.invalid", "PUT", "/v1/uploads/", token, b"12", tus=False)
    refused(400, "request.invalid", "PUT", "/v1/uploads/x.wav", token, b"12", tus=False, Content_Range="bytes 0-1/5")
    equal((contents(), coming()), before, "files")
    equal(usage(token)["used_bytes"], 0, "usage")
