"""The server, its certificate, and the programs that look at it."""
import os, pathlib, shutil, subprocess, tempfile

from account_checks.server import Server
from protocol_checks.helpers import equal
from verdicts import Skipped

DEPLOY = pathlib.Path(__file__).resolve().parents[3] / "deploy"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="sona-operations-"))
SERVER = None  # set by make
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SONA_")} | {
    "SONA_CONFIG": "/dev/null", "XDG_CONFIG_HOME": str(FOLDER / "config")}


def make():
    global SERVER
    SERVER = Server("--exempt", "127.0.0.1", "--log-level", "debug", "--log-format", "json")


def clear():
    if SERVER:
        SERVER.stop()
    shutil.rmtree(FOLDER, ignore_errors=True)


def run(program, *words, status=0, typed="", environment=None, **more):
    """Runs one of our programs; (standard output, standard error)."""
    done = subprocess.run([Server.programs / program, *map(str, words)], input=typed, text=True, capture_output=True, timeout=60,
                          env=ENVIRONMENT | (environment or {}), **more)
    if status is not None:
        equal(done.returncode, status, f"{program} {' '.join(map(str, words))}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return done.stdout, done.stderr


def at_socket(*words, **more):
    """sonactl as the operator, who needs no account."""
    return run("sonactl", *words, "--server", f"unix:{SERVER.data}", **more)


def tool(name):
    """The path of somebody else's program."""
    found = shutil.which(name)
    if not found:
        raise Skipped(f"{name} is not installed")
    return found


def certificate(name="localhost", days=365):
    """A certificate that nobody else trusts, and its key."""
    files = FOLDER / f"{name}-{days}.pem", FOLDER / f"{name}-{days}.key"
    if not files[0].exists():
        subprocess.run([tool("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                        str(days), "-keyout", files[1], "-out", files[0], "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"],
                       check=True, capture_output=True)
    return files
