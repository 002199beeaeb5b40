"""folders.md: scans of odd files, and following changes."""
import base64, json, pathlib, shutil, socket, threading, time

from protocol_checks.helpers import check, equal, true

from library_checks import stage
from library_checks.stage import data, everything, refused, somebody, wait_for_scans


def problems():
    found, cursor = [], None
    while True:
        page = data("library.problems", {"limit": 100, "cursor": cursor}, stage.admin())
        found += page["files"]
        cursor = page["next_cursor"]
        if not cursor:
            return found


@check("odd and hostile files: those without sound are listed with a reason, nothing else is opened, the server lives")
def _():
    odd = stage.folders()["Odd"]
    equal(odd["failure"], None, "the scan ended well")
    listed = {file["file"]: file for file in problems() if file["folder"] == "Odd"}
    true(all(file["problem"] for file in listed.values()), "each has a reason")
    paths = {base64.b64decode(entry["path_base64"]).decode("utf-8", "replace"): entry["expect"] for entry in stage.ODD_MANIFEST}
    missing = [path for path, expect in paths.items() if expect == "problem" and path not in listed]
    true(len(missing) <= len(paths) // 50, f"{len(missing)} are not listed, such as {missing[:3]}")
    wrong = [path for path, expect in paths.items() if expect in ("music", "ignored") and path in listed]
    true(not wrong, f"listed although nothing is wrong: {wrong[:3]}")
    titles = json.dumps(everything("tracks", stage.admin()))
    true("secret" not in titles.lower(), "the bait beside the folder is no track")
    equal(stage.get("/healthz")[0], 200, "it lives")


@check("no reply and no line of the log has a path of the machine")
def _():
    heard = json.dumps([everything("tracks", stage.admin()), problems(), stage.folders()])
    log = stage.SERVER.err.read_text(errors="replace") + stage.SERVER.out.read_text(errors="replace")
    true(str(stage.FOLDER) not in heard, "replies")
    true(str(stage.FOLDER) not in log, f"the log: {[line for line in log.splitlines() if str(stage.FOLDER) in line][:1]}")


@check("a scan without changes changes nothing; one that is cancelled ends")
def _():
    def seen():
        # Loudness is measured in the background.
        measures = ("loudness", "gain", "album_gain")
        return [{name: told for name, told in track.items() if name not in measures} for track in everything("tracks", stage.admin())]

    before = seen()
    data("library.scan", {"folder": "Music"}, stage.admin())
    scan = wait_for_scans()["Music"]["scan"]
    equal([scan[name] for name in ("added", "changed", "moved", "missing")], [0, 0, 0, 0], "what it found")
    equal(seen(), before, "tracks")
    data("library.scan", {}, stage.admin())
    data("library.scan_cancel", {}, stage.admin())
    wait_for_scans()
    refused("folder.not_found", "library.scan", {"folder": "Nothing"}, stage.admin())
    refused("auth.forbidden", "library.scan", {}, somebody())
    data("library.scan", {}, stage.admin())
    wait_for_scans()


@check("files that are moved, added and removed are followed without being asked")
def _():
    def until(what, wanted):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            if wanted():
                return
            time.sleep(0.2)
        true(False, what)

    entry = next(entry for entry in stage.MANIFEST if entry["format"] == "flac" and entry["tags"].get("title"))
    title, path = entry["tags"]["title"], stage.MUSIC / entry["path"]

    def ids():
        return {track["id"] for track in everything("tracks", somebody()) if track["title"] == title}

    before = ids()
    moved = stage.MUSIC / "moved here" / "another name.flac"
    moved.parent.mkdir()
    path.rename(moved)
    time.sleep(4)
    until("a file that was moved keeps its track", lambda: ids() == before)
    away = stage.FOLDER / "away.flac"
    moved.rename(away)
    until("a file that is gone is not shown", lambda: len(ids()) == len(before) - 1)
    shutil.copy2(away, path)
    until("it is back as the same track", lambda: ids() == before)
