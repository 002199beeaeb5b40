"""sona doctor: what is right, what is wrong, and what to do."""
import http.server, json, os, pathlib, shutil, subprocess, threading

from account_checks.server import Server
from operations_checks import stage
from operations_checks.stage import run
from protocol_checks.helpers import check, equal, true
from verdicts import Skipped


def doctor(*words, status=None, **more):
    """The findings by subject, and the verdict."""
    out, err = run("sona", "doctor", "--json", "--unit", stage.FOLDER / "none.service", *words, status=status, **more)
    true(out, err)
    found = json.loads(out)
    return {finding["subject"]: finding for finding in found["findings"]}, found["verdict"]


@check("doctor: a server that runs is found, with its version and descriptors")
def _():
    found, _ = doctor("--data", stage.SERVER.data)
    equal(found["version"]["verdict"], "ok", str(found["version"]))
    true("The server and this program" in found["version"]["saw"], found["version"])
    true("are in use" in found["descriptors"]["saw"], found["descriptors"])
    equal(found["data"]["verdict"], "ok", str(found["data"]))
    true("MiB are free" in found["disk"]["saw"], found["disk"])
    true("Opus" in found["renditions"]["saw"], found["renditions"])
    true(found["clock"]["verdict"] in ("ok", "warn"), found["clock"])
    equal(found["address"]["verdict"], "warn", str(found["address"]))


@check("doctor: exit codes are 0, 1 and 2, and each line that is not ok says what to do")
def _():
    text, _ = run("sona", "doctor", "--data", stage.SERVER.data, "--unit", "/none", status=1)
    true(text.splitlines()[0].startswith("ok "), text)
    true("to do: " in text, text)
    text, _ = run("sona", "doctor", "--data", stage.SERVER.data, "--unit", "/none", "--music", stage.FOLDER / "no-such-folder", status=2)
    true("fail  music no-such-folder: " in text, text)
    found, verdict = doctor("--data", stage.SERVER.data, "--music", stage.FOLDER / "no-such-folder", status=2)
    equal(verdict, "fail", "verdict")
    for finding in found.values():
        true((finding["verdict"] == "ok") == (finding["advice"] is None), finding)


@check("doctor: a folder of music that the server's user can't get at, and the directory that forbids it")
def _():
    if os.geteuid():
        raise Skipped("it takes root to be somebody else")
    home = pathlib.Path("/tmp") / f"sona-doctor-{os.getpid()}"
    music = home / "ada" / "Music"
    (music / "album").mkdir(parents=True)
    (music / "album" / "one.opus").write_bytes(b"x")
    data = stage.FOLDER / "nobodys"
    data.mkdir(mode=0o700, exist_ok=True)
    subprocess.run(["chown", "nobody", data], check=True)
    try:
        os.chmod(home, 0o755), os.chmod(home / "ada", 0o700)
        found, _ = doctor("--data", data, "--music", music)
        finding = found["music Music"]
        equal(finding["verdict"], "fail", str(finding))
        true(f"nobody may not enter {home}/ada" in finding["saw"] and f"setfacl -m u:nobody:x {home}/ada" in finding["advice"], finding)
        if shutil.which("setfacl"):  # what the doctor says to do
            done = subprocess.run(["setfacl", "-m", "u:nobody:x", home / "ada"], capture_output=True)
            found, _ = doctor("--data", data, "--music", music)
            equal(done.returncode or found["music Music"]["verdict"], "ok", str(found["music Music"]))
            subprocess.run(["setfacl", "-b", home / "ada"], check=True)
        os.chmod(home / "ada", 0o711)
        os.chmod(music / "album" / "one.opus", 0o600)
        found, _ = doctor("--data", data, "--music", music)
        finding = found["music Music"]
        true(finding["verdict"] == "warn" and f"{music}/album/one.opus" in finding["saw"], finding)
        os.chmod(music / "album" / "one.opus", 0o644)
        found, _ = doctor("--data", data, "--music", music)
        equal(found["music Music"]["verdict"], "ok", str(found["music Music"]))
        true("2 directories" in found["inotify"]["saw"], found["inotify"])
        # As nobody, the same.
        done = subprocess.run(["setpriv", "--reuid", "nobody", "--clear-groups", "cat", music / "album" / "one.opus"], capture_output=True)
        equal(done.returncode, 0, "nobody reads the file indeed")
    finally:
        subprocess.run(["rm", "-rf", home])


@check("doctor: a unit that hides people's folders")
def _():
    unit = stage.FOLDER / "hiding.service"
    unit.write_text("[Unit]\nDescription=Sona\n[Service]\nDynamicUser=yes\nProtectHome=yes\nLimitNOFILE=1024\n")
    found, _ = doctor("--data", stage.FOLDER / "none", "--music", "/home/ada/Music", "--unit", unit)
    finding = found["music Music"]
    true(finding["verdict"] == "fail" and "ProtectHome=yes" in finding["saw"] and "BindReadOnlyPaths=/home/ada/Music" in finding["advice"],
         finding)
    equal(found["descriptors"]["verdict"], "warn", str(found["descriptors"]))
    folder = stage.FOLDER / "hiding.service.d"
    folder.mkdir()
    (folder / "music.conf").write_text("[Service]\nBindReadOnlyPaths=/home/ada/Music\nLimitNOFILE=262144\n")
    found, _ = doctor("--data", stage.FOLDER / "none", "--music", "/home/ada/Music", "--unit", unit)
    true("ProtectHome" not in found["music Music"]["saw"], found["music Music"])
    equal(found["descriptors"]["verdict"], "ok", str(found["descriptors"]))


@check("doctor: a certificate that is good, that expires, that has the wrong name, and that nobody trusts")
def _():
    certificate, key = stage.certificate()
    server = Server("--tls-cert", certificate, "--tls-key", key)
    port = server.url.rsplit(":", 1)[1]
    try:
        ask = ("--data", server.data, "--tls-cert", certificate, "--tls-key", key, "--public-url", f"https://localhost:{port}")
        trusting = {"SSL_CERT_FILE": str(certificate)}
        found, _ = doctor(*ask, environment=trusting)
        equal(found["certificate"]["verdict"], "ok", str(found["certificate"]))
        equal(found["address"]["verdict"], "ok", str(found["address"]))
        found, _ = doctor(*ask, status=2)
        true(found["address"]["verdict"] == "fail" and "does not prove its name" in found["address"]["saw"], found["address"])
        found, _ = doctor(*ask[:-1], f"https://127.0.0.1:{port}", environment=trusting, status=2)
        true("does not prove its name" in found["address"]["saw"], found["address"])
        short = stage.certificate(days=5)
        found, _ = doctor("--data", server.data, "--tls-cert", short[0], "--tls-key", short[1])
        equal(found["certificate"]["verdict"], "warn", str(found["certificate"]))
        found, _ = doctor("--data", server.data, "--tls-cert", short[0], "--tls-key", key, status=2)
        true("does not belong" in found["certificate"]["saw"], found["certificate"])
    finally:
        server.stop()


@check("doctor: a way through which no WebSocket comes, an address that nobody answers, a proxy that is not trusted")
def _():
    found, _ = doctor("--data", stage.SERVER.data, "--public-url", stage.SERVER.url)
    equal(found["address"]["verdict"], "ok", str(found["address"]))

    class Deaf(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/healthz" else 400)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass
    proxy = http.server.HTTPServer(("127.0.0.1", 0), Deaf)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    try:
        found, _ = doctor("--data", stage.SERVER.data, "--public-url", f"http://127.0.0.1:{proxy.server_port}", status=2)
        true("lets no WebSocket through: it answers 400" in found["address"]["saw"], found["address"])
    finally:
        proxy.shutdown()
        proxy.server_close()
    found, _ = doctor("--data", stage.SERVER.data, "--public-url", f"https://localhost:{proxy.server_port}", status=2)
    true("can't be reached" in found["address"]["saw"], found["address"])
    true(found["proxy"]["verdict"] == "fail" and "trusted-proxy" in found["proxy"]["advice"], found["proxy"])
    found, _ = doctor("--data", stage.SERVER.data, "--public-url", f"https://localhost:{proxy.server_port}", "--trusted-proxy", "127.0.0.1")
    equal(found["proxy"]["verdict"], "ok", str(found["proxy"]))
