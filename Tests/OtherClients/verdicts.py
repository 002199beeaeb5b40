"""How the programs of checks choose their checks, and tell how each went.

Every check is one line, which begins with a word for those who count:

    ok      NAME (1.2 s)
    FAILED  NAME (1.2 s): what is wrong
    KNOWN  NAME: a defect that is accepted for now
    SKIPPED  NAME: why the check was left out
"""
import collections, sys, time

#: The status of a program that was asked for checks it does not have, as `sysexits.h` numbers wrong use.
USAGE = 64


class Known(Exception):
    """The server does something else, which is known and accepted."""


class Skipped(Exception):
    """The check cannot be made here."""


def refuse(program, text):
    """Ends the program: it was asked for something that does not exist."""
    print(f"{program}: {text}", file=sys.stderr, flush=True)
    sys.exit(USAGE)


def chosen(program, checks, only="", slow=True):
    """The functions of those (title, slow, function) whose titles contain `only`, by title. Ends the program if there are none."""
    found = [one for one in checks if only in one[0]]
    if not found:
        refuse(program, f"--only {only!r}: the title of no check contains this")
    quick = [(title, function) for title, is_slow, function in found if slow or not is_slow]
    if not quick:
        refuse(program, f"--only {only!r}: these checks are made with --slow alone")
    return quick


def named(program, known, wanted):
    """The `wanted` names, all `known` ones if none is wanted. Ends the program if one of them is unknown."""
    for name in wanted or ():
        if name not in known:
            refuse(program, f"{name!r} does not exist. There are: {', '.join(known)}")
    return list(wanted or known)


class Report:
    """Prints a line for each verdict, and counts them."""

    def __init__(self):
        self.counts, self.begun = collections.Counter(), time.monotonic()

    def __call__(self, title, holds, detail="", seconds=None):
        self.tell("ok" if holds else "FAILED", title, detail, seconds)

    def known(self, title, why):
        self.tell("KNOWN", title, why)

    def skipped(self, title, why):
        self.tell("SKIPPED", title, why)

    def note(self, text):
        print(f"note    {text}", flush=True)

    def warn(self, text):
        print(f"warning {text}", flush=True)

    def tell(self, word, title, why="", seconds=None):
        self.counts[word] += 1
        took = f" ({seconds:.1f} s)" if seconds is not None and word in ("ok", "FAILED") else ""
        width = 8 if word == "ok" else 0
        print(f"{word + '  ':<{width}}{title}{took}{': ' if why else ''}{why}", flush=True)

    def status(self):
        """Prints the sums. 0 if something was checked and nothing failed."""
        words = [f"{self.counts['ok']} passed", f"{self.counts['FAILED']} failed"]
        words += [f"{self.counts[word]} {word.lower()}" for word in ("KNOWN", "SKIPPED") if self.counts[word]]
        print(f"{', '.join(words)}, in {time.monotonic() - self.begun:.0f} s", flush=True)
        return 1 if self.counts["FAILED"] or not self.counts["ok"] else 0


def run(checks, outcome, report, after=None):
    """Makes (title, function) one after the other. `after(title, word, why)` may judge otherwise once one has ended."""
    for title, function in checks:
        begun = time.monotonic()
        word, why = outcome(function)
        if after:
            word, why = after(title, word, why)
        report.tell(word, title, why, time.monotonic() - begun)
