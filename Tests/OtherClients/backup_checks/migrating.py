"""sona migrate, and the copy that is kept from before."""
import json, shutil, sqlite3

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import sona


def folder_of_before(name):
    """A data folder whose last migration is undone as far as the file's header and list say so."""
    target = stage.FOLDER / name
    stage.create()
    stage.restore(target)
    with sqlite3.connect(target / "sona.sqlite") as link:
        count = link.execute("PRAGMA user_version").fetchone()[0]
        names = [row[0] for row in link.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%migration%'")]
    link.close()
    return target, count, names


@check("migrate says what stands, also beside a running server")
def _():
    told = json.loads(sona("migrate", "--dry-run", "--data", stage.SERVER.data, "--json")[0])
    equal((told["pending"], told["dry_run"]), ([], True), "nothing is to be done")
    true(told["applied"] > 10 and told["bytes"] > 100_000, f"{told}")
    true("up to date" in sona("migrate", "--data", stage.SERVER.data)[0], "without --dry-run")
    sona("migrate", "--data", stage.FOLDER / "nowhere", status=66)
