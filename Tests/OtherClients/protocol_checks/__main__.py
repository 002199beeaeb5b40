"""Asks a Sona server whether it does what Protocol/spec/ says, mostly by misbehaving.

    python3 -m protocol_checks http://HOST:PORT [--only WORD] [--slow] [--vectors FOLDER]

Prints a line for each check and at the end "N passed, M failed"; exits with 1 if any failed. A line that begins with
"known" is a deviation that is accepted, and counts as neither. Every check has connections of its own. One more
connection sits in the room @demo (or, where there is none, in a room made for it) through all of them and must notice
nothing: it goes on getting packets, without a gap, and answers to its probes.
Accounts and rooms it makes have random names; rooms stay behind. Each run fails to sign in six times on purpose: a
server that has seen several runs within minutes may answer with auth.rate_limited for a while.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

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
        parser.error(f"there are no vectors in {given.vectors}")
    vectors.register(given.vectors)
    witness, count = Witness(), {"ok": 0, "known": 0, "FAIL": 0}
    witness.start()
    for title, slow, function in helpers.CHECKS:
        if given.only not in title or slow and not given.slow:
            continue
        result, why = helpers.outcome(function)
        noticed = witness.noticed()
        if noticed:
            result, why = "FAIL", f"{why} THE ONE BESIDE IT NOTICED: {noticed}"
            witness.stop = True
            witness = Witness()
            witness.start()
        count[result] += 1
        print(f"{result:<5} {title}{': ' if why else ''}{why}", flush=True)
    witness.stop = True
    witness.join()
    print(f"{count['ok']} passed, {count['FAIL']} failed")
    sys.exit(1 if count["FAIL"] or not count["ok"] else 0)


if __name__ == "__main__":
    main()
