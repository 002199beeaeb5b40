import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Uploads that become music of everybody.
struct SubmissionTests {
    /// Two accounts with an upload each, and a curator.
    private struct Stage {
        let shelf: Shelf
        let ada: Accounts.Account
        let bob: Accounts.Account
        let curator: Accounts.Account
        let track: MusicID
        var submissions: Submissions { shelf.library.submissions }

        init() async throws {
            shelf = try await Shelf()
            ada = try await shelf.signUp("ada")
            bob = try await shelf.signUp("bob")
            var cora = try await shelf.signUp("cora")
            _ = try await shelf.model.accounts.setRole(of: .id(cora.uid), to: .curator, by: nil)
            cora.role = .curator
            curator = cora
            track = try await Self.upload(shelf, "Harbour", pitch: 440, by: ada.uid)
        }

        static func upload(_ shelf: Shelf, _ title: String, pitch: Int, by owner: UserID) async throws -> MusicID {
            try shelf.make("\(title).flac", pitch: pitch, ["title": title, "artist": "Tide", "genre": "Sea"])
            return try await shelf.upload(try shelf.bytes("\(title).flac"), by: owner, name: "\(title).flac").track
        }

        func listener(_ account: Accounts.Account) async throws -> Listener {
            try await shelf.library.listener(for: account)
        }

        func found(by account: Accounts.Account) async throws -> [String] {
            try await shelf.library.finder.search(
                MusicSearch(query: "harbour"), for: try await listener(account)
            ).tracks.map(\.title)
        }

        func page(
            _ account: Accounts.Account, _ state: TrackStatus? = nil, all: Bool = false
        ) async throws -> SubmissionPage {
            try await submissions.page(SubmissionsList(state: state, isAll: all), for: try await listener(account))
        }
    }

    @Test func `a track is its owner's alone until it is approved, and again when it is taken back`() async throws {
        let stage = try await Stage()
        let events = Monitor<[SubmissionChanged]>([])
        stage.submissions.onChange { change in events.withLock { $0.append(change.event) } }
        #expect(try await stage.found(by: stage.curator).isEmpty)
        let id = try await stage.submissions.submit(stage.track, by: stage.ada.uid)
        // The same again is no other submission.
        #expect(try await stage.submissions.submit(stage.track, by: stage.ada.uid) == id)
        #expect(try await stage.found(by: stage.ada) == ["Harbour"])
        #expect(try await stage.found(by: stage.bob).isEmpty)
        #expect(try await stage.found(by: stage.curator) == ["Harbour"])
        try await stage.submissions.decide(id, isApproved: true, by: stage.curator.uid)
        #expect(try await stage.found(by: stage.bob) == ["Harbour"])
        try await stage.submissions.withdraw(stage.track, by: stage.ada.uid)
        #expect(try await stage.found(by: stage.bob).isEmpty)
        #expect(try await stage.found(by: stage.curator).isEmpty)
        #expect(try await stage.page(stage.ada).submissions.isEmpty)
        #expect(events.withLock { $0.map(\.state) } == [.pending, .approved, nil])
        #expect(events.withLock { $0.map(\.pendingCount) } == [1, 0, 0])
        await stage.shelf.close()
    }

    @Test func `a rejected track is never found, its owner is told why, and it can be submitted again`() async throws {
        let stage = try await Stage()
        let id = try await stage.submissions.submit(stage.track, by: stage.ada.uid)
        try await stage.submissions.decide(id, isApproved: false, reason: "The end is cut off.", by: stage.curator.uid)
        #expect(try await stage.found(by: stage.bob).isEmpty)
        let own = try await stage.page(stage.ada)
        #expect(own.submissions.map(\.reason) == ["The end is cut off."])
        // Only those who decide learn who has decided.
        #expect(own.submissions.first?.decidedBy == nil)
        #expect(try await stage.page(stage.curator, all: true).submissions.first?.decidedBy?.uid == stage.curator.uid)
        let told = try await stage.shelf.model.notifications.page(of: stage.ada.uid, NotificationsList()).notifications
        #expect(told.map(\.result) == ["rejected"] && told.map(\.text) == ["The end is cut off."])
        #expect(told.first?.track == stage.track && told.first?.title == "Harbour")
        let again = try await stage.submissions.submit(stage.track, by: stage.ada.uid)
        #expect(again > id)
        try await stage.submissions.decide(again, isApproved: true, by: nil)
        #expect(try await stage.found(by: stage.bob) == ["Harbour"])
        #expect(
            try await stage.shelf.model.notifications.page(of: stage.ada.uid, NotificationsList()).notifications
                .map(\.result) == ["approved", "rejected"])
        await stage.shelf.close()
    }

    @Test func `figures tell how many wait, since when, and what was decided`() async throws {
        let stage = try await Stage()
        let submissions = stage.submissions
        let id = try await submissions.submit(stage.track, by: stage.ada.uid)
        // The same again is no other submission.
        _ = try await submissions.submit(stage.track, by: stage.ada.uid)
        let submitted = try await stage.page(stage.ada).submissions.map(\.submittedMilliseconds)
        let counts = await stage.shelf.library.counts()
        #expect(counts.pendingSubmissions == 1 && [counts.oldestPendingMilliseconds] == submitted)
        try await submissions.decide(id, isApproved: false, reason: "No.", by: nil)
        let again = try await submissions.submit(stage.track, by: stage.ada.uid)
        try await submissions.decide(again, isApproved: true, by: nil)
        #expect(await stage.shelf.code { try await submissions.decide(again, isApproved: true, by: nil) } != nil)
        #expect(submissions.figures == SubmissionFigures(submitted: 2, approved: 1, rejected: 1))
        await stage.shelf.close()
    }

    @Test func `of two who decide at once one is told that it is decided`() async throws {
        let stage = try await Stage()
        let id = try await stage.submissions.submit(stage.track, by: stage.ada.uid)
        let submissions = stage.submissions
        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            for isApproved in [true, false, true, false] {
                group.addTask {
                    do throws(Refusal) {
                        try await submissions.decide(id, isApproved: isApproved, by: nil)
                        return nil
                    } catch { return error.code }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.count { $0 == nil } == 1 && codes.count { $0 == .submissionDecided } == 3)
        let journal = try await stage.shelf.model.journal.page(
            before: nil, limit: 50, kind: nil, subject: stage.ada.uid.rawValue)
        #expect(journal.count { ["submission_approved", "submission_rejected"].contains($0.kind) } == 1)
        #expect(
            try await stage.shelf.model.notifications.page(of: stage.ada.uid, NotificationsList()).notifications.count
                == 1)
        await stage.shelf.close()
    }

    @Test func `who may not is refused where it is written`() async throws {
        let stage = try await Stage()
        let (shelf, submissions) = (stage.shelf, stage.submissions)
        #expect(await shelf.code { try await submissions.submit(stage.track, by: stage.bob.uid) } == .trackNotFound)
        #expect(await shelf.code { try await submissions.withdraw(stage.track, by: stage.bob.uid) } == .trackNotFound)
        #expect(await shelf.code { try await stage.page(stage.ada, all: true) } == .authForbidden)
        let id = try await submissions.submit(stage.track, by: stage.ada.uid)
        #expect(
            await shelf.code { try await submissions.decide(id, isApproved: true, by: stage.ada.uid) } == .authForbidden
        )
        #expect(
            await shelf.code { try await submissions.decide(id + 1, isApproved: true, by: stage.curator.uid) }
                == .submissionNotFound)
        // A curator whose role was withdrawn a moment ago.
        _ = try await shelf.model.accounts.setRole(of: .id(stage.curator.uid), to: .user, by: nil)
        #expect(
            await shelf.code { try await submissions.decide(id, isApproved: true, by: stage.curator.uid) }
                == .authForbidden)
        #expect(try await stage.page(stage.ada).submissions.map(\.state) == [.pending])
        await shelf.close()
    }

    @Test func `those that wait are listed in the order in which they came`() async throws {
        let stage = try await Stage()
        let other = try await Stage.upload(stage.shelf, "Harbour lights", pitch: 550, by: stage.bob.uid)
        let first = try await stage.submissions.submit(stage.track, by: stage.ada.uid)
        let second = try await stage.submissions.submit(other, by: stage.bob.uid)
        let page = try await stage.page(stage.curator, .pending, all: true)
        #expect(page.submissions.map(\.id) == [first, second] && page.pendingCount == 2)
        #expect(page.submissions.map(\.owner.uid) == [stage.ada.uid, stage.bob.uid])
        let own = try await stage.page(stage.bob)
        #expect(own.submissions.map(\.id) == [second] && own.pendingCount == 1)
        // A track that is removed takes its submission along, and nobody gets that number again.
        try await stage.shelf.library.tracks.remove(other, by: stage.bob.uid)
        #expect(try await stage.page(stage.curator, .pending, all: true).submissions.map(\.id) == [first])
        try await stage.shelf.library.tidy()
        let third = try await Stage.upload(stage.shelf, "Harbour wall", pitch: 660, by: stage.bob.uid)
        #expect(try await stage.submissions.submit(third, by: stage.bob.uid) > second)
        #expect(
            await stage.shelf.code { try await stage.submissions.decide(second, isApproved: true, by: nil) }
                == .submissionNotFound)
        await stage.shelf.close()
    }

    @Test func `an account has so many tracks waiting, and not one more`() async throws {
        let stage = try await Stage()
        let id = try await stage.submissions.submit(stage.track, by: stage.ada.uid)
        let others = (1..<Limits.pendingSubmissionsMax).map { number in
            TrackRecord(
                number: nil, id: .random(milliseconds: Int64(number)), title: "\(number)", kind: "flac",
                owner: stage.ada.uid, status: nil, scope: TrackScope.own, addedMilliseconds: 1, changedMilliseconds: 1)
        }
        try await stage.shelf.library.tables.music.write { db in
            for track in others { try db.insert(track) }
        }
        for track in others { _ = try await stage.submissions.submit(track.id, by: stage.ada.uid) }
        let late = try await Stage.upload(stage.shelf, "Late", pitch: 660, by: stage.ada.uid)
        #expect(
            await stage.shelf.code { try await stage.submissions.submit(late, by: stage.ada.uid) }
                == .submissionLimitReached)
        try await stage.submissions.decide(id, isApproved: false, by: nil)
        _ = try await stage.submissions.submit(late, by: stage.ada.uid)
        await stage.shelf.close()
    }
}
