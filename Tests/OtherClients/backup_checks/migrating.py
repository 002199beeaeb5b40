"""sona migrate. Migrations themselves are tried in SonaServerTests, on a database of before."""
import json

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import sona


@check("migrate says what stands, also beside a running server")
def _():
    told = json.loads(sona("migrate", "--dry-run", "--data", stage.SERVER.data, "--json")[0])
    equal((told["pending"], told["dry_run"]), ([], True), "nothing is to be done")
    true(told["applied"] > 10 and told["bytes"] > 100_000, f"{told}")
    true("up to date" in sona("migrate", "--data", stage.SERVER.data)[0], "without --dry-run")
    sona("migrate", "--data", stage.FOLDER / "nowhere", status=66)
