"""A Debian of its own: made by debootstrap, started with its systemd by systemd-nspawn, without any network but its loopback."""
import os, pathlib, shutil, signal, subprocess, time

from protocol_checks.helpers import Failure

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
# What a machine has before Sona comes: a service manager, and a web server for the proxy.
PACKAGES = "systemd,systemd-sysv,ca-certificates,nginx-light,openssl,curl"
MIRROR = "http://deb.debian.org/debian"


def template(folder):
    """The root that others are copied from; made once."""
    if (folder / "made").exists():
        return folder / "root"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    said = folder / "log"
    with said.open("wb") as out:
        done = subprocess.run(["debootstrap", "--variant=minbase", f"--include={PACKAGES}", "bookworm", folder / "root", MIRROR],
                              stdout=out, stderr=out)
    if done.returncode:
        raise SystemExit(f"debootstrap failed; see {said}")
    (folder / "made").touch()
    return folder / "root"


class Root:
    def __init__(self, template, folder):
        self.folder = folder / "root"
        subprocess.run(["cp", "-a", "--reflink=auto", template, self.folder], check=True)
        self.container, self.leader = None, None

    def chroot(self, *words):
        """Before it is started, with the network of this machine: for apt's downloads."""
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        done = subprocess.run(["chroot", self.folder, *words], env=ENVIRONMENT, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

    def start(self):
        self.log = self.folder.parent / "console"
        with self.log.open("wb") as out:
            self.container = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--console=pipe",
                 "--directory", self.folder, "--boot"], stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        for _ in range(600):
            children = pathlib.Path(f"/proc/{self.container.pid}/task/{self.container.pid}/children")
            self.leader = children.read_text().split()[0] if children.exists() and children.read_text() else None
            if self.leader and self.run("systemctl", "is-system-running", status=None).stdout.strip() in ("running", "degraded"):
                return
            if self.container.poll() is not None:
                break
            time.sleep(0.1)
        raise SystemExit(f"the root does not start: {self.log.read_text(errors='replace')[-2000:]}")

    def command(self, *words):
        return ["nsenter", "--target", self.leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd", "--",
                *map(str, words)]

    def run(self, *words, status=0, typed=None, seconds=120):
        """Runs a command inside, as root. `status` is the one that is wanted; None for any."""
        given = {"input": typed} if typed else {"stdin": subprocess.DEVNULL}
        try:
            done = subprocess.run(self.command(*words), env=ENVIRONMENT, capture_output=True, text=True, timeout=seconds, **given)
        except subprocess.TimeoutExpired as late:
            raise Failure(f"{' '.join(map(str, words))} takes more than {seconds} s") from late
        if status is not None and done.returncode != status:
            raise Failure(f"{' '.join(map(str, words))} ended with {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")
        return done

    def out(self, *words, **more):
        return self.run(*words, **more).stdout.strip()

    def begin(self, *words):
        """Starts a command inside that goes on."""
        return subprocess.Popen(self.command(*words), env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def write(self, path, text, mode=0o644):
        place = self.folder / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        place.chmod(mode)

    def show(self, name):
        """A property of the service."""
        return self.out("systemctl", "show", "sona", "--property", name, "--value")

    def journal(self):
        return self.out("journalctl", "--unit", "sona", "--output", "cat", "--no-pager")

    def wait(self, what, holds, seconds=30):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise Failure(f"{what}, not within {seconds} s; the service says: {self.journal()[-1000:]}")
            time.sleep(0.1)

    def stop(self):
        if self.container is None or self.container.poll() is not None:
            return
        try:
            self.run("systemctl", "poweroff", "--force", status=None, seconds=30)
            self.container.wait(60)
        except subprocess.TimeoutExpired:
            os.kill(int(self.leader), signal.SIGKILL)
            self.container.wait(30)
