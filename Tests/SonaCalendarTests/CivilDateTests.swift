import SonaCalendar
import Testing

struct CivilDateTests {
    @Test func `days are counted as the calendar has them`() throws {
        #expect(CivilDate("1970-01-01")?.daysSince1970 == 0)
        #expect(CivilDate("2000-03-01")?.daysSince1970 == 11_017)
        #expect(CivilDate("9999-12-31")?.daysSince1970 == 2_932_896)
        var date = try #require(CivilDate("1970-01-01"))
        for day in 1...80_000 {
            let next = date.adding(days: 1)
            guard next.daysSince1970 == day, next > date, CivilDate(next.description) == next else {
                Issue.record("After \(date) comes \(next).")
                return
            }
            date = next
        }
        #expect(date.description == "2189-01-12")
    }

    @Test func `weeks begin on Monday`() {
        #expect(CivilDate("1970-01-01")?.weekday == 4)
        #expect(CivilDate("2027-03-28")?.weekday == 7)
        #expect(CivilDate("2027-03-29")?.weekday == 1)
    }

    @Test(arguments: [
        "2027-02-29", "2100-02-29", "2027-13-01", "2027-00-01", "2027-04-31", "2027-1-01", "27-01-01", "2027-01-0x",
        "1969-12-31", "", "2027/01/01",
    ])
    func `there is no such day`(text: String) { #expect(CivilDate(text) == nil) }

    @Test(arguments: [
        "2027-01-01T24:00", "2027-01-01T23:60", "2027-01-01 23:00", "2027-01-01T23:00:00", "2027-02-30T10:00",
    ])
    func `no clock shows that`(text: String) { #expect(CivilTime(text) == nil) }

    @Test func `leap days are there every four years, but for three centuries of four`() {
        for text in ["2028-02-29", "2000-02-29", "2400-02-29"] { #expect(CivilDate(text)?.description == text) }
    }
}
