"""A file of more than 100 MiB over TLS: libwebsockets ends bodies of unknown length there."""
import hashlib, http.client, json, os, random, shutil, ssl, time

from edge_checks.stage import EdgeServer, certificate
from protocol_checks.helpers import check, equal, true

from library_checks import stage

BYTES = 120 << 20
BLOCK = 1 << 20


def make_large(folder):
    """A WAV file of noise; its SHA-256."""
    folder.mkdir()
    path, noise, digest = folder / "large.wav", random.Random(stage.SEED), hashlib.sha256()
    rate = 48_000
    head = (b"RIFF" + (BYTES + 36).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
            + (1).to_bytes(2, "little") + (2).to_bytes(2, "little") + rate.to_bytes(4, "little")
            + (4 * rate).to_bytes(4, "little") + (4).to_bytes(2, "little") + (16).to_bytes(2, "little") + b"data"
            + BYTES.to_bytes(4, "little"))
    with path.open("wb") as file:
        for block in (head, *(noise.randbytes(BLOCK) for _ in range(BYTES // BLOCK))):
            file.write(block)
            digest.update(block)
    hour_ago = time.time() - 3600
    os.utime(path, (hour_ago, hour_ago))
    return digest.hexdigest()


@check("a download of 120 MiB over TLS is the file, byte for byte, whole and from a place on", slow=True)
def _():
    folder = stage.FOLDER / "large"
    wanted = make_large(folder)
    EdgeServer.programs = stage.SERVER.programs
    with EdgeServer("--music", f"Large={folder}", tls=True) as server:
        trust = ssl.create_default_context(cafile=str(certificate()[0]))

        def ask(method, path, body=None, **headers):
            link = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=60, context=trust)
            link.request(method, path, body, headers)
            return link.getresponse()

        def call(kind, data, token=None):
            more = {"Authorization": f"Bearer {token}"} if token else {}
            answer = ask("POST", f"/v1/rpc/{kind}", json.dumps(data), **{"Content-Type": "application/json"}, **more)
            return json.load(answer)["data"]

        made = call("auth.sign_up", {"email": "large@example.org", "username": "large", "password": "a long password"})
        token, end = made["access_token"], time.monotonic() + 60
        while not (found := call("library.list", {}, token)["tracks"]):
            true(time.monotonic() < end, "the file is found")
            time.sleep(0.2)
        path = f"/v1/tracks/{found[0]['id']}/download"
        answer, digest, count = ask("GET", path, Authorization=f"Bearer {token}"), hashlib.sha256(), 0
        while block := answer.read(BLOCK):
            digest.update(block)
            count += len(block)
        equal((answer.status, count, digest.hexdigest()), (200, BYTES + 44, wanted), "the whole file")
        first = 101 << 20
        part = ask("GET", path, Authorization=f"Bearer {token}", Range=f"bytes={first}-").read()
        with (folder / "large.wav").open("rb") as file:
            file.seek(first)
            true(part == file.read(), "the rest from 101 MiB on")
    shutil.rmtree(folder)
