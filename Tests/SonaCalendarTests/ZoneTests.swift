import Testing

@testable import SonaCalendar

/// The instant of a time in UTC, ms.
func utc(_ text: String) -> Int64 {
    guard let time = CivilTime(text) else { preconditionFailure("\(text) is no time.") }
    return Zone.utc.instant(of: time)
}

func zone(_ name: String) -> Zone {
    guard let zone = Zone.named(name) else { preconditionFailure("\(name) is no zone.") }
    return zone
}

struct ZoneTests {
    @Test func `UTC counts from 1970`() {
        #expect(utc("1970-01-01T00:00") == 0)
        #expect(utc("2027-03-28T01:00") == 1_806_195_600_000)
        #expect(Zone.utc.offset(at: 1_806_195_600_000) == 0)
        #expect(Zone.utc.change(after: 0) == nil)
    }

    @Test(arguments: [
        // Put forward, and put back, in the north, the south, and by half an hour.
        ("Europe/Warsaw", "2027-03-28T01:59", "2027-03-28T00:59"),
        ("Europe/Warsaw", "2027-03-28T03:00", "2027-03-28T01:00"),
        ("Europe/Warsaw", "2027-10-31T01:59", "2027-10-30T23:59"),
        ("Europe/Warsaw", "2027-10-31T03:00", "2027-10-31T02:00"),
        ("America/New_York", "2027-03-14T01:59", "2027-03-14T06:59"),
        ("America/New_York", "2027-03-14T03:00", "2027-03-14T07:00"),
        ("America/New_York", "2027-11-07T00:59", "2027-11-07T04:59"),
        ("America/New_York", "2027-11-07T02:00", "2027-11-07T07:00"),
        ("Australia/Sydney", "2027-04-04T01:59", "2027-04-03T14:59"),
        ("Australia/Sydney", "2027-04-04T03:00", "2027-04-03T17:00"),
        ("Australia/Sydney", "2027-10-03T01:59", "2027-10-02T15:59"),
        ("Australia/Sydney", "2027-10-03T03:00", "2027-10-02T16:00"),
        ("Australia/Lord_Howe", "2027-10-03T01:59", "2027-10-02T15:29"),
        ("Australia/Lord_Howe", "2027-10-03T02:30", "2027-10-02T15:30"),
        ("Australia/Lord_Howe", "2027-04-04T01:29", "2027-04-03T14:29"),
        ("Australia/Lord_Howe", "2027-04-04T02:00", "2027-04-03T15:30"),
        ("Asia/Kathmandu", "2027-06-01T12:00", "2027-06-01T06:15"),
    ])
    func `a time that comes once is that instant, there and back`(name: String, local: String, expected: String) {
        let zone = zone(name)
        guard let time = CivilTime(local) else { preconditionFailure() }
        #expect(zone.instant(of: time) == utc(expected))
        #expect(zone.time(at: utc(expected)) == time)
        #expect(zone.time(at: utc(expected) + 59_999) == time)
    }

    @Test(arguments: [
        ("Europe/Warsaw", "2027-03-28T02:30", "2027-03-28T01:30", "2027-03-28T03:30"),
        ("Europe/Warsaw", "2027-03-28T02:00", "2027-03-28T01:00", "2027-03-28T03:00"),
        ("America/New_York", "2027-03-14T02:59", "2027-03-14T07:59", "2027-03-14T03:59"),
        ("Australia/Sydney", "2027-10-03T02:15", "2027-10-02T16:15", "2027-10-03T03:15"),
        ("Australia/Lord_Howe", "2027-10-03T02:15", "2027-10-02T15:45", "2027-10-03T02:45"),
    ])
    func `a time that clocks leave out moves on by what they are put forward`(
        name: String, local: String, expected: String, shown: String
    ) {
        guard let time = CivilTime(local) else { preconditionFailure() }
        #expect(zone(name).instant(of: time) == utc(expected))
        #expect(zone(name).time(at: utc(expected)).description == shown)
    }

    @Test(arguments: [
        ("Europe/Warsaw", "2027-10-31T02:30", "2027-10-31T00:30"),
        ("Europe/Warsaw", "2027-10-31T02:00", "2027-10-31T00:00"),
        ("America/New_York", "2027-11-07T01:30", "2027-11-07T05:30"),
        ("Australia/Sydney", "2027-04-04T02:30", "2027-04-03T15:30"),
        ("Australia/Lord_Howe", "2027-04-04T01:45", "2027-04-03T14:45"),
    ])
    func `of a time that comes twice the first is meant`(name: String, local: String, expected: String) {
        guard let time = CivilTime(local) else { preconditionFailure() }
        #expect(zone(name).instant(of: time) == utc(expected))
    }

    @Test func `changes of clocks are found`() {
        let warsaw = zone("Europe/Warsaw")
        let spring = warsaw.change(after: utc("2027-01-01T00:00"))
        #expect(spring == utc("2027-03-28T01:00"))
        #expect(warsaw.change(after: spring ?? 0) == utc("2027-10-31T01:00"))
        #expect(warsaw.isSummer(at: utc("2027-03-28T01:00")) && !warsaw.isSummer(at: utc("2027-03-28T00:59")))
        #expect(zone("Asia/Kathmandu").change(after: utc("2027-01-01T00:00")) == nil)
    }

    @Test(arguments: [
        "", "Mars/Olympus", "europe/warsaw", "GMT+3", "Europe/Warsaw ", "Etc/Unknown", "../etc/passwd", "ą",
    ])
    func `the database has no such zone`(name: String) { #expect(Zone.named(name) == nil) }

    @Test func `there is one of each zone, whoever asks`() async {
        await withTaskGroup(of: Bool.self) { group in
            for place in 0..<64 {
                group.addTask {
                    let warsaw = zone("Europe/Warsaw")
                    let time = CivilTime("2027-0\(place % 9 + 1)-15T12:00")!
                    return warsaw === zone("Europe/Warsaw") && warsaw.time(at: warsaw.instant(of: time)) == time
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test func `this machine has a zone`() { #expect(Zone.named(Zone.ofThisMachine.name) === Zone.ofThisMachine) }
}
