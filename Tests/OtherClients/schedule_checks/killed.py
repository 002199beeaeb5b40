"""A server that is killed in the second in which something begins."""
import datetime, random, time

from protocol_checks.helpers import check, equal, true

from schedule_checks import stage
from schedule_checks.stage import Owner, Person, Watcher, local, now, set_clock, until


@check("SIGKILL in the second of the beginning: it plays, goes on, and each follower is told once")
def _():
    dice = random.Random(2027)
    ada, fans = Owner(), [Person() for _ in range(3)]
    for fan in fans:
        fan.data("people.follow", user=ada.uid)
    at = now().replace(second=0, microsecond=0) + datetime.timedelta(hours=2)
    for turn in range(4):
        begin = at + turn * datetime.timedelta(hours=2)
        ada.add(local(begin), 30, "Low" if turn % 2 else "High", title=str(turn))
    for turn in range(4):
        begin = at + turn * datetime.timedelta(hours=2)
        set_clock(begin - datetime.timedelta(seconds=0.2))
        until(lambda: now() >= begin, "the hour")
        time.sleep(dice.uniform(0, 0.9))
        stage.SERVER.kill()
        stage.SERVER.revive()
        with Watcher(ada) as watcher:
            title = "Low" if turn % 2 else "High"
            until(lambda: watcher.playing() == title, f"{title} plays after a kill", 5)
    for fan in fans:
        equal([title for title, _ in fan.again().opened()], ["0", "1", "2", "3"], "what a follower was told")


@check("a server that is away for the beginning goes on with what goes on, and tells nobody of what is long past")
def _():
    ada, fan = Owner(), Person()
    fan.data("people.follow", user=ada.uid)
    begin = now().replace(second=0, microsecond=0) + datetime.timedelta(hours=2)
    ada.add(local(begin), 60, "Low", title="Long past")
    stage.SERVER.kill()
    set_clock(begin + datetime.timedelta(minutes=30))
    stage.SERVER.revive()
    with Watcher(ada) as watcher:
        until(lambda: watcher.playing() == "Low", "it plays")
    equal(fan.again().opened(), [], "what a follower was told")
