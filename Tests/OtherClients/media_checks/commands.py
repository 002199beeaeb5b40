"""sonactl jobs: what somebody types."""
import json, os, subprocess, time

from protocol_checks import helpers
from protocol_checks.helpers import check, equal, true

from media_checks import stage
from media_checks.stage import hear, somebody, tracks


def sonactl(token, *arguments):
    """(exit code, output, complaint)"""
    done = subprocess.run([stage.SERVER.programs / "sonactl", "jobs", *arguments], capture_output=True, text=True,
                          env=os.environ | {"SONA_SERVER": helpers.URL, "SONA_TOKEN": token})
    return done.returncode, done.stdout, done.stderr


@check("sonactl lists, shows, cancels and retries jobs, and says what is not possible")
def _():
    token = somebody()
    track = tracks(token)["short.flac"]["id"]
    for path in stage.made():
        if path.name.startswith(track):
            path.unlink()
    equal(sonactl(token, "list"), (0, "", ""), "no jobs")
    hear("short.flac", token, "?format=opus")
    end = time.monotonic() + 10
    while True:
        code, out, _ = sonactl(token, "list", "--json")
        job = json.loads(out)["jobs"][0]
        if job["state"] == "done" or time.monotonic() > end:
            break
    equal((code, job["kind"], job["state"], job["track"]), (0, "rendition", "done", track), "as JSON")
    number = str(job["id"])
    code, out, _ = sonactl(token, "list", "--state", "done", "--kind", "rendition")
    true(code == 0 and out.startswith(f"{number}  ") and out.endswith(f"  rendition  done  100%  {track}\n"), out)
    equal(sonactl(token, "list", "--state", "failed"), (0, "", ""), "failed ones")
    equal(json.loads(sonactl(token, "show", number, "--json")[1]), job, "shown")
    for arguments, status, word in ((("cancel", number), 1, "job.ended"), (("retry", number), 1, "job.unended"),
                                    (("show", "999999"), 66, "job.not_found"), (("list", "--all"), 77, "auth.forbidden"),
                                    (("show", "0"), 64, "from 1 on"), (("list", "--state", "asleep"), 64, "asleep")):
        code, out, complaint = sonactl(token, *arguments)
        true((code, out) == (status, "") and word in complaint, f"{arguments}: {code} {out}{complaint}")
