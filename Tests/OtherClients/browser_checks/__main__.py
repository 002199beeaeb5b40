"""The modules for players in a real browser: the vectors of Protocol, and probes of a real server.

    browser_checks BIN-FOLDER [--only WORD] [--seconds S] [--browser PROGRAM]

Needs Python 3.11 and Debian's chromium. Ends with 1 if something is wrong, with 77 if there is no browser.
"""
import argparse, contextlib, shutil, sys, time
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

import verdicts  # noqa: E402
from account_checks.server import Server  # noqa: E402
from browser_checks import probes, vectors  # noqa: E402
from browser_checks.browser import Browser  # noqa: E402


def main():
    parser = argparse.ArgumentParser(prog="browser_checks")
    parser.add_argument("programs", type=Path)
    parser.add_argument("--only", default="", help="only those of vectors, noise and probes whose names contain this")
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--browser", default="chromium")
    options = parser.parse_args()
    checks = verdicts.chosen(parser.prog, [("vectors", False, vectors.run), ("noise", False, vectors.noise), (
        "probes", False, lambda browser: probes.run(browser, options.seconds))], options.only)
    report = verdicts.Report()
    if not shutil.which(options.browser):
        for name, _ in checks:
            report.skipped(f"a browser's modules: {name}", f"there is no {options.browser}")
        return 77
    Server.programs = options.programs.resolve()
    server = Server("--exempt", "127.0.0.1")
    with contextlib.ExitStack() as ending:
        ending.callback(server.stop)
        browser = ending.enter_context(Browser(options.browser))
        browser.open(server.url + "/")
        for name, check in checks:
            begun = time.monotonic()
            lines, faults = check(browser)
            report(name, lines and not faults, "; ".join(faults)[:600] if lines else "nothing was looked at", time.monotonic() - begun)
            for line in lines:
                print(f"        {line}")
    return report.status()


if __name__ == "__main__":
    sys.exit(main())
