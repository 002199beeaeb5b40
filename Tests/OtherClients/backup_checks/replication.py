"""Litestream's way with the file, made by hand: its own read lock and its own copies of the log.

Litestream is not in Debian. It keeps a read transaction open, so that nobody else can begin the log anew, and copies the frames
that are committed. A server must bear that: writes go on, and the log is not lost under it. Litestream's own checkpoints are
left out: beside a writer of another process they are what damages files in SQLite before 3.51.3 (deploy/backups.md).
"""
import hashlib, sqlite3, struct, time

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import Writers


def frames(path):
    """The committed frames of a log: (page number, page), by sqlite.org/fileformat.html#the_write_ahead_log."""
    raw = path.read_bytes()
    page_size, = struct.unpack_from(">I", raw, 8)
    salts, found, pending = raw[16:24], [], []
    at = 32
    while at + 24 + page_size <= len(raw):
        page, commit = struct.unpack_from(">II", raw, at)
        if raw[at + 8:at + 16] != salts:
            break
        pending.append((page, raw[at + 24:at + 24 + page_size]))
        if commit:
            found, pending = found + pending, []
        at += 24 + page_size
    return found


@check("a replica by Litestream's rules: the log is held and copied by another process while the server writes")
def _():
    file, log = stage.SERVER.data / "sona.sqlite", stage.SERVER.data / "sona.sqlite-wal"
    link = sqlite3.connect(f"file:{file}", uri=True, isolation_level=None, timeout=1)
    copied, restarted = {}, 0
    with Writers(rate=200) as writers:
        begun = time.monotonic()
        while time.monotonic() - begun < 6:
            link.execute("BEGIN")
            link.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            salt = log.read_bytes()[16:24]
            for _ in range(5):
                time.sleep(0.1)
                if log.read_bytes()[16:24] != salt:
                    restarted += 1
                for page, content in frames(log):
                    copied[page] = hashlib.sha256(content).digest()
            link.execute("ROLLBACK")
    link.close()
    true(writers.per_second > 100, f"{writers.per_second:.0f} writes a second beside it")
    true(len(copied) > 3, f"{len(copied)} pages copied")
    equal(restarted, 0, "the log began anew under a reader that holds it")
    print(f"        {writers.per_second:.0f} writes a second, {len(copied)} pages copied from the log")
    made = stage.create()
    equal(stage.verify()[0]["whole"], True, f"the database afterwards ({made['name']})")
