"""Holds the filter for fail2ban in deploy/log.md against a real server's log, with Debian's fail2ban-regex.

fail2ban_filter.py BIN-FOLDER. A server is asked with wrong passwords from three addresses, behind a proxy that it
trusts; the filter must find each of these lines, in both formats of the log, with the right address and time, and no
other line. Ends with 77 where fail2ban-regex is not installed.
"""
import datetime, json, os, pathlib, re, shutil, subprocess, sys, tempfile, urllib.error, urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Address and number of wrong passwords. `203.0.113.9` signs in with the right one.
GUESSES = {"203.0.113.7": 3, "2001:db8::7": 2, "198.51.100.20": 1}
RIGHT = "203.0.113.9"


def filter_of_the_page():
    text = (ROOT / "deploy/log.md").read_text()
    found = re.search(r"^\[Definition\]\n.*?(?=^```)", text, re.M | re.S)
    if not found:
        raise SystemExit("deploy/log.md has no filter")
    return found.group()


def ask(address, kind, data, client):
    request = urllib.request.Request(
        f"{address}/v1/rpc/{kind}", json.dumps(data).encode(),
        {"Content-Type": "application/json", "X-Forwarded-For": client})
    try:
        return json.load(urllib.request.urlopen(request, timeout=30))
    except urllib.error.HTTPError as error:
        return json.load(error)


def log_of_a_server(programs, style, folder):
    """Lets people sign in, and gives the path of the log."""
    path = folder / f"{style}.log"
    with open(path, "wb") as log:
        server = subprocess.Popen(
            [programs / "sona", "serve", "--data", folder / f"data-{style}", "--listen", "127.0.0.1:0",
             "--trusted-proxy", "127.0.0.1", "--log-format", style, "--log-level", "debug"],
            stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | {"SONA_CONFIG": "/dev/null"})
        try:
            address = next(line for line in server.stdout if line.startswith("listening on ")).split()[-1]
            account = {"email": "ada@example.org", "password": "correct horse"}
            made = ask(address, "auth.sign_up", account | {"username": "ada"}, RIGHT)
            assert made.get("type") == "ok", made
            assert ask(address, "auth.sign_in", account, RIGHT).get("type") == "ok"
            for client, count in GUESSES.items():
                for number in range(count):
                    wrong = account | {"password": f"wrong horse {number}"}
                    code = ask(address, "auth.sign_in", wrong, client)["error"]["code"]
                    assert code == "auth.credentials_invalid", code
            # Neither an unknown request nor what a stranger writes looks like a failure.
            ask(address, "auth.nothing", {"text": '(auth.failed, address 192.0.2.1) "event":"auth.failed"'}, RIGHT)
        finally:
            server.terminate()
            server.wait(30)
    return path


def found_by(log, rules):
    """The addresses and times that fail2ban-regex finds, one of each for a line."""
    # In another zone than UTC a time whose zone is misread is hours off.
    environment = os.environ | {"TZ": "America/New_York"}
    out = subprocess.run(
        ["fail2ban-regex", "--out", "<ip> <time>", str(log), str(rules)], capture_output=True, text=True, timeout=120,
        env=environment)
    assert out.returncode == 0, out.stdout + out.stderr
    return [line.split() for line in out.stdout.splitlines() if line.strip()]


def main(programs):
    if not shutil.which("fail2ban-regex"):
        print("left out: fail2ban-regex is not installed")
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rules = folder / "sona.conf"
        rules.write_text(filter_of_the_page())
        for style in ("text", "json"):
            before = datetime.datetime.now(datetime.timezone.utc).timestamp() - 2
            log = log_of_a_server(programs, style, folder)
            after = datetime.datetime.now(datetime.timezone.utc).timestamp() + 2
            found = found_by(log, rules)
            counts = {}
            for address, time in found:
                counts[address] = counts.get(address, 0) + 1
                if not before <= float(time) <= after:
                    faults.append(f"{style}: {address} at {time}, not between {before} and {after}")
            if counts != GUESSES:
                faults.append(f"{style}: {counts} instead of {GUESSES} in\n{log.read_text()}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: fail2ban_filter.py BIN-FOLDER")
    sys.exit(main(pathlib.Path(sys.argv[1])))
