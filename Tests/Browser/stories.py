"""Runs the stories of a folder of checks, and says which of them failed, and how long each took.

Stories share one server, and browsers that are started alike. A story that stops its server, or needs one with nothing else in
it, says so in `OWN_SERVER`, with the reason.
"""
import argparse, importlib, os, pathlib, shutil, subprocess, sys, tempfile, time, traceback

from playwright.sync_api import sync_playwright

import support
from support import Server, named

#: The status where nothing could be looked at: what it needs is not there.
NOTHING_THERE = 77


def main(package, stories, long=(), lanes=(), alone=()):
    """Runs `package.NAME.run(playwright, server, folder)` for each name in `stories`, and prints the lines it returns.

    `long` are those that only `--long` asks for. Those in `alone` measure milliseconds: they come first, with nothing beside
    them. Each of `lanes` are stories that mostly wait: a process of their own runs them, beside the rest. Returns the exit
    code.
    """
    parser = argparse.ArgumentParser(prog=package)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--only", action="append", metavar="STORY")
    parser.add_argument("--long", action="store_true", default=os.environ.get("SONA_LONG_TESTS") == "1")
    options = parser.parse_args()
    names = named(package, [*stories, *long], options.only)
    if not shutil.which("chromium"):
        for name in names:
            print(f"SKIPPED  {package} {name}: there is no chromium", flush=True)
        return NOTHING_THERE
    first, beside, count = [], [], len(names)
    if not options.only:
        aside = [name for lane in lanes for name in lane]
        names = [name for name in [*stories, *(long if options.long else [])] if name not in aside]
        first, names, count = [name for name in names if name in alone], [name for name in names if name not in alone], len(names) + len(aside)
    begin, wrong = time.monotonic(), 0
    try:
        with sync_playwright() as playwright, Stage(playwright, options.programs) as stage:
            for name in first:
                wrong += not tell(package, name, stage)
            if not options.only:
                beside = [Lane(options.programs, lane) for lane in lanes]
            for name in names:
                wrong += not tell(package, name, stage)
    finally:
        wrong += sum(lane.ended() for lane in beside)
    print(f"{TOLD}: {count}, {wrong} failed, in {time.monotonic() - begin:.0f} s", flush=True)
    return 1 if wrong else 0


#: Where it is missing, the run was cut short.
TOLD = "all stories were told"


class Lane:
    """Stories that another process runs meanwhile."""

    def __init__(self, programs, names):
        self.names = names
        only = [word for name in names for word in ("--only", name)]
        self.process = subprocess.Popen([sys.executable, sys.argv[0], programs, *only], stdout=subprocess.PIPE, text=True)

    def ended(self):
        """Waits for it, prints what it said, and returns how many of its stories failed."""
        try:
            said = self.process.communicate(timeout=1800)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            said = self.process.communicate()[0]
        print("\n".join(line for line in said.splitlines() if not line.startswith(TOLD)))
        lost = [name for name in self.names if not any(f"{word:<8}{name} " in said for word in ("ok", "FAILED"))]
        for name in lost:
            print(f"FAILED  {name} (0 s)")
        return sum(f"FAILED  {name} " in said for name in self.names) + len(lost)


class Stage:
    """What stories share: a server and browsers."""

    def __init__(self, playwright, programs):
        self.playwright, self.programs, self.shared = playwright, programs, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        support.close_browsers()
        self.close()

    def close(self):
        if self.shared:
            self.shared.__exit__()
            self.shared = None

    def server(self, own):
        """The server of a story: for itself, or that of all."""
        if own:
            return Server(self.programs)
        if not self.shared:
            self.shared = Server(self.programs)
        return self.shared

    def is_over(self, server, is_good):
        """A story is over. What one that failed has left behind is for nobody else."""
        if server is not self.shared:
            server.__exit__()
        elif is_good:
            server.tidy()
        else:
            self.close()
        if not is_good:
            support.close_browsers()


def tell(package, name, stage):
    """Runs a story, and says whether it went well."""
    begin, server, is_good, lines = time.monotonic(), None, False, []
    support.started_s = 0
    try:
        with tempfile.TemporaryDirectory(prefix="sona-browser-") as folder:
            story = importlib.import_module(f"{package}.{name}")
            server = stage.server(getattr(story, "OWN_SERVER", None))
            lines = story.run(stage.playwright, server, pathlib.Path(folder)) or []
            is_good = True
    except Exception:
        trace = traceback.format_exc(limit=6)
    try:
        if server:
            stage.is_over(server, is_good)
    except Exception:
        is_good, trace = False, traceback.format_exc(limit=6)
    took = f"({time.monotonic() - begin:.1f} s, {support.started_s:.1f} s of it to start)"
    if not is_good:
        print(f"FAILED  {name} {took}\n{trace}", flush=True)
        return False
    print(f"ok      {name} {took}: {story.__doc__.splitlines()[0]}", flush=True)
    for line in lines:
        print(f"        {line}")
    return True
