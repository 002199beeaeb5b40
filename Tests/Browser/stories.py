"""Runs the stories of a folder of checks, each with a server of its own, and says which of them failed."""
import argparse, importlib, os, pathlib, subprocess, sys, tempfile, time, traceback

from playwright.sync_api import sync_playwright

from support import Server


def main(package, stories, long=(), aside=None):
    """Runs `package.NAME.run(playwright, server, folder)` for each name in `stories`, and prints the lines it returns.

    `long` are those that only `--long` asks for. `aside` takes as long as all others, which mostly wait: it runs beside
    them. Returns the exit code.
    """
    parser = argparse.ArgumentParser(prog=package)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--only", action="append", choices=[*stories, *long])
    parser.add_argument("--long", action="store_true", default=os.environ.get("SONA_LONG_TESTS") == "1")
    options = parser.parse_args()
    names, beside = options.only, None
    if not names:
        names = [name for name in [*stories, *(long if options.long else [])] if name != aside]
        if aside:
            beside = subprocess.Popen([sys.executable, sys.argv[0], options.programs, "--only", aside], stdout=subprocess.PIPE, text=True)
    wrong = 0
    try:
        with sync_playwright() as playwright:
            for name in names:
                wrong += not tell(package, name, playwright, options.programs)
    finally:
        if beside:
            try:
                said = beside.communicate(timeout=1800)[0]
            except subprocess.TimeoutExpired:
                beside.kill()
                said = beside.communicate()[0]
            print("\n".join(line for line in said.splitlines() if not line.startswith(TOLD)))
            if beside.returncode and f"FAILED  {aside} " not in said:
                print(f"FAILED  {aside} (0 s)")
            wrong += beside.returncode != 0
    print(f"{TOLD}: {len(names) + bool(beside)}, {wrong} failed", flush=True)
    return 1 if wrong else 0


#: Where it is missing, the run was cut short.
TOLD = "all stories were told"


def tell(package, name, playwright, programs):
    """Runs a story, and says whether it went well."""
    begin = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="sona-browser-") as folder, Server(programs) as server:
            story = importlib.import_module(f"{package}.{name}")
            lines = story.run(playwright, server, pathlib.Path(folder)) or []
    except Exception:
        print(f"FAILED  {name} ({time.monotonic() - begin:.1f} s)\n{traceback.format_exc(limit=6)}", flush=True)
        return False
    print(f"ok      {name} ({time.monotonic() - begin:.1f} s): {story.__doc__.splitlines()[0]}", flush=True)
    for line in lines:
        print(f"        {line}")
    return True
