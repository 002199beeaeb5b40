"""The package's life in one Debian: installed, served from, updated, removed, purged."""
import json, pathlib, re, shutil, struct, subprocess, time

from protocol_checks.helpers import check, equal, true

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
SITE, PASSWORD = "https://sona.example", "correct horse battery"
root = package = older = None
number = None  # of the version


def prepare(new_root, new_package, folder):
    """Everything that takes the network or the tools of this machine."""
    global root, package, older, number
    root, package = new_root, "/root/" + new_package.name
    shutil.copy(new_package, root.folder / "root")
    number = subprocess.run(["dpkg-deb", "--field", new_package, "Version"], check=True, capture_output=True, text=True).stdout.strip()
    # The same files as an older version, with another settings file.
    tree = folder / "older"
    subprocess.run(["dpkg-deb", "--raw-extract", new_package, tree], check=True)
    control = tree / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: .*$", "Version: 0.0.1", control.read_text()))
    (tree / "etc/sona/sona.conf").write_text((tree / "etc/sona/sona.conf").read_text() + "# As it was in 0.0.1.\n")
    older = "/root/sona_0.0.1.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, root.folder / older.lstrip("/")], check=True, capture_output=True)
    root.chroot("apt-get", "update", "-qq")
    root.chroot("apt-get", "install", "-y", "-qq", "--download-only", package)
    root.chroot("apt-get", "install", "-y", "-qq", "--download-only", "--no-install-recommends", "certbot", "pebble")
    root.write("/etc/hosts", "127.0.0.1 localhost sona.example\n")
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=440:duration=25", "-c:a", "libopus", "-b:a", "96k",
                    root.folder / "root/evening.opus"], check=True)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "sine=330:duration=8", "-metadata", "title=Harbour",
                    root.folder / "root/harbour.flac"], check=True)
    subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=teal:size=300x300", "-frames:v", "1",
                    root.folder / "root/ada.png"], check=True)
    silence(root.folder / "root/gibibyte.wav", 1 << 30)


def packets_of_file(data):
    """The packets of an Ogg stream, without its two headers."""
    packets, at, part = [], 0, b""
    while at < len(data):
        count = data[at + 26]
        lacing, at = data[at + 27:at + 27 + count], at + 27 + count
        for size in lacing:
            part, at = part + data[at:at + size], at + size
            if size < 255:
                packets.append(part)
                part = b""
    return packets[2:]


def silence(path, size):
    """A WAV file of so many bytes, sparse on disk."""
    with path.open("wb") as file:
        file.write(b"RIFF" + struct.pack("<I", size - 8) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 2, 48_000, 192_000, 4, 16)
                   + b"data" + struct.pack("<I", size - 44))
        file.truncate(size)


def files():
    """What is in the root, but for what packages and logs write anywhere."""
    found = root.out("find", "/", "-xdev", "-not", "-path", "/proc/*", "-not", "-path", "/sys/*", "-not", "-path", "/run/*",
                     "-not", "-path", "/tmp/*", "-not", "-path", "/var/tmp/*", "-not", "-path", "/dev/*", "-not", "-path", "/var/log/*", "-not", "-path",
                     "/var/lib/dpkg/*", "-not", "-path", "/var/lib/apt/*", "-not", "-path", "/var/cache/*", "-not", "-path", "/root/*",
                     "-not", "-path", "/var/lib/systemd/*", "-not", "-path", "/var/lib/private*")
    return set(found.splitlines())


def install(file):
    return root.run("apt-get", "install", "-y", "-qq", "-o", "Dpkg::Options::=--force-confold", "--allow-downgrades", file, seconds=600)


def sona(*words, **more):
    """The operator's program, as the server's user."""
    return root.out("runuser", "-u", "sona", "--", "sona", *words, **more)


def sonactl(person, *words, **more):
    return root.out("env", f"XDG_CONFIG_HOME=/root/{person}", "SONA_CA_CERT=/etc/ssl/sona.example.pem", f"SONA_SERVER={SITE}",
                    "sonactl", *words, **more)


def ready():
    return root.run("curl", "-fsS", "http://127.0.0.1:8337/readyz", status=None).returncode == 0


@check("it installs with its dependencies, and its service is ready, enabled and watched")
def _():
    install(older)
    equal(root.show("ActiveState"), "active", "the service")
    equal(root.out("systemctl", "is-enabled", "sona"), "enabled", "the service at the next start")
    equal((root.show("Type"), root.show("WatchdogUSec"), root.show("StatusText")), ("notify", "30s", "Serving."), "what systemd knows")
    true(ready(), "ready at 127.0.0.1:8337")
    equal(root.out("stat", "-c", "%U:%G %a", "/etc/sona", "/var/lib/sona").split("\n"), ["root:sona 750", "sona:sona 700"], "folders")
    equal(root.out("stat", "-c", "%U", f"/proc/{root.show('MainPID')}"), "sona", "the user it runs as")
    true(re.fullmatch(r"sona \d+\.\d+\.\d+ \([0-9a-f]{7,}(-changed)?\)", root.out("sona", "--version")), root.out("sona", "--version"))


@check("nginx from the sample and a certificate stand before it, by what the package's own examples say")
def _():
    root.run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30", "-keyout",
             "/etc/ssl/sona.example.key", "-out", "/etc/ssl/sona.example.pem", "-subj", "/CN=sona.example", "-addext",
             "subjectAltName=DNS:sona.example")
    root.run("cp", "/usr/share/doc/sona/examples/proxies/nginx.conf", "/etc/nginx/sites-enabled/sona")
    root.run("systemctl", "reload-or-restart", "nginx")
    root.run("sh", "-c", f"printf 'trusted-proxy = 127.0.0.1\\npublic-url = {SITE}\\n' >>/etc/sona/sona.conf")
    root.run("sona", "config", "check")
    root.run("systemctl", "reload", "sona")
    root.wait("the settings are read", lambda: "trusted-proxy" in root.journal())
    equal((root.show("StatusText"), root.show("NRestarts")), ("Serving.", "0"), "after the reload")
    root.wait("nginx passes on", lambda: root.run("curl", "-fsS", "--cacert", "/etc/ssl/sona.example.pem", SITE + "/healthz",
                                                  status=None).returncode == 0)


@check("the administrator is made, and others sign up through nginx")
def _():
    sona("user", "create", "--role", "admin", "--email", "root@sona.example", "--username", "keeper", "--password-file", "-", typed=PASSWORD + "\n")
    for person in ("ada", "bob"):
        sonactl(person, "signup", "--email", f"{person}@sona.example", "--username", person, "--password", PASSWORD)


@check("two listeners hear a broadcast through nginx packet by packet, while a gibibyte is uploaded beside it")
def _():
    host = root.begin("env", "XDG_CONFIG_HOME=/root/ada", "SONA_CA_CERT=/etc/ssl/sona.example.pem", f"SONA_SERVER={SITE}", "sonactl", "broadcast",
                      "/root/evening.opus")
    room = host.stdout.readline().strip()
    listeners = [root.begin("env", "SONA_CA_CERT=/etc/ssl/sona.example.pem", "sonactl", "listen", f"{SITE}/r/{room}", "--output",
                            f"/root/heard{count}.opus") for count in (1, 2)]
    begun = time.monotonic()
    sonactl("bob", "library", "upload", "/root/gibibyte.wav", seconds=300)
    print(f"note    a gibibyte in {time.monotonic() - begun:.1f} s through nginx; the server's peak: {peak()} MiB")
    for program in (host, *listeners):
        said = program.communicate(timeout=90)
        equal(program.returncode, 0, f"the end of a program: {said}")
    sent = packets_of_file((root.folder / "root/evening.opus").read_bytes())
    for count in (1, 2):
        heard = packets_of_file((root.folder / f"root/heard{count}.opus").read_bytes())
        true(len(heard) > 0.9 * len(sent) and heard[-600:] == sent[-600:], f"listener {count} has {len(heard)} of {len(sent)} packets")


def peak():
    status = pathlib.Path(f"/proc/{outer_pid()}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024


def outer_pid():
    """The server's number out here."""
    inner = root.show("MainPID")
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        numbers = re.search(r"NSpid:\s+(.*)", text)
        if text.startswith("Name:\tsona\n") and numbers and numbers[1].split()[-1] == inner and len(numbers[1].split()) > 1:
            return numbers[1].split()[0]
    raise OSError("no such process")


@check("under the unit's restrictions foreign files are read by workers, and ffmpeg makes Opus of them")
def _():
    track = sonactl("ada", "library", "upload", "/root/harbour.flac").split()[0]
    true("Harbour" in sonactl("ada", "library", "show", track), "the title in its tags")
    sonactl("ada", "profile", "photo", "/root/ada.png")
    token = json.loads(root.out("curl", "-fsS", "--cacert", "/etc/ssl/sona.example.pem", f"{SITE}/v1/rpc/auth.sign_in", "--json",
                                json.dumps({"email": "ada@sona.example", "password": PASSWORD})))["data"]["access_token"]
    def made():
        return root.run("curl", "-fsS", "--cacert", "/etc/ssl/sona.example.pem", "-H", f"Authorization: Bearer {token}", "-o", "/root/made.opus",
                        f"{SITE}/v1/tracks/{track}/stream?format=opus", status=None).returncode == 0
    root.wait("ffmpeg has made Opus", made, 60)
    true((root.folder / "root/made.opus").read_bytes().startswith(b"OggS"), "Opus")
    # A container on a machine that may not raise limits has none for priorities.
    said = "".join(line for line in root.journal().splitlines() if not line.startswith("Failed to set thread priority"))
    for word in ("no system calls", "worker", "Failed", "denied", "not permitted"):
        true(word not in said, f"the log has {word!r}: {said[-800:]}")
    # The server's own filter is on: workers report what is refused, run as the service's user under its restrictions.
    equal(root.out("grep", "-E", "^(Seccomp|NoNewPrivs|CapBnd):", f"/proc/{root.show('MainPID')}/status").split(),
          ["CapBnd:", "0000000000000000", "NoNewPrivs:", "1", "Seccomp:", "2"], "restrictions of the server")


@check("a server whose loop hangs is killed by the watchdog and started again")
def _():
    root.write("/etc/systemd/system/sona.service.d/soon.conf", "[Service]\nWatchdogSec=3s\n")
    root.run("systemctl", "daemon-reload")
    root.run("systemctl", "restart", "sona")
    time.sleep(5)
    equal((root.show("ActiveState"), root.show("NRestarts")), ("active", "0"), "a server that runs for longer than its watchdog waits")
    hanging = root.show("MainPID")
    root.run("sh", "-c", f"kill -STOP {hanging}")
    root.wait("another one runs", lambda: root.show("MainPID") not in (hanging, "0") and ready(), 60)
    equal(root.show("NRestarts"), "1", "restarts")
    root.run("rm", "-r", "/etc/systemd/system/sona.service.d")
    root.run("systemctl", "daemon-reload")
    root.run("systemctl", "restart", "sona")


@check("a fault in the settings is refused at a reload, and the server goes on as it was")
def _():
    before = root.out("cat", "/etc/sona/sona.conf")
    process = root.show("MainPID")
    root.run("sh", "-c", "echo 'nonsense = 1' >>/etc/sona/sona.conf")
    root.run("systemctl", "reload", "sona")
    root.wait("the status says why", lambda: "nonsense" in root.show("StatusText"))
    equal((root.show("ActiveState"), root.show("MainPID")), ("active", process), "the service")
    root.write("/etc/sona/sona.conf", before + "\n")
    root.run("systemctl", "reload", "sona")
    root.wait("the status is as before", lambda: root.show("StatusText") == "Serving.")


@check("the drop-ins of the examples work: music in a home folder, and a certificate of its own at port 443")
def _():
    place = "/etc/systemd/system/sona.service.d"
    root.run("useradd", "--create-home", "ada")
    root.run("install", "-D", "-o", "ada", "/root/harbour.flac", "/home/ada/Music/harbour.flac")
    root.run("mkdir", "-p", place)
    root.run("systemctl", "stop", "nginx")
    for name in ("music-at-home.conf", "port-443.conf"):
        root.run("cp", f"/usr/share/doc/sona/examples/drop-ins/{name}", f"{place}/{name}")
    before = root.out("cat", "/etc/sona/sona.conf")
    root.write("/etc/sona/sona.conf", before + "\nlisten = 0.0.0.0:443\nmusic = Ada's=/home/ada/Music\nhsts-days = 30\n")
    root.run("systemctl", "daemon-reload")
    root.run("systemctl", "restart", "sona")
    heads = root.out("curl", "-fsSI", "--cacert", "/etc/ssl/sona.example.pem", SITE)
    true("strict-transport-security: max-age=2592000" in heads, heads)
    root.wait("the folder was scanned", lambda: "Harbour" in sonactl("ada", "library", "search", "harbour"))
    root.write("/etc/sona/sona.conf", before + "\n")
    root.run("rm", "-r", place)
    root.run("systemctl", "daemon-reload")
    root.run("systemctl", "restart", "sona")
    root.run("systemctl", "start", "nginx")


def serial(port):
    return root.out("sh", "-c", f"openssl s_client -connect 127.0.0.1:{port} -servername sona.example </dev/null 2>/dev/null | openssl x509 -noout -serial")


@check("certbot gets a certificate from an ACME server, its hook hands each new one over, and a listener over TLS hears on")
def _():
    root.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "certbot", "pebble", seconds=300)
    root.write("/root/pebble.json", json.dumps({"pebble": {
        "listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000", "certificate": "/etc/ssl/sona.example.pem",
        "privateKey": "/etc/ssl/sona.example.key", "httpPort": 80, "tlsPort": 443, "ocspResponderURL": ""}}))
    root.run("systemd-run", "--unit", "pebble", "--setenv=PEBBLE_VA_NOSLEEP=1", "--setenv=PEBBLE_WFE_NONCEREJECT=0", "pebble", "-config", "/root/pebble.json")
    # The test's ACME server has a certificate of nobody's; all else is as the page has it.
    acme = ("--server", "https://sona.example:14000/dir", "--no-verify-ssl", "--non-interactive")
    root.wait("the ACME server is there", lambda: root.run("curl", "-fsk", "https://sona.example:14000/dir", status=None).returncode == 0)
    root.run("certbot", "certonly", "--webroot", "--webroot-path", "/var/www/html", "--domain", "sona.example", "--agree-tos", "--deploy-hook", "/usr/lib/sona/certbot-hook",
             "--register-unsafely-without-email", *acme)
    equal(root.out("stat", "-c", "%U:%G %a", "/etc/sona/tls", "/etc/sona/tls/privkey.pem").split("\n"), ["root:sona 750", "root:sona 640"], "the files")
    before = root.out("cat", "/etc/sona/sona.conf")
    root.write("/etc/sona/sona.conf", before + "\nlisten = 127.0.0.1:8443\ntls-cert = /etc/sona/tls/fullchain.pem\ntls-key = /etc/sona/tls/privkey.pem\n")
    root.run("systemctl", "restart", "sona")
    first = serial(8443)
    root.run("sh", "-c", "curl -fsk https://127.0.0.1:15000/roots/0 >/root/acme.pem")
    there = ("env", "XDG_CONFIG_HOME=/root/acme", "SONA_CA_CERT=/root/acme.pem", "SONA_SERVER=https://sona.example:8443")
    root.run(*there, "sonactl", "login", "--email", "ada@sona.example", "--password", PASSWORD)
    host = root.begin(*there, "sonactl", "broadcast", "/root/evening.opus")
    room = host.stdout.readline().strip()
    listener = root.begin(*there, "sonactl", "listen", f"https://sona.example:8443/r/{room}", "--output", "/root/heard3.opus")
    time.sleep(3)
    root.run("certbot", "renew", "--force-renewal", "--no-random-sleep-on-renew", *acme)
    root.wait("the new certificate is given", lambda: serial(8443) != first, 10)
    for program in (host, listener):
        said = program.communicate(timeout=90)
        equal(program.returncode, 0, f"the end of a program: {said}")
    sent, heard = (packets_of_file((root.folder / f"root/{name}.opus").read_bytes()) for name in ("evening", "heard3"))
    true(len(heard) > 0.9 * len(sent) and heard[-1000:] == sent[-1000:], f"{len(heard)} of {len(sent)} packets")
    root.write("/etc/sona/sona.conf", before + "\n")
    root.run("systemctl", "restart", "sona")


@check("an update keeps the settings and the data, and the running server hands over to the new program")
def _():
    process, rooms = root.show("MainPID"), sonactl("ada", "rooms", "list")
    run = root.show("InvocationID"), root.show("NRestarts"), "active"
    install(package)
    equal(root.out("dpkg-query", "--show", "--showformat=${Version}", "sona"), number, "the version")
    root.wait("another process is the service", lambda: root.show("MainPID") not in (process, "0"))
    root.wait("the one before has ended", lambda: "handover.done" in root.journal())
    # The manager took that for the same run of the service: nothing was stopped or started.
    equal((root.show("InvocationID"), root.show("NRestarts"), root.show("ActiveState")), run, "what systemd knows")
    root.wait("it is ready", ready)
    true("trusted-proxy" in root.out("cat", "/etc/sona/sona.conf"), "the settings that were made")
    equal(sonactl("ada", "rooms", "list"), rooms, "the rooms")
    true("Harbour" in sonactl("ada", "library", "search", "harbour"), "the library")


@check("removed, it leaves settings and data; installed again, it serves them; purged, it leaves nothing but its user")
def _():
    root.run("apt-get", "remove", "-y", "-qq", "sona")
    true(root.run("systemctl", "is-active", "sona", status=None).stdout.strip() != "active", "no service")
    root.run("test", "-e", "/var/lib/sona/sona.sqlite", "-a", "-e", "/etc/sona/sona.conf", "-a", "!", "-e", "/usr/bin/sona")
    without = files()
    install(package)
    root.wait("it is ready", ready)
    true("keeper" in sona("user", "list"), "the accounts")
    root.run("apt-get", "purge", "-y", "-qq", "sona")
    left = {path for path in files() if re.search(r"/\.?sona", path) and not path.startswith("/etc/letsencrypt/")} - {"/etc/nginx/sites-enabled/sona"}
    left = {path for path in left if "sona.example" not in path}
    equal(left, set(), "files that are left")
    true(not files() - without, f"files that came: {files() - without}")
    true(root.run("id", "sona", status=None).returncode == 0, "the user, whose files may be elsewhere")
