"""`kill -9` while folders are scanned: nothing is lost, and the next start goes on."""
import random, time

from protocol_checks.helpers import check, equal, true

from library_checks import stage
from library_checks.stage import everything, wait_for_scans


@check("kill -9 at random moments of scans: the same tracks as before, none twice, each playable")
def _():
    before = {track["id"]: track["title"] for track in everything("tracks", stage.admin())}
    chance, cut = random.Random(stage.SEED), 0
    for _ in range(stage.KILLS):
        time.sleep(chance.random() * 0.4)
        cut += any(folder["scanning"] for folder in stage.folders().values())
        stage.SERVER.kill()
        # All files look changed, so that the next start reads them again.
        for path in stage.MUSIC.rglob("*.mp3"):
            path.touch()
        stage.SERVER.revive()
    wait_for_scans()
    after = {track["id"]: track["title"] for track in everything("tracks", stage.admin())}
    equal(after, before, f"seed {stage.SEED}: tracks")
    token = stage.somebody()
    for track in sorted(after)[::17]:
        true(stage.get(f"/v1/tracks/{track}/stream", token, Range="bytes=0-99")[0] in (206, 410), "a stream")
    print(f"        {stage.KILLS} kills, {cut} of them in a scan, {len(after)} tracks; seed {stage.SEED}")
