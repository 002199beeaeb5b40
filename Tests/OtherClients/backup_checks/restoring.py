"""A second data folder: the same users, rooms, tracks and photos, byte for byte."""
import hashlib, json, pathlib, sqlite3

from protocol_checks import helpers
from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import PEOPLE, SERVER, check_contents, check_database, create, data, http_ask, restore


@check("a restored folder has the same rows and files, and a server on it knows the same people")
def _():
    target = stage.FOLDER / "restored"
    photos = {one["photo"]: http_ask("GET", f"/v1/photos/{one['photo']}/full")[1] for one in PEOPLE}
    rooms = {one["user"]["uid"]: data("user.me", token=one["access_token"]) for one in PEOPLE}
    # Nobody writes: what is compared is all of it.
    stage.SERVER.process.terminate()
    stage.SERVER.process.wait()
    before = stage.rows(stage.SERVER.data)
    made = create()
    told = restore(target)[0]
    true(made["name"] in told, told)
    after = stage.rows(target)
    equal(sorted(after), sorted(before), "tables")
    for table in before:
        equal(len(after[table]), len(before[table]), f"rows of {table}")
        true(after[table] == before[table], f"rows of {table} differ")
    check_contents(target, check_database(target))
    for folder in ("media", "keys", "recordings"):
        for path in (stage.SERVER.data / folder).rglob("*"):
            relative = path.relative_to(stage.SERVER.data)
            if path.is_file() and not str(relative).startswith(("media/incoming", "media/renditions")):
                equal((target / relative).read_bytes(), path.read_bytes(), str(relative))
    stage.SERVER.revive()
    with stage.Second("--exempt", "127.0.0.1", data=target) as second:
        try:
            for one in PEOPLE:
                grant = data("auth.sign_in", {"email": one["email"], "password": helpers.PASSWORD})
                me = data("user.me", token=grant["access_token"])
                equal(me["profile"] if "profile" in me else me, rooms[one["user"]["uid"]]["profile"]
                      if "profile" in me else rooms[one["user"]["uid"]], "who they are")
                equal(http_ask("GET", f"/v1/photos/{one['photo']}/full")[1], photos[one["photo"]], "photo")
                # The keys came along: tokens of the first server are good here.
                data("playlist.get", {"playlist": one["playlist"]}, one["access_token"])
            intact = json.loads(second.operator("journal", "--json"))
            true(intact["is_intact"] if "is_intact" in intact else intact.get("intact"), f"the journal: {intact}")
        finally:
            second.stop()


@check("without the keys a restore says so, and the server starts only when it is told that they are lost")
def _():
    create()
    target = stage.FOLDER / "keyless-data"
    stage.sona("restore", stage.PLACE, "--data", target, status=77)
    wrong = stage.FOLDER / "wrong"
    wrong.write_text("another passphrase\n")
    wrong.chmod(0o600)
    stage.sona("restore", stage.PLACE, "--data", target, "--passphrase-file", wrong, status=77)
    true(not target.exists(), "nothing is left")
    told = stage.sona("restore", stage.PLACE, "--data", target, "--without-keys")[1]
    true("--new-keys" in told and "app" in told, told)
    try:
        stage.Second(data=target).stop()
        true(False, "the server starts without keys")
    except OSError as error:
        true("keys are missing" in str(error), str(error)[:200])
    with stage.Second("--new-keys", data=target) as second:
        data("auth.sign_in", {"email": PEOPLE[0]["email"], "password": helpers.PASSWORD})
        second.stop()


@check("a data folder that is there is never overwritten without --force, and kept with it")
def _():
    target = stage.FOLDER / "mine"
    restore(target)
    (target / "mine.txt").write_text("mine")
    told = restore(target, None, status=1)[1]
    true("--force" in told and (target / "mine.txt").exists(), told)
    restore(target, None, "--force")
    kept, = stage.FOLDER.glob("mine.before-restore-*")
    equal((kept / "mine.txt").read_text(), "mine", "the old folder")
    true(not (target / "mine.txt").exists() and (target / "sona.sqlite").exists(), "the new folder")
    restore(stage.SERVER.data, None, "--force", status=75)  # a server runs on it


@check("a backup of a newer schema is refused")
def _():
    import re, shutil
    place = stage.FOLDER / "newer"
    shutil.copytree(stage.PLACE, place)
    path = max((place / "backups").glob("*.manifest"))
    lines = path.read_bytes().split(b"\n")
    lines[0] = re.sub(rb'"schema":\d+', b'"schema":9999', lines[0])
    body = b"\n".join(lines[:-2]) + b"\n"
    path.write_bytes(body + json.dumps({"end": True, "sha256": hashlib.sha256(body).hexdigest()}).encode() + b"\n")
    told = stage.sona("restore", place, "--data", stage.FOLDER / "newer-data", "--passphrase-file", stage.PASSPHRASE, status=65)[1]
    true("newer version" in told, told)
