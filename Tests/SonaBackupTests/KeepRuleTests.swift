import Testing

@testable import SonaBackup

struct KeepRuleTests {
    /// Names of noon of each day of a span of 2026, from the first of January on.
    private static func days(_ range: Range<Int>) -> [String] {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return range.map { day in
            var (month, rest) = (0, day)
            while rest >= lengths[month] { (rest, month) = (rest - lengths[month], month + 1) }
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "2026-\(two(month + 1))-\(two(rest + 1))T12-00-00Z"
        }
    }

    private static func kept(_ rule: String, _ names: [String]) throws -> [String] {
        let gone = Set(try #require(KeepRule(rule)).superfluous(names))
        return names.filter { !gone.contains($0) }
    }

    @Test func `so many last ones stay`() throws {
        let names = Self.days(0..<5)
        #expect(try Self.kept("2 last", names) == Array(names.suffix(2)))
        #expect(try Self.kept("9 last", names) == names)
    }

    @Test func `of a day the newest one stays`() throws {
        let names = ["2026-03-01T01-00-00Z", "2026-03-01T23-59-59Z", "2026-03-02T00-00-00Z"]
        #expect(try Self.kept("2 daily", names) == Array(names.dropFirst()))
        #expect(try Self.kept("1 daily", names) == ["2026-03-02T00-00-00Z"])
    }

    @Test func `weeks begin on Monday`() throws {
        // The fourth of January 2026 is a Sunday.
        let names = Self.days(0..<14)
        #expect(
            try Self.kept("3 weekly", names).map { String($0.prefix(10)) } == [
                "2026-01-04", "2026-01-11", "2026-01-14",
            ])
    }

    @Test func `days, weeks and months add up, and the newest always stays`() throws {
        let names = Self.days(0..<300)
        let kept = try Self.kept("7 daily, 4 weekly, 6 monthly", names)
        #expect(kept.last == names.last && Array(kept.suffix(7)) == Array(names.suffix(7)))
        // The last two weeks end within these seven days, and this month, too.
        #expect(kept.count == 7 + 2 + 5, "\(kept)")
        #expect(kept.first?.hasPrefix("2026-05-31") == true, "\(kept)")
        #expect(try Self.kept("7 daily, 4 weekly, 6 monthly", kept) == kept)
    }

    @Test(arguments: [
        "", "daily", "7", "0 daily", "7 days", "1001 last", "7 daily 4 weekly", "1 last, 2 last", "-1 last",
    ])
    func `other words are no rule`(text: String) { #expect(KeepRule(text) == nil) }

    @Test func `the limit and one past it`() {
        #expect(KeepRule("1000 last") != nil && KeepRule("1 monthly,2 daily") != nil)
        #expect(KeepRule(KeepRule.standardText) != nil)
    }
}
