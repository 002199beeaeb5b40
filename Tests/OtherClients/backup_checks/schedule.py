"""Backups by schedule, and what an operator sees of them."""
import json, re

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import eventually, http_ask


def metric(server, name):
    found = re.search(rf"^{re.escape(name)} (\S+)$", server.metrics(), re.M)
    return float(found[1]) if found else None


@check("a server makes backups by schedule; metrics, log and journal tell of them")
def _():
    place = stage.FOLDER / "scheduled"
    with stage.Second("--backup-to", str(place), "--backup-every", "24", "--backup-passphrase-file", str(stage.PASSPHRASE),
                      "--backup-keep", "2 last") as server:
        try:
            eventually(lambda: metric(server, 'sona_backups_total{result="success"}') == 1, "no backup is made", 30)
            equal(len(stage.names(place)), 1, "backups")
            equal(metric(server, "sona_backup_scheduled"), 1, "scheduled")
            equal(metric(server, "sona_backup_failed"), 0, "failed")
            true(metric(server, "sona_backup_success_timestamp_seconds") > 1.7e9, "time of the last one")
            true("backup.made" in server.err.read_text(), "the log")
            # One by hand is told of as well.
            stage.create(place, data_folder=server.data)
            eventually(lambda: metric(server, 'sona_backups_total{result="success"}') == 2, "one by hand")
            # One that fails changes nothing but what is told.
            (place / "sona-backups").unlink()
            stage.sona("backup", "create", place, "--data", server.data, status=1)
            eventually(lambda: metric(server, "sona_backup_failed") == 1, "a failure")
            status, body = http_ask("GET", "/readyz")
            equal(status, 200, "ready all the same")
            true("the last backup failed" in body.decode(), f"{body}")
            true("backup.failed" in server.err.read_text(), "the log")
        finally:
            server.stop()


@check("settings that do not go together are refused before anything starts")
def _():
    for arguments, word in ((["--backup-to", "x", "--backup-every", "6", "--backup-at", "03:00"], "not both"),
                            (["--backup-at", "03:00"], "needs backup-to"), (["--backup-at", "25:00"], "time of day"),
                            (["--backup-keep", "all"], "rule"), (["--backup-to", "rclone:nowhere"], "rclone:REMOTE:PATH")):
        true(word in stage.sona("config", "check", *arguments, status=64)[1], f"{arguments}")
