"""create, list, verify and prune beside a running server."""
import json, pathlib

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import PLACE, create, names, sona, verify


@check("a backup beside a running server is whole, and has every upload")
def _():
    made = create()
    true(made["keys"] and made["missing"] == [] and made["files"] >= 5, f"{made}")
    found, = verify()
    equal((found["name"], found["whole"], found["faults"]), (made["name"], True, []), "verify")
    equal(names(), [made["name"]], "list")
    text = (PLACE / "backups" / f"{made['name']}.manifest").read_text()
    true("music folders" in text.splitlines()[0], "the manifest says what is left out")
    true("BEGIN PRIVATE KEY" not in text, "keys are encrypted")
    modes = {oct(path.stat().st_mode & 0o077) for path in PLACE.rglob("*")}
    equal(modes, {"0o0"}, "nobody else may read it")


@check("a second backup costs only what is new")
def _():
    stage.wait_for_scans()
    create()
    before = stage.size(PLACE)
    again = create()
    true(again["stored_bytes"] < 600_000, f"{again['stored_bytes']} bytes although nothing has happened")
    content = stage.sound(8, 99)
    stage.upload(stage.PEOPLE[0]["access_token"], content)
    more = create()
    true(len(content) <= more["stored_bytes"] < len(content) + 3_000_000, f"{more['stored_bytes']} of {len(content)} new bytes")
    manifest = 200_000
    grown = stage.size(PLACE) - before
    true(grown <= again["stored_bytes"] + more["stored_bytes"] + manifest, f"the place has grown by {grown}")
    print(f"        {more['bytes'] >> 10} KiB; nothing new: {again['stored_bytes'] >> 10} KiB stored; "
          f"an upload of {len(content) >> 10} KiB: {more['stored_bytes'] >> 10} KiB")


@check("damage is found, by its object, and the next backup mends it")
def _():
    objects = sorted((PLACE / "objects").glob("??/*"), key=lambda path: path.stat().st_size)
    victim = objects[-1]
    raw = victim.read_bytes()
    victim.write_bytes(raw[:-1] + bytes([raw[-1] ^ 1]))
    found, = verify(None, status=65)
    true(not found["whole"] and any(victim.name in fault for fault in found["faults"]), f"{found}")
    equal(stage.restore(stage.FOLDER / "refused", None, status=65)[0], "", "a restore")
    true(not (stage.FOLDER / "refused").exists(), "nothing is left of the restore")
    victim.unlink()
    quick, = verify(None, "--quick", status=65)
    true(any("missing" in fault for fault in quick["faults"]), f"{quick}")
    create()
    equal(verify()[0]["whole"], True, "the next one")


@check("prune removes what the rule does not keep, and what nobody needs any more")
def _():
    all_names = names()
    told = json.loads(sona("backup", "prune", PLACE, "--data", stage.SERVER.data, "--keep", "1 last", "--dry-run", "--json")[0])
    equal(told["removed"], all_names[:-1], "a trial")
    equal(names(), all_names, "after a trial")
    done = json.loads(sona("backup", "prune", PLACE, "--data", stage.SERVER.data, "--keep", "1 last", "--json")[0])
    equal((done["removed"], names()), (told["removed"], all_names[-1:]), "afterwards")
    equal(verify()[0]["whole"], True, "the one that stays")
    for rule in ("all", "7", "0 daily"):
        true("keep" in sona("backup", "prune", PLACE, "--keep", rule, status=64)[1], "a rule that is none")


@check("wrong use is told by its code, and changes nothing")
def _():
    other = stage.FOLDER / "other"
    other.mkdir()
    (other / "letter.txt").write_text("Dear Ada")
    sona("backup", "create", other, "--data", stage.SERVER.data, status=1)
    equal([path.name for path in other.iterdir()], ["letter.txt"], "a folder of something else")
    sona("backup", "list", stage.FOLDER / "nowhere", status=66)
    sona("backup", "create", stage.FOLDER / "new", "--data", stage.FOLDER / "nowhere", status=66)
    sona("backup", "verify", PLACE, "--name", "2020-01-01T00-00-00Z", status=66)
    sona("backup", "verify", PLACE, "--name", "../x", status=64)
    stage.PASSPHRASE.chmod(0o644)
    sona("backup", "create", PLACE, "--data", stage.SERVER.data, "--passphrase-file", stage.PASSPHRASE, status=77)
    stage.PASSPHRASE.chmod(0o600)
    told = sona("backup", "create", stage.FOLDER / "keyless", "--data", stage.SERVER.data)[1]
    true("keys are not in the backup" in told, f"{told}")
