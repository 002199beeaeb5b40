"""`sonactl library upload`."""
import json, os, signal, subprocess, time

from protocol_checks.helpers import check, equal, true

from upload_checks import stage
from upload_checks.stage import kept, played, somebody, sound, usage


def sonactl(token, *arguments, **more):
    home = stage.FILES / "home"
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "SONA_SERVER": stage.SERVER.url, "SONA_TOKEN": token}
    return subprocess.Popen([stage.SERVER.programs / "sonactl", "library", "upload", *arguments], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


@check("sonactl uploads files, says what each became, and goes past one that is no music")
def _():
    token = somebody()
    files = [kept(sound(4), "one.wav"), kept(b"words " * 100, "two.mp3"), kept(sound(3), "three.wav")]
    done = sonactl(token, *files, "--json")
    out, err = done.communicate(timeout=60)
    equal(done.returncode, 65, err)
    tracks = [json.loads(line) for line in out.splitlines()]
    equal([played(track["id"], token) for track in tracks], [files[0].read_bytes(), files[2].read_bytes()], "tracks")
    true("media.unsupported" in err, err)
    for path, code in ((stage.FILES / "none.wav", 66), (kept(b"", "empty.wav"), 65), (stage.FILES, 66)):
        done = sonactl(token, path)
        err = done.communicate(timeout=30)[1]
        equal(done.returncode, code, err)


@check("sonactl that was interrupted goes on with the same upload, and over a server that was killed")
def _():
    token, content = somebody(), sound(200)
    file = kept(content, "long.wav")
    first = sonactl(token, file)
    stage.eventually(lambda: any(upload["offset"] > 0 for upload in usage(token)["uploads"]) or first.poll() is not None,
                     "something has come")
    first.send_signal(signal.SIGINT)
    first.communicate(timeout=30)
    left = usage(token)["uploads"]
    true(first.returncode == 130 and len(left) == 1, f"{first.returncode}, {left}")
    second = sonactl(token, file)
    time.sleep(0.2)
    stage.SERVER.kill()
    time.sleep(0.3)
    stage.SERVER.revive()
    out, err = second.communicate(timeout=60)
    equal(second.returncode, 0, err)
    equal(played(out.split()[0], token), content, "the track")
    equal(usage(token)["uploads"], [], "nothing is left under way")
    told = [line for line in err.splitlines() if " of " in line]
    true(told, f"progress: {err}")
