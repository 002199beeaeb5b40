"""Places that rclone reaches: a folder by its own name, and WebDAV on the loopback."""
import os, pathlib, shutil, socket, subprocess, time

from protocol_checks.helpers import check, equal, true
from verdicts import Skipped

from backup_checks import stage
from backup_checks.stage import create, names, sona, verify


def demand():
    if not shutil.which("rclone"):
        raise Skipped("rclone is not installed")


def round_trip(place, folder):
    """A backup, a second one, a check, a restore and a removal at a remote place."""
    first = create(place)
    second = create(place)
    true(second["stored_bytes"] < 600_000 < first["stored_bytes"], f"{second['stored_bytes']} after {first['stored_bytes']}")
    equal(names(place), [first["name"], second["name"]], "list")
    true(all(one["whole"] for one in verify(place, "--all", "--quick")), "quick")
    equal(verify(place)[0]["whole"], True, "verify")
    target = stage.FOLDER / f"from-{folder.name}"
    stage.restore(target, place)
    stage.check_contents(target, stage.check_database(target))
    shutil.rmtree(target)
    sona("backup", "prune", place, "--data", stage.SERVER.data, "--keep", "1 last")
    equal(names(place), [second["name"]], "after prune")
    equal(verify(place)[0]["whole"], True, "the one that stays")
    victim = max((folder / "objects").glob("??/*"), key=lambda path: path.stat().st_size)
    victim.unlink()
    time.sleep(1.5)  # a server of WebDAV remembers what it has listed
    equal(verify(place, "--quick", status=65)[0]["whole"], False, "a lost object")
    true(not (stage.SERVER.data / "backup-outgoing").exists(), "nothing waits in the data folder")


@check("a remote place of rclone: backup, second one, check, restore, prune")
def _():
    demand()
    os.environ["RCLONE_CONFIG_FAR_TYPE"] = "local"
    folder = stage.FOLDER / "far"
    round_trip(f"rclone:far:{folder}", folder)


@check("WebDAV by rclone: the same", slow=True)
def _():
    demand()
    folder = stage.FOLDER / "dav"
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = subprocess.Popen(["rclone", "serve", "webdav", folder, "--addr", f"127.0.0.1:{port}", "--dir-cache-time", "1s"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as link:
                if link.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        os.environ |= {"RCLONE_CONFIG_DAV_TYPE": "webdav", "RCLONE_CONFIG_DAV_URL": f"http://127.0.0.1:{port}",
                       "RCLONE_CONFIG_DAV_VENDOR": "other"}
        round_trip("rclone:dav:sona", folder / "sona")
    finally:
        served.terminate()
        served.wait()
    told = sona("backup", "list", "rclone:dav:sona", status=69)[1]
    true("rclone" in told, told)


@check("without rclone a remote place says how to install it")
def _():
    before = os.environ["PATH"]
    os.environ["PATH"] = str(stage.FOLDER)
    try:
        told = sona("backup", "create", "rclone:far:x", "--data", stage.SERVER.data, status=69)[1]
    finally:
        os.environ["PATH"] = before
    true("apt install rclone" in told, told)
