"""Asks a server of its own who may do what in a room, line by line of a table, and who is told of it.

    python3 Tests/OtherClients/rights_checks BIN-FOLDER [--only WORD]

Nothing but Python's library. The tables are written by hand from Protocol/spec/, and never from the server.
"""
import argparse, importlib, pathlib, sys, time

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

from protocol_checks import helpers  # noqa: E402

CHAPTERS = ("walking", "ranks", "telling", "codes")


def main():
    parser = argparse.ArgumentParser(prog="rights_checks", description="Checks rights on a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    given = parser.parse_args()
    from room_checks import party
    from room_checks.server import MortalServer
    from party_checks import stage  # noqa: F401  it brings the checks of other folders, which are asked there
    helpers.CHECKS.clear()
    MortalServer.programs = given.programs.resolve()
    for chapter in CHAPTERS:
        importlib.import_module(f"rights_checks.{chapter}")
    passed, failed = 0, 0
    server = MortalServer("--exempt", "127.0.0.1", "--account-budgets", "100")
    try:
        with server:
            party.SERVER = server
            for title, _, function in helpers.CHECKS:
                if given.only not in title:
                    continue
                del party.VIOLATIONS[:]
                begun = time.monotonic()
                result, why = helpers.outcome(function)
                if party.VIOLATIONS:
                    result, why = "FAIL", "; ".join([why] * bool(why) + party.VIOLATIONS[:4])
                if server.process.poll() is not None:
                    result, why = "FAIL", f"{why} THE SERVER HAS ENDED: {server.err.read_text()[-500:]}"
                    server.revive("--exempt", "127.0.0.1")
                passed, failed = passed + (result == "ok"), failed + (result != "ok")
                print(f"{result:<5} {title} ({time.monotonic() - begun:.1f} s){': ' if why else ''}{why}", flush=True)
    finally:
        server.stop()
    print("{requests} requests, {replies} replies, {events} events looked at".format(**party.COUNTS))
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
