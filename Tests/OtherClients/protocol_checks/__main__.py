"""Asks a Sona server whether it does what Protocol/spec/ says, mostly by misbehaving.

    python3 -m protocol_checks http://HOST:PORT [--only WORD] [--slow] [--vectors FOLDER]

Prints a line for each check and at the end "N passed, M failed"; exits with 1 if any failed. A line that begins with
"KNOWN" is a deviation that is accepted, and counts as neither. Every check has connections of its own. One more
connection sits in the room @demo (or, where there is none, in a room made for it) through all of them and must notice
nothing: it goes on getting packets, without a gap, and answers to its probes.
Accounts and rooms it makes have random names; rooms stay behind. Each run fails to sign in six times on purpose: a
server that has seen several runs within minutes may answer with auth.rate_limited for a while.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from protocol_checks import helpers, vectors  # noqa: E402
from protocol_checks.witness import Witness  # noqa: E402

CHAPTERS = ("connection", "requests", "hello", "frames", "rooms", "accounts", "over_http", "hosting", "playback",
            "joining", "behind", "resuming", "slow")


def main():
    parser = argparse.ArgumentParser(prog="protocol_checks",
                                     description="Checks a Sona server against the prose of its protocol.")
    parser.add_argument("address", help="http://HOST:PORT")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also those that take up to a minute and more")
    parser.add_argument("--vectors", type=pathlib.Path, default=FOLDER.parents[2] / "Protocol" / "vectors")
    given = parser.parse_args()
    helpers.URL = given.address
    for chapter in CHAPTERS:
        importlib.import_module(f"protocol_checks.{chapter}")
    if not any(given.vectors.glob("*.json")):
        verdicts.refuse(parser.prog, f"there are no vectors in {given.vectors}")
    vectors.register(given.vectors)
    checks = verdicts.chosen(parser.prog, helpers.CHECKS, given.only, given.slow)
    witness = Witness()
    witness.start()

    def after(_, word, why):
        nonlocal witness
        if noticed := witness.noticed():
            word, why = "FAILED", f"{why} THE ONE BESIDE IT NOTICED: {noticed}"
            witness.stop = True
            witness = Witness()
            witness.start()
        return word, why
    report = verdicts.Report()
    verdicts.run(checks, helpers.outcome, report, after)
    witness.stop = True
    witness.join()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
