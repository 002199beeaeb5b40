"""The schedule as a file for calendars, read as RFC 5545 has it."""
import datetime, http.client
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import check, equal, true

from schedule_checks import stage
from schedule_checks.stage import Owner, Person, in_ms, instant


def get(room, token=None):
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
    link.request("GET", f"/v1/rooms/{room}/calendar.ics", headers={"Authorization": f"Bearer {token}"} if token else {})
    answer = link.getresponse()
    found = answer.status, answer.getheader("content-type"), answer.read()
    link.close()
    return found


def parse(raw):
    """Components as nested lists of (name, parameters, value) and (name, components); every rule of the lines is checked."""
    true(raw.endswith(b"\r\n") and b"\n" not in raw.replace(b"\r\n", b""), "ends of lines")
    for line in raw.split(b"\r\n"):
        true(len(line) <= 75, f"{len(line)} bytes in a line")
        line.decode()  # no character is cut
    stack = [("", [])]
    for line in raw.decode().replace("\r\n ", "").split("\r\n")[:-1]:
        head, _, value = line.partition(":")
        name, *parameters = head.split(";")
        if name == "BEGIN":
            stack.append((value, []))
        elif name == "END":
            kind, content = stack.pop()
            equal(kind, value, "END")
            stack[-1][1].append((kind, content))
        else:
            stack[-1][1].append((name, dict(p.split("=", 1) for p in parameters), value))
    equal(len(stack), 1, "open components")
    return stack[0][1]


def plain(component):
    return {one[0]: one[2] for one in component if len(one) == 3}


def unescape(text):
    return text.replace("\\n", "\n").replace("\\,", ",").replace("\\;", ";").replace("\\\\", "\\")


def starts(event, zone, before):
    """The first moments of an event by its rule and by the changes of clocks that the file itself tells."""
    fields = {one[0]: one for one in event}
    first = datetime.datetime.strptime(fields["DTSTART"][2], "%Y%m%dT%H%M%S")
    rule = dict(part.split("=") for part in fields["RRULE"][2].split(";")) if "RRULE" in fields else None
    until = datetime.datetime.strptime(rule["UNTIL"], "%Y%m%dT%H%M%SZ") if rule and "UNTIL" in rule else before
    changes = sorted((datetime.datetime.strptime(p["DTSTART"], "%Y%m%dT%H%M%S"), p["TZOFFSETFROM"], p["TZOFFSETTO"])
                     for p in (plain(one[1]) for one in zone if len(one) == 2))
    def offset(text):
        return datetime.timedelta(hours=int(text[1:3]), minutes=int(text[3:5])) * (1 if text[0] == "+" else -1)
    found, day = [], first
    while day - offset("+1400") <= min(until, before):
        if rule is None or rule["FREQ"] == "DAILY" or ["MO", "TU", "WE", "TH", "FR", "SA", "SU"][day.weekday()] in rule["BYDAY"].split(","):
            held = [change for change in changes if change[0] <= day]
            moment = day - offset(held[-1][2])
            # Left out by the change: it counts from before.
            if day - held[-1][0] < offset(held[-1][2]) - offset(held[-1][1]):
                moment = day - offset(held[-1][1])
            if moment <= min(until, before):
                found.append(moment)
        if rule is None:
            break
        day += datetime.timedelta(days=1)
    return found


@check("the calendar has each slot in its zone, with rule, texts and the changes of clocks")
def _():
    ada = Owner(title="Łódź; at night, every night – " + "long " * 20)
    slots = [
        ada.add("2028-03-20T20:00", 90, title="Jazz; blues, \\ and more", repeat={"every": "week", "weekdays": [1, 5], "until": "2028-12-31"}),
        ada.add("2028-03-20T02:30", 30, repeat={"every": "day"}, zone="Europe/Warsaw"),
        ada.add("2028-03-20T02:15", 30, repeat={"every": "day"}, zone="Australia/Lord_Howe"),
        ada.add("2028-05-01T10:00", 1440, zone="UTC"),
    ]
    status, kind, raw = get(ada.room)
    equal((status, kind), (200, "text/calendar; charset=utf-8"), "the answer")
    (_, calendar), = parse(raw)
    zones, events = ({plain(one[1])[key]: one[1] for one in calendar if one[0] == name} for name, key in (("VTIMEZONE", "TZID"), ("VEVENT", "UID")))
    equal((plain(calendar)["VERSION"], set(zones)), ("2.0", {"Europe/Warsaw", "Australia/Lord_Howe"}), "the calendar")
    equal(set(events), {slot["id"] for slot in slots}, "an event for each slot")
    jazz = plain(events[slots[0]["id"]])
    equal((unescape(jazz["SUMMARY"]), jazz["DURATION"]), ("Jazz; blues, \\ and more", "PT1H30M"), "the event")
    true(jazz["URL"].endswith(f"/r/{ada.room}") and jazz["DTSTAMP"].endswith("Z"), f"{jazz}")
    true(unescape(plain(events[slots[1]["id"]])["SUMMARY"]).startswith("Łódź; at night, every night"), "an event without a title")
    equal(plain(events[slots[3]["id"]])["DTSTART"], "20280501T100000Z", "an event in UTC")
    end = datetime.datetime(2029, 1, 10)
    for slot, name in ((slots[0], "Europe/Warsaw"), (slots[1], "Europe/Warsaw"), (slots[2], "Australia/Lord_Howe")):
        found = starts(events[slot["id"]], zones[name], end)
        day, wanted = datetime.date(2028, 3, 20), []
        while (at := instant(f"{day}T{slot['start'][11:]}", name)).replace(tzinfo=None) <= end:
            if not (slot["repeat"].get("weekdays") and (day.isoweekday() not in (1, 5) or day.year > 2028)):
                wanted.append(at.replace(tzinfo=None))
            day += datetime.timedelta(days=1)
        true(len(found) > 80, f"{len(found)} occurrences of {slot['start']} in {name}")
        equal(found, wanted, f"occurrences in {name}")
    try:
        import icalendar
    except ImportError:
        return
    equal(len(icalendar.Calendar.from_ical(raw).walk("VEVENT")), len(slots), "events, as another program reads them")


@check("the calendar of a private room is for those who see the room")
def _():
    ada, bob = Owner(visibility="private"), Person()
    ada.add("2028-03-20T20:00", 90)
    for token, wanted in ((None, 404), (bob.token, 404), ("nonsense", 401), (ada.token, 200)):
        equal(get(ada.room, token)[0], wanted, f"status for {'nobody' if token is None else token[:8]}")
    equal(get("A" * 20)[0], 404, "a room that there is not")
    equal(get(Owner().room)[2].count(b"VEVENT"), 0, "events of a room without a schedule")
