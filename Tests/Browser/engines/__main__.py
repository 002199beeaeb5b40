"""The web player in Firefox and in WebKitGTK, of Safari's family: what people do with it, and what they hear.

    engines BIN-FOLDER [--engine firefox|webkit]… [--only STORY]…

Needs Python 3.11 with numpy and websockets, opus-tools, and what an engine needs: Tests/Browser/other_engines installs it.
An engine that is not there is left out, and named. Ends with 1 if something is wrong, 77 if no engine is there.
"""
import argparse, importlib, os, pathlib, signal, sys, tempfile, time, traceback

sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from engines import firefox, webkit  # noqa: E402
from engines.tab import Lost  # noqa: E402
from support import Server, named  # noqa: E402

ENGINES = {engine.NAME: engine for engine in (firefox, webkit)}
STORIES = ["pages", "hearing", "people", "cuts", "hosting", "stranger", "insecure"]


#: How often a story is begun that an engine does not live to the end of. Firefox now and then stands still when it opens
#: its sound device: its thread for it waits for itself, whatever the page does.
BEGINNINGS = 3


def run(module, engine, programs, folder):
    lines = []
    for number in range(1, BEGINNINGS + 1):
        try:
            with Server(programs) as server, engine.started() as browser:
                return lines + (module.run(browser, server, folder) or [])
        except Lost as lost:
            if number == BEGINNINGS:
                raise
            lines.append(f"begun anew: {str(lost)[:60]}… no answer")


def tell(engine, story, programs, folder):
    """Runs one story in one engine. Returns whether it holds, and prints what it says."""
    begin = time.monotonic()
    try:
        module = importlib.import_module(f"engines.{story}")
        lines = run(module, engine, programs, folder)
    except Exception:
        print(f"FAILED  {engine.NAME} {story} ({time.monotonic() - begin:.1f} s)\n{traceback.format_exc(limit=6)}", flush=True)
        return False
    print(f"ok      {engine.NAME} {story} ({time.monotonic() - begin:.1f} s): {module.__doc__.splitlines()[0]}", flush=True)
    for line in lines:
        print(f"        {line}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(prog="engines")
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--engine", action="append", metavar="ENGINE")
    parser.add_argument("--only", action="append", metavar="STORY")
    options = parser.parse_args()
    names, stories = named(parser.prog, ENGINES, options.engine), named(parser.prog, STORIES, options.only)
    # Whoever ends this ends what it has started, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    wrong, missing = [], []
    for name in names:
        engine = ENGINES[name]
        if not engine.is_there():
            missing.append(name)
            continue
        print(f"{name}: {engine.version()}", flush=True)
        with tempfile.TemporaryDirectory(prefix="sona-engines-") as folder:
            before, site = os.environ.get("SONA_SITE"), engine.site(pathlib.Path(folder))
            if site:
                os.environ["SONA_SITE"] = str(site)
            wrong += [f"{name} {story}" for story in stories
                      if not tell(engine, story, options.programs, pathlib.Path(folder))]
            if before:
                os.environ["SONA_SITE"] = before
            else:
                os.environ.pop("SONA_SITE", None)
    for name in missing:
        print(f"SKIPPED  {name}: it is not installed", flush=True)
    for story in wrong:
        print(f"FAILED  {story}", flush=True)
    return 1 if wrong else 77 if len(missing) == len(names) else 0


if __name__ == "__main__":
    sys.exit(main())
