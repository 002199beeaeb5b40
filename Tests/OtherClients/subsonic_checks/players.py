"""Players that people use: Mopidy with Subidy, under mpc. SONA_MOPIDY is a Python that has both; see deploy/subsonic.md."""
import os, pathlib, shutil, socket, subprocess, tempfile, time

from protocol_checks import helpers
from protocol_checks.helpers import check, true
from subsonic_checks import stage
from verdicts import Skipped

CONFIGURATION = """[core]
cache_dir={folder}/cache
config_dir={folder}/config
data_dir={folder}/data
[audio]
output=fakesink sync=true
[mpd]
hostname=127.0.0.1
port={port}
[http]
enabled=false
[subidy]
url={url}
username={user}
password={password}
legacy_auth=no
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@check("Mopidy finds a song and plays it")
def _():
    python = os.environ.get("SONA_MOPIDY")
    if not python or not shutil.which("mpc"):
        raise Skipped("SONA_MOPIDY is no Python that has Mopidy and Subidy, or there is no mpc")
    app = stage.App()
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        given = pathlib.Path(folder) / "mopidy.conf"
        given.write_text(CONFIGURATION.format(folder=folder, port=port, url=helpers.URL, user=app.user, password=app.secret))
        log = (pathlib.Path(folder) / "log").open("w")
        player = subprocess.Popen([python, "-m", "mopidy", "--config", given], stdout=log, stderr=log, cwd=folder)

        def mpc(*arguments, typed=None):
            return subprocess.run(["mpc", "-p", str(port), *arguments], input=typed, capture_output=True, text=True, timeout=30).stdout

        try:
            end = time.monotonic() + 60
            while "volume" not in mpc("status"):
                true(time.monotonic() < end and player.poll() is None, (pathlib.Path(folder) / "log").read_text()[-500:])
                time.sleep(0.3)
            found = mpc("search", "any", "Alone").splitlines()
            song = [line for line in found if line.startswith("subidy:song:")]
            true(len(song) == 1, str(found))
            mpc("add", typed=song[0])
            mpc("play")
            end = time.monotonic() + 30
            while "[playing] #1/1   0:02/0:30" not in mpc("status"):
                true(time.monotonic() < end, mpc("status"))
                time.sleep(0.2)
            true("Zoë - Alone" in mpc("status"), mpc("status"))
        finally:
            player.terminate()
            player.wait(20)
            log.close()
