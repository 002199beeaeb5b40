"""The modules for players in a real browser: the vectors of Protocol, and probes of a real server.

    browser_checks BIN-FOLDER [--seconds S] [--browser PROGRAM]

Needs Python 3.11 and Debian's chromium. Ends with 1 if something is wrong.
"""
import argparse, contextlib, sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from account_checks.server import Server  # noqa: E402
from browser_checks import probes, vectors  # noqa: E402
from browser_checks.browser import Browser  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=Path)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--browser", default="chromium")
    options = parser.parse_args()
    wrong = []
    Server.programs = options.programs.resolve()
    server = Server("--exempt", "127.0.0.1")
    with contextlib.ExitStack() as ending:
        ending.callback(server.stop)
        browser = ending.enter_context(Browser(options.browser))
        browser.open(server.url + "/")
        for name, check in (("vectors", lambda: vectors.run(browser)),
                            ("noise", lambda: vectors.noise(browser)),
                            ("probes", lambda: probes.run(browser, options.seconds))):
            lines, faults = check()
            for line in lines:
                print(f"    {name}: {line}")
            for fault in faults:
                print(f"WRONG {name}: {fault}"[:600])
            wrong += faults
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
