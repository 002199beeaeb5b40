import Glibc
import SonaBase
import Testing

@testable import SonaLoad

struct LimitSearchTests {
    /// A server that bears so many, give or take what `noise` draws.
    private func search(bears limit: Int, cause: LimitCause = .delay, noise: @escaping () -> Int = { 0 }) -> LimitResult
    {
        var search = LimitSearch()
        search.from = 100
        search.to = 20_000
        return search.run { listeners in
            LimitTrial(listeners: listeners, causes: listeners <= limit + noise() ? [] : [cause])
        }
    }

    @Test(arguments: [1, 30, 99, 100, 101, 777, 4000, 19_999])
    func `the number found is borne, and within the tolerance of the true one`(limit: Int) throws {
        let result = search(bears: limit)
        let found = try #require(result.listeners)
        #expect(found <= limit && found >= limit - max(1, limit / 10), "\(found) of \(limit)")
        #expect(result.cause == .delay && result.isServers)
        #expect(result.repetitions.count == 3)
    }

    @Test func `repetitions that disagree are said to`() throws {
        var generator = SeededGenerator(seed: 3)
        let result = search(bears: 1000) { generator.index(401) - 200 }
        let found = try #require(result.listeners)
        #expect((700...1300).contains(found))
        let (least, greatest) = (try #require(result.repetitions.first), try #require(result.repetitions.last))
        #expect(greatest > least)
        #expect(result.text.contains("apart"))
    }

    @Test func `one hiccup ends nothing`() {
        var attempts = 0
        let result = LimitSearch().run { listeners in
            attempts += 1
            return LimitTrial(listeners: listeners, causes: attempts == 2 || listeners > 3000 ? [.loss] : [])
        }
        #expect((2700...3000).contains(result.listeners ?? 0))
    }

    @Test func `a limit of the harness is never called the server's limit`() {
        let result = search(bears: 500, cause: .harness)
        #expect(!result.isServers && result.cause == .harness)
        #expect(result.text.contains("At least") && result.text.contains("not the server's limit"))
    }

    @Test func `a server that bears all is borne out`() {
        let result = search(bears: 1_000_000)
        #expect(result.listeners == 20_000 && result.cause == nil && !result.isServers)
        #expect(result.text.contains("At least 20000"))
    }

    @Test func `a server that bears nobody is reported as such`() {
        let result = search(bears: 0)
        #expect(result.listeners == nil && result.text.contains("No number"))
    }

    @Test func `a number that no repetition bears is not found, and none that was not tried is said`() {
        var tried: Set<Int> = []
        var attempts = 0
        let result = LimitSearch().run { listeners in
            tried.insert(listeners)
            attempts += 1
            // Borne at first; from the repetitions on the machine has no time.
            return LimitTrial(
                listeners: listeners, causes: attempts > 1 && (attempts > 10 || listeners > 150) ? [.delay] : [])
        }
        #expect(result.listeners == nil && result.notFound == 3 && result.repetitions.isEmpty)
        #expect(result.text.hasPrefix("Not found") && !result.isEnded, "\(result.text)")
    }

    @Test func `only listeners who are turned away, and this machine's end, are a run's outcome`() {
        func trial(_ code: LoadError.Code, _ serverCode: String?) -> LimitTrial? {
            LimitTrial(LoadError(code, "", serverCode: serverCode), listeners: 5)
        }
        #expect(trial(.turnedAway, "room.full")?.causes == [.refused])
        #expect(trial(.turnedAway, LoadError.slowJoins)?.causes == [.join])
        #expect(trial(.machine, nil)?.causes == [.harness])
        for code in [LoadError.Code.usage, .unreachable, .refused, .certificate, .notSona, .unreadable] {
            #expect(trial(code, "auth.busy") == nil)
        }
        #expect(Target.isMachines(EADDRNOTAVAIL) && !Target.isMachines(ECONNREFUSED))
    }

    @Test func `a search that is stopped reports what it has found so far`() {
        var left = 4
        let result = LimitSearch().run { listeners in
            left -= 1
            return left < 0 ? nil : LimitTrial(listeners: listeners)
        }
        #expect(result.isEnded && result.listeners == 800 && result.text.contains("At least 800"))
    }

    @Test func `a run is judged by its measurements, faults of the harness first`() {
        var record = RunRecord(
            startedAt: "", seed: 1, environment: RunEnvironment(versions: .init(harness: "1")),
            scenario: ScenarioRecord(server: "", rooms: 1, hosts: 1, listeners: 10, seconds: 1, frameMilliseconds: 20))
        record.totals.expected = 1000
        record.totals.received = 1000
        record.totals.listenersMax = 10
        func causes() -> [LimitCause] { LimitTrial(record, listeners: 10, LimitCriteria()).causes }
        #expect(causes() == [])
        record.harness.warnings = [.init(code: "harness.busy", message: "")]
        // Busy, but nothing has suffered.
        #expect(causes() == [])
        var late = Histogram()
        late.record(microseconds: 201_000)
        record.totals.delay = Distribution(late, in: .milliseconds)
        #expect(causes() == [.harness, .delay])
        record.harness.warnings = []
        #expect(causes() == [.delay])
        record.totals.lost = 2
        #expect(causes() == [.loss, .delay])
        record.totals.delay = nil
        // Skipped packets are lost like any others.
        record.totals.skipped = 2
        #expect(causes() == [.loss])
        #expect(LimitTrial(record, listeners: 10, LimitCriteria()).loss == 0.002)
        record.totals.delay = Distribution(late, in: .milliseconds)
        record.totals.listenersMax = 9
        #expect(causes() == [.refused, .loss, .delay])
    }
}
