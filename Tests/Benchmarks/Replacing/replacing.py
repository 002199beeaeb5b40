"""What listeners notice of a change of processes, under load. See README.md."""
import argparse, array, json, os, pathlib, re, subprocess, tempfile, time, wave


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **more).stdout


def silence(file):
    """The longest run of nearly nothing between the first sound and the last, ms, and how much there is in all, s."""
    with wave.open(str(file)) as sound:
        samples = array.array("h", sound.readframes(sound.getnframes()))[::2]
    loud = [at for at, one in enumerate(samples) if abs(one) > 60]
    return max((b - a for a, b in zip(loud, loud[1:])), default=0) / 48, len(samples) / 48000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--listeners", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--lead-ms", type=int, default=600)
    parser.add_argument("--tls", action="store_true")
    given = parser.parse_args()
    bin, folder = given.programs.resolve(), pathlib.Path(tempfile.mkdtemp(prefix="sona-replacing-"))
    data, log = folder / "data", folder / "log"
    secure, trusted = [], []
    if given.tls:
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key", "-out", folder / "cert")
        secure = ["--tls-cert", folder / "cert", "--tls-key", folder / "key"]
        trusted = ["--ca-cert", folder / "cert"]
    with (folder / "out").open("wb") as out, log.open("wb") as err:
        server = subprocess.Popen(
            [bin / "sona", "serve", "--data", data, "--listen", "127.0.0.1:0", "--exempt", "127.0.0.1", "--account-budgets", "1000",
             "--log-format", "json", *secure], stdout=out, stderr=err)
    children = []
    try:
        while not (found := re.search(r"^listening on (\S+)", (folder / "out").read_text(), re.M)):
            time.sleep(0.05)
        url, home = found[1], os.environ | {"XDG_CONFIG_HOME": str(folder)}
        (folder / "password").write_text("correct horse battery\n")
        run(bin / "sona", "user", "create", "--data", data, "--email", "a@example.org", "--username", "ada", "--password-file", folder / "password")
        run(bin / "sonactl", "login", "--server", url, *trusted, "--email", "a@example.org", "--password-file", folder / "password", env=home)
        run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"sine=f=500:r=48000:d={given.seconds + 40}", "-c:a", "libopus", folder / "tone.opus")

        def start(*command):
            children.append(subprocess.Popen([str(part) for part in command], env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            return children[-1]

        start(bin / "sonactl", "broadcast", "--server", url, *trusted, "--lead-ms", given.lead_ms, folder / "tone.opus")
        load = start(bin / "sonaload", "run", "--server", url, *trusted, "--listeners", given.listeners, "--rooms", 10,
                     "--seconds", given.seconds, "--json", folder / "load.json")
        time.sleep(4)
        ears = [folder / f"{number}.wav" for number in range(8)]
        listening = [start(bin / "sonactl", "listen", "--server", url, *trusted, "@ada", "--output", ear) for ear in ears]
        time.sleep(given.seconds * 0.6)
        run(bin / "sona", "drain", "--replace", "--data", data)
        load.wait(given.seconds + 60)
        for one in listening:
            one.terminate()
            one.wait(20)
        record = json.loads((folder / "load.json").read_text())
        times = {}
        for line in log.read_text().splitlines():
            if line.startswith("{"):
                entry = json.loads(line)
                times[entry["event"]] = entry["time"]
        print(json.dumps({
            "listeners": given.listeners, "tls": given.tls, "lead_ms": given.lead_ms,
            "silence_ms": sorted(round(silence(ear)[0], 1) for ear in ears),
            "reconnect_ms": record["details"].get("reconnect_ms"), "resumed": record["details"].get("resumed"),
            "lost_while_away": record["details"].get("lost_while_away"),
            "log": {name: times.get(name) for name in ("handover.begun", "server.taken_over", "handover.done", "handover.failed")},
        }, indent=1))
    finally:
        for child in children:
            child.kill()
        owner = (data / "sona.lock")
        if owner.exists():
            subprocess.run(["kill", owner.read_text().strip()])
        server.kill()


if __name__ == "__main__":
    main()
