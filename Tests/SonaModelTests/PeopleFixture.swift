import SonaDatabase
import SonaTestSupport
import SonaWire

@testable import SonaModel

/// A model with users who follow and block each other.
final class PeopleFixture {
    let folder = TemporaryFolder()
    let calendar = ManualCalendar()
    let model: Model
    private(set) var uids: [String: UserID] = [:]
    var people: People { model.people }

    init(_ names: String...) async throws {
        model = try await Model.opened(folder, calendar)
        for name in names { uids[name] = try await model.accounts.signUp(name).account.uid }
    }

    /// - Parameter name: The name of a user of the fixture.
    subscript(_ name: String) -> UserID {
        guard let uid = uids[name] else { preconditionFailure("Nobody is called \(name).") }
        return uid
    }

    func user(_ name: String) -> UserReference { .id(self[name]) }

    func name(of uid: UserID) -> String { uids.first { $0.value == uid }?.key ?? uid.rawValue }

    // MARK: Between two

    /// Moves the clock by a second, so that lists have an order.
    func follow(_ follower: String, _ followed: String) async throws(Refusal) {
        calendar.advance(seconds: 1)
        _ = try await people.follow(user(followed), self[follower])
    }

    func befriend(_ one: String, _ other: String) async throws(Refusal) {
        try await follow(one, other)
        try await follow(other, one)
    }

    func block(_ blocker: String, _ blocked: String) async throws(Refusal) {
        calendar.advance(seconds: 1)
        _ = try await people.block(user(blocked), self[blocker])
    }

    func relation(_ one: String, _ other: String) async throws(Refusal) -> Relation? {
        try await people.details(of: user(other), for: self[one]).relation
    }

    func show(_ name: String, displayName: String? = nil) async throws(Refusal) {
        _ = try await people.update(ProfileUpdate(displayName: displayName, isPublic: true), of: self[name])
    }

    func consent(_ name: String, _ presence: PresencePolicy) async throws(Refusal) {
        _ = try await people.update(SettingsUpdate(presence: presence), of: self[name])
    }

    // MARK: Lists

    /// All pages of a list, as names.
    func names(_ list: People.List, for name: String, limit: Int = 100) async throws -> [String] {
        var names: [String] = []
        var cursor: PageCursor?
        repeat {
            let page = try await people.page(list, for: self[name], after: cursor, limit: limit)
            names += page.users.map { self.name(of: $0.user.uid) }
            cursor = page.nextCursor.flatMap(PageCursor.init)
        } while cursor != nil
        return names
    }

    /// All pages of a search, as names; no more than fifty.
    func found(_ query: String, by name: String, limit: Int = 100) async throws -> [String] {
        var names: [String] = []
        var offset: Int?
        for _ in 0..<50 {
            let page = try await people.search(query, for: self[name], offset: offset, limit: limit)
            names += page.users.map { self.name(of: $0.user.uid) }
            offset = page.nextCursor.flatMap { Int($0) }
            if offset == nil { break }
        }
        return names
    }

    /// Adds users with public profiles by SQL, which is fast.
    func add(_ names: [String], followers of: String? = nil) async throws {
        let beside = try await Model.look(folder)
        let now = calendar.clock.nowMilliseconds()
        let followed = of.map { self[$0] }
        let users = names.compactMap { name in
            UserID("uid-\(name)").map { UserRecord($0, username: Username(name), createdMilliseconds: now) }
        }
        try await beside.write { db in
            for user in users {
                try UserDAO.add(user, nil, in: &db)
                let profile = ProfileRecord(uid: user.uid, isPublic: true)
                _ = try db.update(profile)
                try DirectoryRecord.update(user, profile, in: &db)
                if let followed { try db.insert(FollowRecord(UserPair(user.uid, followed), now: now)) }
            }
        }
        await beside.close()
        for (name, user) in zip(names, users) { uids[name] = user.uid }
    }
}
