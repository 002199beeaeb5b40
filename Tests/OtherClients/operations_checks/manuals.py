"""Manual pages and completions: they are what the programs say of themselves."""
import concurrent.futures, json, re, socket, subprocess, time

from account_checks.server import Server
from operations_checks import stage
from protocol_checks.helpers import account, check, equal, rpc, true

PROGRAMS = ("sona", "sonactl", "sonaload")


@check("manual pages and completions are those of these programs")
def _():
    done = subprocess.run([stage.DEPLOY / "manuals", Server.programs, "--check"], text=True, capture_output=True, env=stage.ENVIRONMENT)
    equal((done.returncode, done.stdout), (0, ""), "deploy/manuals --check")


@check("mandoc finds nothing wrong with the manual pages")
def _():
    pages = sorted((stage.DEPLOY / "man").iterdir())
    equal([page.name for page in pages], ["sona.1", "sona.conf.5", "sonactl.1", "sonaload.1"], "pages")
    done = subprocess.run([stage.tool("mandoc"), "-Tlint", "-Wwarning", *pages], text=True, capture_output=True)
    equal((done.returncode, done.stdout), (0, ""), "mandoc -Tlint")


def commands(command, path=()):
    for below in command.get("subcommands") or ():
        if below["commandName"] != "help" and below.get("shouldDisplay", True):
            yield (*path, below["commandName"])
            yield from commands(below, (*path, below["commandName"]))


def sections(program):
    """The page as people read it: command → its text."""
    text = subprocess.run([stage.tool("mandoc"), "-Tascii", "-Owidth=200", stage.DEPLOY / "man" / f"{program}.1"], text=True,
                          capture_output=True, check=True).stdout
    text = re.sub(".\b", "", text)
    common = text[text.index("\nOPTIONS"):text.index("\nCOMMANDS")]
    found = {}
    for part in re.split(rf"\n   (?={program} )", text[text.index("\nCOMMANDS"):])[1:]:
        title, _, rest = part.partition("\n")
        found[tuple(title.split()[1:])] = rest
    return common, found


@check("every option of every --help is in the manual page of its program")
def _():
    words = re.compile(r"(?<![\w-])(--[a-z][a-z0-9-]+)")
    jobs = []
    for program in PROGRAMS:
        dump = json.loads(stage.run(program, "--experimental-dump-help")[0])
        common, page = sections(program)
        for path in commands(dump["command"]):
            true(path in page, f"{program} {' '.join(path)} is not in the page")
            jobs.append((program, path, common + page[path], page))
    def look(job):
        program, path, text, page = job
        told, _ = stage.run(program, *path, "--help")
        listed = told[told.find("\nOPTIONS"):] if "\nOPTIONS" in told else ""
        # A flag that can be turned off is told once; options of another command are told there.
        more = "".join(page[tuple(like.split())] for like in re.findall(rf"settings\s+as\s+['`\"]*{program}\s+([a-z\s-]+?)['`\"]*\s+does", text))
        missing = {word for word in words.findall("\n".join(line for line in listed.splitlines() if line.startswith("  -")))
                   if word not in text + more}
        return f"{program} {' '.join(path)}: {sorted(missing)}" if missing else ""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        wrong = [fault for fault in pool.map(look, jobs) if fault]
    true(not wrong, f"{len(wrong)} commands have options without a word in the page: {wrong[:3]}")


@check("each shell reads its completions")
def _():
    folder = stage.DEPLOY / "completions"
    subprocess.run(["bash", "-n", folder / "sonactl.bash"], check=True)
    subprocess.run([stage.tool("zsh"), "-n", folder / "_sonactl"], check=True)
    subprocess.run([stage.tool("fish"), "--no-execute", folder / "sonactl.fish"], check=True)


def live_room():
    """Makes a public room; its owner's username."""
    host = account()
    status, made, _ = rpc("room.create", {"title": "Harbour"}, host["access_token"])
    equal(status, 200, f"room.create {made}")
    equal(rpc("room.update", {"room": made["data"]["room"]["id"], "visibility": "public"}, host["access_token"])[0], 200, "public")
    return host["username"]


@check("a shell offers the rooms that there are, and does not wait for a server that is not there")
def _():
    host = live_room()
    ask = ("---completion", "rooms", "show", "--", "positional@0", "3", "0", "sonactl", "rooms", "show", "")
    offered = stage.run("sonactl", *ask, environment={"SONA_SERVER": stage.SERVER.url})[0].split()
    true(f"@{host}" in offered, f"offered: {offered}")
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and never says a word
        begun = time.monotonic()
        offered = stage.run("sonactl", *ask, environment={"SONA_SERVER": f"http://127.0.0.1:{silent.getsockname()[1]}"})[0].split()
        took = time.monotonic() - begun
    true(not offered and 0.25 < took < 1.5, f"{offered}, after {took:.1f} s")


@check("bash completes commands, options and rooms by our script")
def _():
    def complete(*words):
        script = (f'source {stage.DEPLOY}/completions/sonactl.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; '
                  'COMP_POINT=${#COMP_LINE}; COMP_TYPE=9; _sonactl "$1" "${@: -1}" "${@: -2:1}"; printf "%s\n" "${COMPREPLY[@]}"')
        path = f"{Server.programs}:{stage.ENVIRONMENT['PATH']}"
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", *words], text=True, capture_output=True, timeout=20,
                              env=stage.ENVIRONMENT | {"PATH": path, "SONA_SERVER": stage.SERVER.url})
        return {word.strip() for word in done.stdout.split("\n") if word.strip()}
    host = live_room()
    true({"sign-out", "export", "delete"} <= complete("sonactl", "users", ""), complete("sonactl", "users", ""))
    true("--watch" in complete("sonactl", "stats", "--w"), complete("sonactl", "stats", "--w"))
    true(f"@{host}" in complete("sonactl", "rooms", "show", ""), complete("sonactl", "rooms", "show", ""))
