"""The notices, the versions, the unit and the settings file against the programs and the manifest."""
import pathlib, re, shutil, subprocess

from account_checks.server import Server
from protocol_checks.helpers import check, equal, true
from verdicts import Skipped

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
DEPLOY = REPOSITORY / "deploy"
# Swift's runtime is a library of its own in programs that are not packaged.
RUNTIME = re.compile(r"lib(swift\w*|Foundation\w*|_Foundation\w*|dispatch|BlocksRuntime)\.so")


def said(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def needed(program):
    """The libraries that a program asks for by name, without versions."""
    names = re.findall(r"\(NEEDED\)\s+Shared library: \[(.+?)\]", said("readelf", "--dynamic", program))
    return {re.sub(r"\.so[-.\d]*$", ".so", name) for name in names}


@check("NOTICES.md names every library that the programs are linked with, and every Swift package")
def _():
    notices = (DEPLOY / "NOTICES.md").read_text()
    for program in ("sona", "sonactl"):
        missing = {name for name in needed(Server.programs / program) if not RUNTIME.fullmatch(name) and f"`{name}`" not in notices}
        equal(missing, set(), f"libraries of {program} without a notice")
    packages = re.findall(r'\.package\(url: "[^"]*/([^"/]+?)(?:\.git)?"', (REPOSITORY / "Package.swift").read_text())
    true(packages, "Package.swift names packages")
    equal([name for name in packages if f"`{name}`" not in notices], [], "packages without a notice")


@check("each library of the notices is needed by a program, and its package has the license that is named")
def _():
    rows = re.findall(r"(?m)^\| (`[^|]+`) \| (`[^|]+`) \| ([^|]+) \|", (DEPLOY / "NOTICES.md").read_text())
    # Those of C and C++ differ by the machine and its linker.
    rows = [row for row in rows if "libc6" not in row[1] and "libstdc++" not in row[1]]
    true(len(rows) > 10, f"{len(rows)} rows")
    linked = needed(Server.programs / "sona") | needed(Server.programs / "sonactl")
    for libraries, packages, _ in rows:
        for name in re.findall(r"`([^`]+)`", libraries):
            # That of data is needed by the other two of ICU.
            true(name in linked or name == "libicudata.so", f"{name} is in NOTICES.md and in no program")
        for name in re.findall(r"`([^`]+)`", packages):
            if shutil.which("dpkg-query") and pathlib.Path("/etc/debian_version").read_text().startswith("12"):
                true(pathlib.Path(f"/usr/share/doc/{name}/copyright").exists(), f"/usr/share/doc/{name}/copyright")


@check("the programs have one version by SemVer, and the changelog and the page of upgrades know it")
def _():
    versions = {said(Server.programs / program, "--version").split()[-1 if program == "sonactl" else 1] for program in ("sona", "sonactl")}
    equal(len(versions), 1, f"versions {versions}")
    version = versions.pop()
    true(re.fullmatch(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?", version), f"{version} by SemVer")
    true(re.search(rf"(?m)^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$|^## Unreleased$", (DEPLOY / "CHANGELOG.md").read_text()),
         "a part of the changelog")
    true(re.search(rf"(?m)^## {re.escape(version)}$", (DEPLOY / "UPGRADING.md").read_text()), f"a part for {version} in UPGRADING.md")


@check("the unit is sound, and its exposure is 2.5 at most")
def _():
    if not shutil.which("systemd-analyze"):
        raise Skipped("systemd-analyze is not installed")
    unit = DEPLOY / "sona.service"
    done = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=25", unit], capture_output=True, text=True)
    equal(done.returncode, 0, f"systemd-analyze security: {done.stdout[-200:]}{done.stderr[-200:]}")
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True)
    # This machine need not have the program installed.
    faults = [line for line in done.stderr.splitlines() if "sona.service" in line and "/usr/bin/sona" not in line]
    equal(faults, [], "systemd-analyze verify")


@check("the settings of the package are those of the program, with a data folder")
def _():
    text = (DEPLOY / "sona.conf").read_text()
    equal(said(Server.programs / "sona", "config", "doc"), text, "sona config doc")
    true("\n#data =\n" in text, "the line that the package fills in")
