#!/usr/bin/env python3
"""How fast Sona, MPD and supysonic take in a folder of music: Tests/Benchmarks/Library/compare_scan.py FOLDER [--help]

Each program reads the same folder into a database of its own, which is empty at first, and looks at the unchanged folder again
afterwards. The files are read once before, so that all of them are in memory. README.md says how to get the other two.
"""
import argparse, json, os, pathlib, re, resource, shutil, socket, statistics, subprocess, sys, tempfile, time, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
MUSIC = {".mp3", ".m4a", ".flac", ".ogg", ".opus", ".wav", ".aiff", ".wv", ".wma"}


class Missing(Exception):
    """A contender that is not here, and how to get it."""


class Figures:
    """Seconds of the wall and of all processors, and files, of a first scan and of one without changes."""

    def __init__(self):
        self.lines = {}

    def add(self, what, files, seconds, processor=None, note=""):
        self.lines.setdefault(what, []).append((files, seconds, processor, note))

    def tell(self, name):
        for what, rounds in self.lines.items():
            files, seconds = rounds[-1][0], statistics.median(one[1] for one in rounds)
            used = [one[2] for one in rounds if one[2] is not None]
            spread = f", {min(one[1] for one in rounds):.2f} to {max(one[1] for one in rounds):.2f}" if len(rounds) > 1 else ""
            print(f"{name:<10} {what:<14} {files:>7} files, {seconds:8.2f} s{spread}, {files / seconds:8.0f} files/s"
                  + (f", {statistics.median(used):.2f} s of processor" if used else "") + rounds[-1][3], flush=True)


def music_in(folder):
    """Paths of all files of music, whose bytes are in memory afterwards, and their size."""
    count = size = 0
    for path, _, names in os.walk(folder):
        for name in names:
            if os.path.splitext(name)[1].lower() in MUSIC:
                with open(os.path.join(path, name), "rb", buffering=0) as file:
                    while block := file.read(1 << 20):
                        size += len(block)
                count += 1
    return count, size


def processor_of(pid):
    """Seconds of processor that a process has used, with its threads, its children and theirs."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    # utime, stime, and those of children that have ended.
    used = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for task in os.listdir(f"/proc/{pid}/task"):
        for child in pathlib.Path(f"/proc/{pid}/task/{task}/children").read_text().split():
            try:
                used += processor_of(child)
            except (FileNotFoundError, ProcessLookupError):
                pass
    return used


# MPD

class MPDClient:
    """Its protocol: a line there, `name: value` lines back, and OK."""

    def __init__(self, path, process):
        end = time.monotonic() + 20
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > end or process.poll() is not None:
                    raise SystemExit("mpd did not start") from None
                time.sleep(0.01)
        self.lines = self.socket.makefile("r", encoding="utf-8", errors="replace")
        self.lines.readline()

    def ask(self, command):
        self.socket.sendall(command.encode() + b"\n")
        found = {}
        for line in self.lines:
            if line.startswith("ACK"):
                raise SystemExit(f"mpd: {line.strip()}")
            if line == "OK\n":
                return found
            name, _, value = line.rstrip("\n").partition(": ")
            found[name] = value
        raise SystemExit("mpd hung up")

    def until_updated(self):
        while "updating_db" in self.ask("status"):
            self.ask("idle update")


def mpd(folder, work, figures):
    program = shutil.which("mpd") or shutil.which("mpd", path="/usr/bin:/usr/sbin")
    if not program:
        raise Missing("mpd is not installed: deploy/packages mpd")
    configuration = work / "mpd.conf"
    configuration.write_text(f"""music_directory "{folder}"
db_file "{work}/database"
bind_to_address "{work}/socket"
log_file "{work}/log"
auto_update "no"
# The default leaves out comments alone, which nobody here reads either.
metadata_to_use "artist,album,title,track,name,genre,date,composer,performer,disc,albumartist,musicbrainz_albumid"
audio_output {{
    type "null"
    name "nothing"
}}
""")
    began = time.monotonic()
    process = subprocess.Popen([program, "--no-daemon", configuration], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        # Without a database it reads the folder as soon as it starts.
        client = MPDClient(f"{work}/socket", process)
        client.until_updated()
        took = time.monotonic() - began
        songs = int(client.ask("stats")["songs"])
        used = processor_of(process.pid)
        figures.add("first scan", songs, took, used)
        began = time.monotonic()
        client.ask("update")
        client.until_updated()
        figures.add("no changes", songs, time.monotonic() - began, processor_of(process.pid) - used)
    finally:
        process.terminate()
        process.wait()


# supysonic

def supysonic(folder, work, figures):
    program = ROOT / ".build/supysonic/bin/supysonic-cli"
    if not program.exists():
        raise Missing("supysonic is not installed: "
                      "python3 -m venv .build/supysonic && .build/supysonic/bin/pip install supysonic")
    (work / "supysonic.conf").write_text(f"""[base]
database_uri = sqlite:///{work}/supysonic.db
scanner_extensions = {' '.join(sorted(one[1:] for one in MUSIC))}
[webapp]
cache_dir = {work}/cache
[daemon]
socket = {work}/none
""")

    def run(*words):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.monotonic()
        # The configuration is found in the folder it is started in.
        done = subprocess.run([program, *words], cwd=work, env=os.environ | {"HOME": str(work)}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise SystemExit(f"supysonic-cli {' '.join(words)}: {done.stderr[-2000:]}")
        return done.stdout, took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    run("folder", "add", "music", str(folder))
    _, start, _ = run("folder", "list")
    said, took, used = run("folder", "scan", "--foreground", "music")
    added = re.search(r"(\d+)\s+tracks", said[said.rfind("Added"):])
    if not added:
        raise SystemExit(f"supysonic said something else: {said[-500:]}")
    note = f", {start:.2f} s of it to start"
    figures.add("first scan", int(added[1]), took, used, note)
    _, took, used = run("folder", "scan", "--foreground", "music")
    figures.add("no changes", int(added[1]), took, used, note)


# Sona

def sona(folder, work, figures, programs):
    """Starts `sona serve --music`, which scans at once, and waits for the end; then asks for another scan."""
    program = programs / "sona"
    if not program.exists():
        raise Missing(f"there is no sona in {programs}: swift build -c release")
    environment = os.environ | {"SONA_CONFIG": "/dev/null"}
    server = subprocess.Popen(
        [program, "serve", "--data", work / "data", "--listen", "127.0.0.1:0", "--music", f"Music={folder}"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    began = time.monotonic()
    try:
        address = next((line.split()[-1] for line in server.stdout if line.startswith("listening on ")), None)
        if not address:
            raise SystemExit("sona did not start")
        token = administrator(address, program, work, environment)
        used = 0.0
        for what in ("first scan", "no changes"):
            if what == "no changes":
                # What is measured in the background begins after the first scan.
                used, began = processor_of(server.pid), time.monotonic()
                ask(address, "library.scan", {}, token)
            while True:
                scanned = ask(address, "library.folders", {}, token)["folders"][0]
                if not scanned["scanning"] and scanned["scan"]:
                    break
                time.sleep(0.05)
            took = time.monotonic() - began
            if scanned["failure"]:
                raise SystemExit(f"sona's scan ended early: {scanned['failure']}")
            own = scanned["scan"]["files"] * 1000 // max(1, scanned["scan"]["ms"])
            figures.add(
                what, scanned["scan"]["files"], took, processor_of(server.pid) - used, f", by its own word {own} files/s")
    finally:
        server.terminate()
        server.wait()


def ask(address, kind, data, token=None):
    request = urllib.request.Request(
        f"{address}/v1/rpc/{kind}", json.dumps(data).encode(),
        {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {}))
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)["data"]


def administrator(address, program, work, environment):
    """The access token of an account that the operator makes an administrator."""
    account = {"email": "scan@example.org", "password": "a password for scans", "username": "scanner"}
    ask(address, "auth.sign_up", account)
    subprocess.run([program, "user", "set-role", "@scanner", "admin", "--data", work / "data"],
                   check=True, env=environment, stdout=subprocess.DEVNULL)
    return ask(address, "auth.sign_in", {name: account[name] for name in ("email", "password")})["access_token"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="of music, such as Tests/Library/make_folder.py makes")
    parser.add_argument("--bin", type=pathlib.Path, default=ROOT / ".build/release", help="where sona and sonactl lie")
    parser.add_argument("--only", action="append", choices=("mpd", "supysonic", "sona"), help="may be repeated")
    parser.add_argument("--rounds", type=int, default=1, help="each with empty databases; medians are told (1)")
    parser.add_argument("--work", type=pathlib.Path, help="where databases go (the temporary folder)")
    options = parser.parse_args()
    folder = options.folder.resolve()
    count, size = music_in(folder)
    if not count:
        raise SystemExit(f"{folder} has no music")
    print(f"{folder}: {count} files, mean {size // count} bytes; {len(os.sched_getaffinity(0))} processors,"
          f" load {os.getloadavg()[0]:.1f}", flush=True)
    contenders = {"mpd": mpd, "supysonic": supysonic, "sona": lambda *three: sona(*three, options.bin)}
    told = 0
    for name, contender in contenders.items():
        if options.only and name not in options.only:
            continue
        figures = Figures()
        try:
            for _ in range(options.rounds):
                with tempfile.TemporaryDirectory(prefix="sona-scan-", dir=options.work) as work:
                    contender(folder, pathlib.Path(work), figures)
        except Missing as error:
            print(f"SKIPPED  {name}: {error}", flush=True)
            continue
        figures.tell(name)
        told += 1
    return 0 if told else 77


if __name__ == "__main__":
    sys.exit(main())
