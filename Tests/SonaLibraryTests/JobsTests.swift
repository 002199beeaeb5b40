import Glibc
import SonaBase
import SonaCrypto
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Jobs over a database of their own, with kinds that the tests hold in their hands.
@Suite struct JobsTests {
    private struct Failing: JobKind {
        let name = "failing"
        let width = 1
        let failure: JobFailure

        func run(_ job: RunningJob) throws { throw failure }
    }

    /// Runs until it is let go.
    private final class Held: JobKind {
        let name = "held"
        let width: Int
        let state = Monitor((begun: [Int64](), released: Set<Int64>(), running: 0, most: 0))

        init(width: Int = 1) { self.width = width }

        func run(_ job: RunningJob) throws {
            state.notify { state in
                state.begun.append(job.id)
                state.running += 1
                state.most = max(state.most, state.running)
            }
            defer { state.notify { $0.running -= 1 } }
            while !state.withLock({ $0.released.contains(job.id) }) {
                try job.check()
                usleep(2_000)
            }
        }

        func release(_ id: Int64) { state.notify { _ = $0.released.insert(id) } }
        var begun: [Int64] { state.withLock { $0.begun } }
    }

    private struct Quick: JobKind {
        let name = "quick"
        let width = 1
        let ran: Monitor<[Int64]>

        func run(_ job: RunningJob) throws {
            for step in 1...50 { job.progress(Int64(step), of: 50) }
            ran.withLock { $0.append(job.id) }
        }
    }

    /// A server's database, and an account in it.
    private final class Stage: Sendable {
        let folder = TemporaryFolder()
        let model: Model
        let daos: MediaShelf.DAOs
        let now = Monitor<Int64>(1_800_000_000_000)
        let uid: UserID

        init() async throws {
            var options = Model.Options()
            options.passwordCost = .test
            options.quietMilliseconds = 0...0
            let (model, daos) = try await Model.open(
                dataFolder: folder.file("data"), as: MediaShelf.layout, options)
            (self.model, self.daos) = (model, daos)
            uid = try await Self.signUp("ada", model)
        }

        static func signUp(_ name: String, _ model: Model) async throws -> UserID {
            try await model.accounts.signUp(
                Accounts.SignUp(email: "\(name)@example.org", password: "pass-\(name)-word", username: name)
            ).account.uid
        }

        /// Jobs of a server that starts.
        func jobs(_ kinds: [any JobKind], cores: Int = 2) async throws -> Jobs {
            let now = now
            let jobs = Jobs(
                daos.library.jobs, clock: WallClock { now.withLock { $0 } }, cores: cores, notice: nil)
            try await jobs.start(kinds)
            return jobs
        }
    }

    private func until(_ what: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try await what() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(Bool(false), "it did not come")
    }

    private func state(_ id: Int64, _ jobs: Jobs) async throws -> JobState { try await jobs.get(id, for: nil).state }

    @Test func `the same work is one job until it has ended`() async throws {
        let (stage, held) = (try await Stage(), Held())
        let jobs = try await stage.jobs([held])
        let first = try await jobs.add(Jobs.Order("held", key: "a", owner: stage.uid))
        #expect(try await jobs.add(Jobs.Order("held", key: "a")) == first)
        held.release(first)
        try await until { try await state(first, jobs) == .done }
        #expect(try await jobs.add(Jobs.Order("held", key: "a")) != first)
        #expect(jobs.figures[.done] == 1)
        await jobs.close()
    }

    @Test func `a job that somebody waits for comes first, and takes the thread of another`() async throws {
        let (stage, held) = (try await Stage(), Held(width: 4))
        let jobs = try await stage.jobs([held])
        let background = try await jobs.add(Jobs.Order("held", key: "a"))
        try await until { held.begun == [background] }
        let next = try await jobs.add(Jobs.Order("held", key: "b"))
        let urgent = try await jobs.add(Jobs.Order("held", key: "c", isUrgent: true))
        try await until { held.begun == [background, urgent] }
        #expect(try await state(background, jobs) == .queued)
        #expect(try await jobs.get(background, for: nil).attempts == 0)
        for id in [urgent, background, next] { held.release(id) }
        try await until { try await state(next, jobs) == .done }
        #expect(held.begun == [background, urgent, background, next])
        await jobs.close()
    }

    @Test func `as many run at a time as the kind allows, and a core stays free`() async throws {
        let (stage, held) = (try await Stage(), Held(width: 2))
        let jobs = try await stage.jobs([held], cores: 4)
        var all: [Int64] = []
        for key in ["a", "b", "c", "d"] { all.append(try await jobs.add(Jobs.Order("held", key: key))) }
        for id in all {
            held.release(id)
            try await until { try await state(id, jobs) == .done }
        }
        #expect(held.state.withLock { $0.most } == 2)
        await jobs.close()
        let (narrow, wide) = (try await Stage(), Held(width: 9))
        let few = try await narrow.jobs([wide], cores: 1)
        all = []
        for key in ["a", "b"] { all.append(try await few.add(Jobs.Order("held", key: key))) }
        for id in all { wide.release(id) }
        try await until { try await state(all[1], few) == .done }
        #expect(wide.state.withLock { $0.most } == 1)
        await few.close()
    }

    @Test func `an error that may pass is tried again later, five times in all`() async throws {
        let stage = try await Stage()
        let failing = Failing(failure: JobFailure("not_started", "It does\nnot start.", mayRetry: true))
        let jobs = try await stage.jobs([failing, Quick(ran: Monitor([]))])
        let id = try await jobs.add(Jobs.Order("failing", key: "a", owner: stage.uid))
        for attempt in 1..<5 {
            try await until {
                let job = try await jobs.get(id, for: nil)
                return job.attempts == attempt && job.state == .queued
            }
            let job = try await jobs.get(id, for: stage.uid)
            #expect(job.error == "not_started" && job.detail == "It does not start.")
            let wait = (job.nextMilliseconds ?? 0) - stage.now.withLock { $0 }
            #expect(wait == [5_000, 30_000, 120_000, 600_000][attempt - 1])
            // Nothing happens before its time.
            try await jobs.add(Jobs.Order("quick", key: "q\(attempt)"))
            #expect(try await jobs.get(id, for: nil).attempts == attempt)
            stage.now.withLock { $0 += wait }
            try await jobs.add(Jobs.Order("quick", key: "r\(attempt)"))
        }
        try await until { try await state(id, jobs) == .failed }
        #expect(try await jobs.get(id, for: nil).attempts == 5)
        await jobs.close()
    }

    @Test func `an error that stays fails at once, and retry begins from nothing`() async throws {
        let stage = try await Stage()
        let jobs = try await stage.jobs([Failing(failure: JobFailure("not_sound", nil))])
        let id = try await jobs.add(Jobs.Order("failing", key: "a", owner: stage.uid))
        try await until { try await state(id, jobs) == .failed }
        await #expect(throws: Refusal(.jobEnded)) { try await jobs.cancel(id, by: stage.uid) }
        #expect(try await jobs.retry(id, by: stage.uid).attempts == 0)
        try await until {
            let job = try await jobs.get(id, for: nil)
            return job.attempts == 1 && job.state == .failed
        }
        await jobs.close()
        // The same work waits as another job.
        let later = try await stage.jobs([])
        let again = try await later.add(Jobs.Order("failing", key: "a"))
        #expect(again != id)
        await #expect(throws: Refusal(.jobUnended)) { try await later.retry(id, by: stage.uid) }
        await #expect(throws: Refusal(.jobUnended)) { try await later.retry(again, by: nil) }
        await later.close()
    }

    @Test func `waiting and running jobs are cancelled`() async throws {
        let (stage, held) = (try await Stage(), Held())
        let jobs = try await stage.jobs([held])
        let running = try await jobs.add(Jobs.Order("held", key: "a", owner: stage.uid))
        let waiting = try await jobs.add(Jobs.Order("held", key: "b", owner: stage.uid))
        try await until { held.begun == [running] }
        #expect(try await jobs.cancel(waiting, by: stage.uid).state == .cancelled)
        #expect(try await jobs.cancel(running, by: stage.uid).state == .cancelled)
        try await until { held.state.withLock { $0.running } == 0 }
        #expect(try await state(running, jobs) == .cancelled)
        #expect(held.begun == [running])
        // Its thread is free again.
        let next = try await jobs.add(Jobs.Order("held", key: "c"))
        held.release(next)
        try await until { try await state(next, jobs) == .done }
        // The figures follow the row, which is what was waited for.
        try await until { jobs.figures[.running] == 0 }
        #expect(jobs.figures[.cancelled] == 2 && jobs.figures[.queued] == 0)
        await jobs.close()
    }

    @Test func `jobs of a server that ended go on, but one that ends it each time does not`() async throws {
        let (stage, held) = (try await Stage(), Held())
        let jobs = try await stage.jobs([held])
        let id = try await jobs.add(Jobs.Order("held", key: "a"))
        try await until { held.begun == [id] }
        await jobs.close()
        #expect(try await stage.daos.library.jobs.database.first(JobRecord.self, key: id)?.state == .queued)
        // A server that was killed had no time for that.
        try await stage.daos.library.jobs.write { db in
            try db.execute("UPDATE jobs SET state = 'running', attempts = 4 WHERE number = \(id)")
        }
        let second = try await stage.jobs([held])
        try await until { held.begun == [id, id] }
        #expect(try await second.get(id, for: nil).attempts == 5)
        await second.close()
        try await stage.daos.library.jobs.write { db in
            try db.execute("UPDATE jobs SET state = 'running', attempts = 5 WHERE number = \(id)")
        }
        let third = try await stage.jobs([held])
        #expect(try await third.get(id, for: nil).state == .failed)
        #expect(try await third.get(id, for: nil).error == "interrupted")
        await third.close()
    }

    @Test func `an account sees its own jobs, an administrator all`() async throws {
        let stage = try await Stage()
        let jobs = try await stage.jobs([])
        let bob = try await Stage.signUp("bob", stage.model)
        let admin = try await Stage.signUp("boss", stage.model)
        _ = try await stage.model.accounts.setRole(of: .id(admin), to: .admin, by: nil)
        let (own, servers) = (
            try await jobs.add(Jobs.Order("held", key: "a", owner: stage.uid)),
            try await jobs.add(Jobs.Order("held", key: "b"))
        )
        func list(_ uid: UserID?, _ request: JobsList) async throws -> [Int64] {
            try await jobs.list(request, for: uid).jobs.map(\.id)
        }
        #expect(try await list(stage.uid, JobsList()) == [own])
        #expect(try await list(bob, JobsList()) == [])
        #expect(try await list(admin, JobsList()) == [])
        #expect(try await list(admin, JobsList(isAll: true)) == [servers, own])
        #expect(try await list(nil, JobsList()) == [servers, own])
        #expect(try await list(admin, JobsList(state: .running, isAll: true)) == [])
        #expect(try await list(admin, JobsList(kind: "held", isAll: true, before: servers, limit: 1)) == [own])
        #expect(try await jobs.list(JobsList(isAll: true, limit: 1), for: admin).nextBefore == servers)
        await #expect(throws: Refusal.forbidden(.libraryManage)) { try await list(bob, JobsList(isAll: true)) }
        let visitor = try #require(UserID("A0H8ZzbS8NcBhmpA0uCJ0NeaUoma"))
        #expect(try await list(visitor, JobsList()) == [])
        let all = await #expect(throws: Refusal.self) { try await list(visitor, JobsList(isAll: true)) }
        #expect(all?.code == .authAccountRequired)
        await #expect(throws: Refusal(.jobNotFound)) { try await jobs.get(own, for: visitor) }
        for id in [own, servers] {
            await #expect(throws: Refusal(.jobNotFound)) { try await jobs.get(id, for: bob) }
            await #expect(throws: Refusal(.jobNotFound)) { try await jobs.cancel(id, by: bob) }
            await #expect(throws: Refusal(.jobNotFound)) { try await jobs.retry(id, by: bob) }
            #expect(try await jobs.cancel(id, by: admin).state == .cancelled)
            #expect(try await jobs.retry(id, by: admin).state == .queued)
        }
        await jobs.close()
    }

    @Test func `an account has so many unfinished jobs and no more, and its jobs go with it`() async throws {
        let stage = try await Stage()
        let jobs = try await stage.jobs([])
        for index in 0..<Limits.unfinishedJobsPerAccountMax {
            try await jobs.add(Jobs.Order("held", key: "\(index)", owner: stage.uid, isUrgent: true))
        }
        let over = await #expect(throws: Refusal.self) {
            try await jobs.add(Jobs.Order("held", key: "over", owner: stage.uid, isUrgent: true))
        }
        #expect(over?.code == .jobLimitReached && over?.retryAfterMilliseconds != nil)
        try await jobs.add(Jobs.Order("held", key: "0", owner: stage.uid))
        let mine = try await jobs.list(JobsList(), for: stage.uid).jobs
        _ = try await jobs.cancel(mine[0].id, by: stage.uid)
        try await jobs.add(Jobs.Order("held", key: "over", owner: stage.uid, isUrgent: true))
        // What is made of an upload belongs to the account, and nobody waits for it.
        try await jobs.add(Jobs.Order("held", key: "of an upload", owner: stage.uid))
        #expect(try await jobs.list(JobsList(), for: stage.uid).jobs.first?.owner == stage.uid)
        try await stage.daos.library.jobs.write { db in
            try db.execute("DELETE FROM users WHERE uid = \(stage.uid)")
        }
        #expect(try await jobs.list(JobsList(), for: nil).jobs.isEmpty)
        await jobs.close()
    }

    @Test func `changes are told ten times a second at most, and the last one always`() async throws {
        let stage = try await Stage()
        let told = Monitor<[(Job, ContinuousClock.Instant)]>([])
        let jobs = try await stage.jobs([Quick(ran: Monitor([]))])
        jobs.onChange { job in told.withLock { $0.append((job, .now)) } }
        let id = try await jobs.add(Jobs.Order("quick", key: "a", owner: stage.uid))
        try await until { told.withLock { $0.last?.0.state == .done } }
        let all = told.withLock { $0 }
        #expect(all.allSatisfy { $0.0.id == id && $0.0.owner == stage.uid })
        #expect(all.last?.0.done == 50 && all.last?.0.total == 50)
        for (one, next) in zip(all, all.dropFirst()) { #expect(next.1 - one.1 >= .milliseconds(95)) }
        // Jobs that nobody asked for are not told.
        let other = try await jobs.add(Jobs.Order("quick", key: "b"))
        try await until { try await state(other, jobs) == .done }
        try await Task.sleep(for: .milliseconds(250))
        #expect(told.withLock { $0.count } == all.count)
        await jobs.close()
    }

    @Test func `jobs that ended are kept for a week`() async throws {
        let stage = try await Stage()
        let jobs = try await stage.jobs([Quick(ran: Monitor([]))])
        let id = try await jobs.add(Jobs.Order("quick", key: "a"))
        try await until { try await state(id, jobs) == .done }
        stage.now.withLock { $0 += 7 * 86_400_000 - 1 }
        try await jobs.tidy()
        #expect(try await state(id, jobs) == .done)
        stage.now.withLock { $0 += 1 }
        try await jobs.tidy()
        await #expect(throws: Refusal(.jobNotFound)) { try await jobs.get(id, for: nil) }
        #expect(jobs.figures[.done] == nil)
        await jobs.close()
    }
}
