"""Asks servers of its own whether accounts are as Protocol/spec/ says, mostly as somebody who means ill.

    python3 Tests/OtherClients/account_checks BIN-FOLDER [--only WORD] [--slow]

Nothing but Python's library and the programs `openssl` and `curl`. Starts `sona` of BIN-FOLDER on data folders of its
own, with a mailbox for its mail and an issuer of identities whose keys it believes. Prints a line for each check. All
that any server has said, over HTTP, WebSocket, on its outputs and in its metrics, is kept and looked through at the
end: nobody may have read another's address, and nobody a password, or a token or code that was not theirs.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers  # noqa: E402
from protocol_checks.helpers import check, true  # noqa: E402

CHAPTERS = ("arriving", "names", "forging", "bans", "leaving", "letters", "proofs", "permissions", "photos",
            "presence", "prying", "limits", "secrecy", "flood")

LAST = "nobody has read what was not theirs: passwords, hashes, tokens, codes, addresses"


def main():
    parser = argparse.ArgumentParser(prog="account_checks", description="Checks accounts on Sona servers of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="more of what is measured")
    given = parser.parse_args()
    from account_checks import stage
    stage.Server.programs = given.programs.resolve()
    report = verdicts.Report()

    def after(title, word, why):
        if stage.main_server().process.poll() is not None and title != LAST:
            word, why = "FAILED", f"{why} THE SERVER HAS ENDED: {stage.main_server().err.read_text()[-500:]}"
        return word, why
    for chapter in CHAPTERS:
        importlib.import_module(f"account_checks.{chapter}")
    check(LAST)(nothing_leaked)
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    try:
        with stage.serve(*stage.EXEMPT, *stage.MAIL, *stage.issuer.arguments):
            verdicts.run(checks, helpers.outcome, report, after)
    finally:
        for server in stage.servers:
            server.stop()
    sys.exit(report.status())


def nothing_leaked():
    """The last check: it ends the servers."""
    from account_checks.stage import mailbox, record, servers
    for server in servers:
        if server.process.poll() is None:
            record.add("metrics", server.metrics())
        record.add("outputs", server.stop())
    leaks = record.leaks(mailbox.codes())
    true(not leaks, f"{len(leaks)} leaks: " + "; ".join(leaks[:5]))
    true(len(record.entries) > 1, "nothing was looked through")


if __name__ == "__main__":
    main()
