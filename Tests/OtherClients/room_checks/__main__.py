"""Asks a server of its own whether rooms are as Protocol/spec/ says: who gets in, who may do what, who is told.

    python3 Tests/OtherClients/room_checks BIN-FOLDER [--only WORD] [--slow]

Nothing but Python's library. A recorder at every connection validates each message in both directions against
Protocol/schema/, counts the events of its room and its own without a gap, and compares them with what others in the
room got. What it notes in the meantime fails the check that runs.
"""
import argparse, importlib, pathlib, sys

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("doors", "waiting", "seat", "talk", "order", "standings", "attacks", "evening", "restart", "recorder")

# What the server does not keep yet. A check is taken off this list when it holds.
OPEN = ()


def main():
    parser = argparse.ArgumentParser(prog="room_checks", description="Checks rooms on a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also those that take a minute")
    given = parser.parse_args()
    from room_checks import party
    from room_checks.server import MortalServer
    MortalServer.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"room_checks.{chapter}")
    count = {"ok": 0, "known": 0, "FAIL": 0}
    server = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100")
    try:
        with server:
            party.SERVER = server
            for title, slow, function in helpers.CHECKS:
                if given.only not in title or slow and not given.slow:
                    continue
                del party.VIOLATIONS[:]
                result, why = helpers.outcome(function)
                if party.VIOLATIONS:
                    result, why = "FAIL", "; ".join([why] * bool(why) + party.VIOLATIONS[:4])
                if server.process.poll() is not None:
                    result, why = "FAIL", f"{why} THE SERVER HAS ENDED: {server.err.read_text()[-500:]}"
                    server.revive("--exempt", "127.0.0.1")
                if result == "FAIL" and title.startswith(OPEN) and server.process.poll() is None:
                    result = "known"
                count[result] += 1
                print(f"{result:<5} {title}{': ' if why else ''}{why}", flush=True)
    finally:
        server.stop()
    print("{requests} requests, {replies} replies, {events} events looked at".format(**party.COUNTS))
    print(f"{count['ok']} passed, {count['known']} known, {count['FAIL']} failed")
    sys.exit(1 if count["FAIL"] or not count["ok"] else 0)


if __name__ == "__main__":
    main()
