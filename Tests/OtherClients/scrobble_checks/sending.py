"""What is sent: half of what is longer than 30 s, once, and again after failures; and what is not."""
import threading, time

from protocol_checks.helpers import Client, account, check, equal, true

from scrobble_checks import stage
from scrobble_checks.services import ListenBrainz
from scrobble_checks.stage import Ears, ask, hear_alone, until


def connected(service, name):
    token = account()["access_token"]
    secret = f"token-{name}"
    service.tokens[secret] = name
    ask(token, "scrobble.connect", service="listenbrainz", address=service.url, token=secret)
    return token


def together(*steps):
    """Does steps side by side; their results."""
    results = [None] * len(steps)

    def do(place, step):
        try:
            results[place] = step()
        except Exception as error:
            results[place] = error

    threads = [threading.Thread(target=do, args=each) for each in enumerate(steps)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, Exception):
            raise result
    return results


@check("alone: half of a track longer than 30 s is sent once with its time; less, private listening and short tracks are not; failures, a bad listen and a bad token")
def _():
    service = ListenBrainz({})
    refused = ListenBrainz({})
    try:
        ada, bob, eve, cyd, dan = (connected(service, name) for name in ("ada", "bob", "eve", "cyd", "dan"))
        fay = connected(refused, "fay")
        ask(eve, "play.settings", private=True)
        service.hated = "Waltz"
        refused.tokens.clear()  # the account there is closed
        lastfm = account()["access_token"]
        begun = ask(lastfm, "scrobble.authorize", service="lastfm")
        stage.LASTFM.allowed.add(begun["token"])
        ask(lastfm, "scrobble.connect", service="lastfm", token=begun["token"])
        began = time.time()
        # The service is away for a while, as it says.
        service.away = 2
        times = together(lambda: hear_alone(ada, "Harbour"), lambda: hear_alone(bob, "Harbour", share=0.4), lambda: hear_alone(eve, "Harbour"),
                         lambda: hear_alone(cyd, "Waltz"), lambda: hear_alone(dan, "Jingle"), lambda: hear_alone(fay, "Tram"), lambda: hear_alone(lastfm, "Tram"))
        until(lambda: service.titles("ada") == ["Harbour"], "the listen", 15)
        (name, at, artist, title), about = next(iter(service.listens.items()))
        equal((artist, title, about["release_name"]), ("Ada & Bob 0", "Harbour", "Évening"), "the listen")
        true(abs(at - times[0]) <= 2, f"it began at {times[0]:.0f}, and {at} was sent")
        equal((about["additional_info"]["submission_client"], abs(about["additional_info"]["duration_ms"] - 31_000) < 100), ("sona", True), "about it")
        true(("ada", "Harbour") in service.now, f"what was said to be heard now: {service.now}")
        true(not any(name == "eve" for name, _ in service.now), "private listening is told")
        equal(ask(eve, "scrobble.list")["connections"][0]["waiting"], 0, "private listening")
        # The same hearing goes on: it is the same listen.
        ask(ada, "play.report", track=stage.tracks(ada)["Harbour"], key="a", heard_ms=17_000, started_ms=int(times[0] * 1000))
        [state] = until(lambda: [one for one in ask(cyd, "scrobble.list")["connections"] if one["refused"]], "the bad listen is left out")
        equal((state["waiting"], state["sent"], state["refused"], state["error"]), (0, 0, 1, "invalid"), "after a listen that is refused")
        [state] = until(lambda: [one for one in ask(fay, "scrobble.list")["connections"] if one["state"] == "refused"], "the bad token stops")
        equal((state["waiting"], state["error"]), (1, "refused"), "what waits stays")
        told = ask(fay, "notifications.list")["notifications"]
        equal([(one["kind"], one["title"]) for one in told], [("scrobbling_refused", "ListenBrainz")], "the person is told")
        refused.tokens["new"] = "fay"
        again = ask(fay, "scrobble.connect", service="listenbrainz", address=refused.url, token="new")["connection"]
        equal((again["id"], again["state"]), (state["id"], "active"), "connected again")
        until(lambda: refused.titles("fay") == ["Tram"], "what waited is sent")
        until(lambda: [one[:2] for one in stage.LASTFM.listens] == [("Ada & Bob 1", "Tram")], "Last.fm has it")
        true(began - 1 <= stage.LASTFM.listens[0][2] <= began + 3 and stage.LASTFM.listens[0][3] == 32, f"{stage.LASTFM.listens}")
        true("Tram" in stage.LASTFM.now, "Last.fm's now playing")
        time.sleep(1)
        equal({name: service.titles(name) for name in ("ada", "bob", "eve", "cyd", "dan")},
              {"ada": ["Harbour"], "bob": [], "eve": [], "cyd": [], "dan": []}, "all that was sent")
        equal((service.repeated, ask(ada, "scrobble.list")["connections"][0]["sent"]), (0, 1), "once")
    finally:
        service.stop(), refused.stop()
