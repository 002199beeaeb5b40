#!/usr/bin/env python3
"""How soon the page is seen over a slow line by a browser that was never here: PageLoad/page_load.py [--help]

A server in one network namespace, Debian's Chromium in another, and between them a line with a round trip and a rate
(slow_line.py). Plain HTTP/1.1, an empty cache each time. For each page the median of the runs:

  paint    first contentful paint, s
  seen     when the room's title and its host are on the screen, s; of the start page: a room's title
  files    responses until the line is quiet, and kB of them as they were sent, headers included, without pictures
  shift    cumulative layout shift; long: the longest task that kept the page from answering, ms

Needs root, Python 3.11 with playwright, chromium. Exit code 1 if a figure is past its goal; goals hold for --line slow and
--line free.
"""
import argparse, json, os, pathlib, shutil, statistics, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

#: Round trip, ms, and rate, bit/s.
LINES = {"free": (0, None), "slow": (100, 1_600_000), "slower": (300, 400_000)}
#: By line and figure. A private room only the script can show, so its goal is another.
GOALS = {"slow": {"paint": 0.8, "seen public": 1.2, "seen private": 1.6, "kB public": 100, "kB private": 100, "shift": 0.05},
         "free": {"paint": 0.4, "kB public": 100, "kB private": 100, "shift": 0.05, "long": 100}}

WATCH = """
(() => {
  const found = window.watched = {seen: null, shift: 0, long: 0};
  const see = (type, take) => new PerformanceObserver(list => list.getEntries().forEach(take)).observe({type, buffered: true});
  see('layout-shift', entry => { if (!entry.hadRecentInput) found.shift += entry.value; });
  see('longtask', entry => { found.long = Math.max(found.long, entry.duration); });
  const words = WORDS;
  const look = () => {
    const text = document.querySelector('main')?.textContent ?? '';
    if (!words.every(word => text.includes(word))) return;
    watcher.disconnect();
    // The frame after the next begins when this one is on the screen.
    requestAnimationFrame(() => requestAnimationFrame(() => { found.seen = performance.now(); }));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, {subtree: true, childList: true, characterData: true});
})();
"""
FIGURES = """() => ({...watched, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null})"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=ROOT / ".build/release", type=pathlib.Path, help="where sona lies")
    parser.add_argument("--line", choices=LINES, action="append", help="all of them without one")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--page", action="append", help="home, public or private; all without one")
    parser.add_argument("--json", type=pathlib.Path, help="where all runs are written")
    parser.add_argument("--namespace", help=argparse.SUPPRESS)
    return parser.parse_args()


def visit(browser, url, words):
    context = browser.new_context(locale="en-US", viewport={"width": 1280, "height": 800})
    try:
        page = context.new_page()
        page.add_init_script(WATCH.replace("WORDS", json.dumps(words)))
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        pictures, sizes = set(), {}
        session.on("Network.responseReceived", lambda event: pictures.add(event["requestId"])
                   if event["type"] == "Image" and "/v1/" in event["response"]["url"] else None)
        session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
        page.goto(url, wait_until="commit", timeout=60_000)
        for _ in range(600):
            found = page.evaluate(FIGURES)
            if found["seen"] is not None and found["paint"] is not None:
                break
            page.wait_for_timeout(100)
        else:
            raise SystemExit(f"{url} is not seen: {page.evaluate('document.body.innerText')[:300]}")
        # What comes after it counts as well: files until the line has been quiet for half a second, and what moves later.
        page.wait_for_load_state("networkidle")
        sent = [size for request, size in sizes.items() if request not in pictures]
        page.wait_for_timeout(1500)
        found |= page.evaluate("({shift: watched.shift, long: watched.long})")
        return {"paint": found["paint"] / 1000, "seen": found["seen"] / 1000, "files": len(sent), "kB": sum(sent) / 1000,
                "shift": found["shift"], "long": found["long"]}
    finally:
        context.close()


def measure(options, line):
    """In the namespace of the browser."""
    import slow_line
    from playwright.sync_api import sync_playwright
    from support import Server, chromium
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "sona"
        program.write_text(f'#!/bin/sh\nexec ip netns exec {options.namespace} {options.bin.resolve()}/sona "$@"\n')
        program.chmod(0o755)
        with Server(folder, "--exempt", slow_line.CLIENT, host=slow_line.SERVER) as server, sync_playwright() as playwright:
            owner = server.person("card_owner")["access_token"]
            public = server.call("room.create", {"title": "Late night", "visibility": "public"}, owner)["room"]["id"]
            private = server.call("room.create", {"title": "Behind the door", "visibility": "private"}, owner)["room"]["id"]
            invited = server.call("invite.create", {"room": private}, owner)["path"]
            pages = {"home": ("/", ["Late night"]), "public": (f"/r/{public}", ["Late night", "card_owner"]),
                     "private": (invited, ["Behind the door", "card_owner"])}
            results = {}
            with chromium(playwright) as browser:
                visit(browser, server.url + "/", ["Late night"])  # The browser itself is cold the first time.
                for name in options.page or pages:
                    path, words = pages[name]
                    results[name] = [visit(browser, server.url + path, words) for _ in range(options.runs)]
            from support import close_browsers
            close_browsers()
            return results


def tell(line, results):
    """The medians, and what is past its goal."""
    missed = []
    for page, runs in results.items():
        middle = {figure: statistics.median(run[figure] for run in runs) for figure in runs[0]}
        print(f"{line:7} {page:8} paint {middle['paint']:5.2f}  seen {middle['seen']:5.2f}  files {middle['files']:3.0f}  "
              f"{middle['kB']:6.1f} kB  shift {middle['shift']:.3f}  long {middle['long']:4.0f}", flush=True)
        for figure, value in middle.items():
            goals = GOALS.get(line, {})
            goal = goals.get(f"{figure} {page}", goals.get(figure))
            if goal is not None and value > goal:
                missed.append(f"{line}, {page}: {figure} {value:.3g}, not {goal}")
    return missed


def main():
    options = arguments()
    if options.namespace:
        print(json.dumps(measure(options, options.line[0])))
        return 0
    import slow_line
    missed, everything = [], {}
    for line in options.line or LINES:
        trip, rate = LINES[line]
        with slow_line.SlowLine(trip / 2000, rate) as between:
            command = [sys.executable, __file__, "--bin", str(options.bin), "--line", line, "--runs", str(options.runs),
                       "--namespace", between.server, *[word for page in options.page or () for word in ("--page", page)]]
            done = subprocess.run(["ip", "netns", "exec", between.client, *command], stdout=subprocess.PIPE, text=True)
            if done.returncode:
                return done.returncode
            everything[line] = json.loads(done.stdout.splitlines()[-1])
        missed += tell(line, everything[line])
    if options.json:
        options.json.write_text(json.dumps(everything, indent=1))
    for sentence in missed:
        print(f"past its goal: {sentence}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
