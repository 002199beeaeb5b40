"""kill -9 at any moment: an upload goes on at the offset that the server tells, and the file is the same."""
import hashlib, random, threading, time

import requests

from protocol_checks.helpers import check, equal, true

from upload_checks import stage
from upload_checks.stage import (TusCommunicationError, TusUploadFailed, ask, client, coming, contents, kept, played,
                                 somebody, sound, state, usage)


def killed_at(moment, go):
    """Kills the server after so many seconds, and starts it again once `go` has noticed."""
    timer = threading.Timer(moment, stage.SERVER.kill)
    timer.start()
    try:
        go()
    except (TusUploadFailed, TusCommunicationError, requests.RequestException, OSError):
        pass
    timer.join()
    stage.SERVER.revive()


@check("kill -9 at random moments of uploads: no acknowledged byte is lost, and the file is the same")
def _():
    seed = stage.SEED
    dice = random.Random(seed)
    token, kills, seen, sent, before = somebody(), 0, 0, 0, coming()
    while kills < stage.KILLS:
        content = sound(dice.choice((5, 40, 120)), dice.random())
        file = str(kept(content))
        url, told, track = None, 0, None
        for attempt in range(100):
            true(attempt < 99, f"seed {seed}: it does not come to an end")
            if url:
                offset, length, track = state(url.removeprefix(stage.SERVER.url), token)
                true(offset >= told, f"seed {seed}: {told} bytes were acknowledged, and {offset} are there")
                if offset == length and track:
                    break
                told = offset
            acknowledged = []

            def go():
                nonlocal url
                uploader = client(token).uploader(file, url=url, chunk_size=dice.choice((300_000, 4_000_000, 1 << 30)),
                                                  metadata={"filename": "killed.wav"})
                if not url:
                    uploader.set_url(uploader.create_url())
                    url = uploader.url
                while uploader.offset < len(content):
                    uploader.upload_chunk()
                    acknowledged.append(uploader.offset)
                if told == len(content):  # whole, but the server was killed before the track was there
                    stage.patch(url.removeprefix(stage.SERVER.url), token, told, b"")
            if kills < stage.KILLS:
                killed_at(dice.uniform(0, 0.4), go)
                kills += 1
            else:
                go()
            told = max([told] + acknowledged)
        seen, sent = seen + 1, sent + len(content)
        equal(hashlib.sha256(played(track, token)).hexdigest(), hashlib.sha256(content).hexdigest(), f"seed {seed}: file")
        equal(stage.rpc("track.remove", {"track": track}, token=token)[0], 200, "removal")
    true(seen > 1, "several files")
    print(f"        {kills} kills while {seen} files of {sent >> 20} MiB were uploaded; seed {seed}")
    stage.eventually(lambda: coming() == before, "no file of an upload is left")
    found = usage(token)
    equal((found["used_bytes"], found["coming_bytes"], found["tracks"]), (0, 0, 0), "usage")


@check("kill -9 while plain uploads come: all of a file or nothing, and none twice")
def _():
    seed = stage.SEED
    dice = random.Random(seed + 1)
    token, before = somebody(), coming()
    content = sound(20, seed)
    name = hashlib.sha256(content).hexdigest()
    for _ in range(10):
        killed_at(dice.uniform(0, 0.25),
                  lambda: ask("PUT", "/v1/uploads/plain.wav", token, content, tus=False))
        for file in (stage.SERVER.data / "media").glob(f"??/??/{name}"):
            equal(hashlib.sha256(file.read_bytes()).hexdigest(), name, f"seed {seed}: a file is what its name says")
    stage.eventually(lambda: coming() == before, "no file of an upload is left")
    status, data, _ = ask("PUT", "/v1/uploads/plain.wav", token, content, tus=False)
    true(status in (200, 201), f"{status} {data}")
    equal(usage(token)["tracks"], 1, "tracks")
    equal(contents().count(name), 1, "files")


@check("an upload that is whole when the server is killed becomes a track at the next start")
def _():
    token, content = somebody(), sound(2)
    path = stage.begun(token, len(content))
    equal(stage.patch(path, token, 0, content[:-1])[0], 204, "all but one byte")
    # A hash of a large file takes a moment; the kill comes within the answer's way.
    link = threading.Thread(target=lambda: quietly(stage.patch, path, token, len(content) - 1, content[-1:]))
    link.start()
    time.sleep(0.003)
    stage.SERVER.kill()
    link.join()
    stage.SERVER.revive()
    offset = state(path, token)[0]
    true(offset in (len(content) - 1, len(content)), f"offset {offset}")
    if offset < len(content):
        equal(stage.patch(path, token, offset, content[offset:])[0], 204, "the last byte again")
    stage.eventually(lambda: state(path, token)[2], "the track is there")
    equal(played(state(path, token)[2], token), content, "the file")


def quietly(function, *arguments):
    try:
        function(*arguments)
    except OSError:
        pass
