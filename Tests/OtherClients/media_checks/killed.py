"""kill -9 at any moment of the making: no half file is heard, and the work goes on."""
import random, threading, time

from protocol_checks.helpers import check, equal, rpc, true

from media_checks import stage
from media_checks.stage import guest, hear, somebody, sound, tracks


@check("kill -9 at random moments of the making: a file under its name is whole, and the jobs go on")
def _():
    seed = stage.SEED
    dice = random.Random(seed)
    token, visitor = somebody(), guest()
    lengths = {track["id"]: track["duration_ms"] / 1000 for track in tracks(token).values()}
    whole, seen = set(), set()
    for _ in range(stage.KILLS):
        for path in stage.made():
            # A part is not the test's to take away: the server may be writing it.
            if path.suffix == ".opus" and dice.random() < 0.7:
                path.unlink()
                whole.discard(path.name)

        def listen(title, who, query):
            try:
                hear(title, who, query)
            except OSError:
                pass
        for title in dice.sample(["short.flac", "song.mp3", "long.mp3", "odd.wav"], 2):
            threading.Thread(target=listen, args=(title, token, "?format=opus"), daemon=True).start()
            threading.Thread(target=listen, args=(title, visitor, ""), daemon=True).start()
        time.sleep(dice.uniform(0, 2.5))
        stage.SERVER.kill()
        for path in stage.made():
            if path.suffix != ".opus" or path.name in whole:
                continue
            length = lengths[path.name.split("-")[0]]
            wanted = min(30, length / 2) if "preview" in path.name else length
            found = sound(path.read_bytes())[3]
            true(abs(found - wanted) < 0.2, f"seed {seed}: {path.name} has {found} s of {wanted}")
            whole.add(path.name)
            seen.add((path.name, path.stat().st_ino))
        stage.SERVER.revive()
        true(not [path for path in stage.made() if path.suffix == ".part" and path.stat().st_mtime < time.time() - 60],
             "parts are left")
    end = time.monotonic() + 180
    while True:
        status, body, _ = rpc("jobs.list", {"limit": 100}, token)
        equal(status, 200, "jobs.list")
        states = [job["state"] for job in body["data"]["jobs"]]
        if not set(states) & {"queued", "running"}:
            break
        true(time.monotonic() < end, f"seed {seed}: {states}")
        time.sleep(0.5)
    true("done" in states, f"seed {seed}: {states}")
    for job in body["data"]["jobs"]:
        true(job["state"] == "done" or job["error"] == "interrupted", f"seed {seed}: {job}")
    print(f"        {stage.KILLS} kills, {len(seen)} files that were whole behind them; seed {seed}")
