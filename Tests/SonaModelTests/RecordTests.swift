import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

struct RecordTests {
    private let uid: UserID
    private let room: RoomID

    init() throws {
        uid = try #require(UserID(String(repeating: "u", count: 128)))
        room = try #require(RoomID("abcdefghij0123456789"))
    }

    private var user: UserRecord {
        UserRecord(
            uid: uid, email: "A@b", emailKey: "a@b", username: Username("Ada"), usernameKey: "ada", passwordHash: "$",
            role: .curator, createdMilliseconds: .min)
    }
    private var token: RefreshTokenRecord {
        RefreshTokenRecord(
            hash: Array(0..<32), family: "f", uid: uid, createdMilliseconds: .min, expiresMilliseconds: .max,
            usedMilliseconds: 3)
    }
    private var aRoom: RoomRecord {
        RoomRecord(
            id: room, owner: uid,
            settings: RoomSettings(
                title: "Nächte\0", visibility: .private, delivery: .interactive, leadMilliseconds: 10_000, tags: ["x"],
                about: "y", allowsGuests: false, privatePolicy: .leave, hasWaitingRoom: true, chatRule: .off,
                slowModeSeconds: 3_600, keepsReplays: true),
            createdMilliseconds: 5, lastLiveMilliseconds: 6, closedMilliseconds: 7)
    }
    private var playback: PlaybackRecord {
        PlaybackRecord(
            room: room,
            playback: RoomStore.StoredPlayback(
                state: .buffering, positionMicroseconds: .min, ratePPM: -1, anchorMonotonicMicroseconds: .max,
                clockID: "",
                anchorWallMilliseconds: 7, revision: .max, hasAudio: true))
    }

    private var links: SonaDatabase.JSON<[StoredLink]> { JSON([StoredLink(title: nil, url: "https://a")]) }
    private var profile: ProfileRecord {
        ProfileRecord(uid: uid, displayName: "Löwe", bio: "", isPublic: true, links: links)
    }
    private var settings: SettingsRecord {
        SettingsRecord(
            uid: uid,
            settings: Settings(
                locale: .spanish, theme: .dark, shading: true, delivery: .interactive, visibility: .private,
                presence: .friends))
    }
    private var ban: BanRecord {
        BanRecord(uid: uid, untilMilliseconds: .max, reason: "Noise.", createdMilliseconds: .min)
    }
    private var code: AccountCodeRecord {
        AccountCodeRecord(
            hash: Array(32..<64), uid: uid, purpose: .removal, email: "a@b", createdMilliseconds: .min,
            expiresMilliseconds: .max)
    }
    private var photo: PhotoRecord {
        PhotoRecord(
            uid: uid,
            picture: StoredPicture(
                id: "p", color: 0xFF_FFFF, foreground: 0, width: 1, height: 2, createdMilliseconds: 3, px32: [1],
                px64: [], full: [0, 255]))
    }

    /// Inserts a row into every table that refers to a user.
    private func filled() async throws -> DatabaseQueue {
        let queue = try await DatabaseQueue.inMemory(daos: ModelDAOs.self).database
        let (user, token, room, playback) = (user, token, aRoom, playback)
        let (profile, settings, ban, code, photo) = (profile, settings, ban, code, photo)
        try await queue.write { db in
            try db.insert(user)
            try db.insert(profile)
            try db.insert(settings)
            try db.insert(UsernameLookRecord(look: "ada", uid: user.uid))
            try db.insert(IdentityRecord(name: "f:x", uid: user.uid, createdMilliseconds: 1))
            try db.insert(ban)
            try db.insert(code)
            try db.insert(DirectoryRecord(number: nil, uid: user.uid, username: "Ada", displayName: "Löwe"))
            try db.insert(photo)
            try db.insert(token)
            try db.insert(RevokedFamilyRecord(family: "f", untilMilliseconds: 4))
            try db.insert(room)
            try db.insert(playback)
        }
        return queue
    }

    @Test func `every record is read back as it was stored`() async throws {
        let queue = try await filled()
        #expect(try await queue.first(UserRecord.self, key: uid) == user)
        #expect(try await queue.first(ProfileRecord.self, key: uid) == profile)
        #expect(try await queue.first(SettingsRecord.self, key: uid) == settings)
        #expect(
            try await queue.first(UsernameLookRecord.self, key: "ada") == UsernameLookRecord(look: "ada", uid: uid))
        #expect(
            try await queue.first(IdentityRecord.self, key: "f:x")
                == IdentityRecord(name: "f:x", uid: uid, createdMilliseconds: 1))
        #expect(try await queue.first(BanRecord.self, key: uid) == ban)
        #expect(try await queue.first(AccountCodeRecord.self, key: code.hash) == code)
        #expect(
            try await queue.first(DirectoryRecord.self, key: 1)
                == DirectoryRecord(number: 1, uid: uid, username: "Ada", displayName: "Löwe"))
        #expect(try await queue.first(PhotoRecord.self, key: uid) == photo)
        #expect(try await queue.first(RefreshTokenRecord.self, key: token.hash) == token)
        #expect(
            try await queue.first(RevokedFamilyRecord.self, key: "f")
                == RevokedFamilyRecord(family: "f", untilMilliseconds: 4))
        #expect(try await queue.first(RoomRecord.self, key: room) == aRoom)
        #expect(try await queue.first(PlaybackRecord.self, key: room) == playback)
        await queue.close()
    }

    @Test func `a row with only a key has the defaults of a new record`() async throws {
        let queue = try await filled()
        let uid = uid
        let (profile, settings) = try await queue.write { db in
            try db.delete(ProfileRecord.all)
            try db.delete(SettingsRecord.all)
            try db.execute("INSERT INTO profiles (uid) VALUES (\(uid))")
            try db.execute("INSERT INTO settings (uid) VALUES (\(uid))")
            return (try db.first(ProfileRecord.self, key: uid), try db.first(SettingsRecord.self, key: uid))
        }
        #expect(profile == ProfileRecord(uid: uid))
        #expect(settings == SettingsRecord(uid: uid))
        await queue.close()
    }

    @Test func `deleting a user deletes all their rows, and nobody else's`() async throws {
        let queue = try await filled()
        let uid = uid
        let other = try #require(UserID("other"))
        try await queue.write { db in
            try db.execute("INSERT INTO users (uid, created_ms) VALUES ('friend', 1)")
            for pair in ["\(uid), 'friend'", "'friend', \(uid)"] as [SQL] {
                try db.execute("INSERT INTO follows VALUES (\(pair), 1)")
                try db.execute("INSERT INTO blocks VALUES (\(pair), 1)")
            }
        }
        let left = try await queue.write { db in
            try db.execute("INSERT INTO users (uid, created_ms) VALUES (\(other), 1)")
            try db.insert(ProfileRecord(uid: other))
            #expect(try db.delete(UserRecord.self, key: uid))
            return [
                try db.count(UserRecord.self), try db.count(ProfileRecord.self), try db.count(SettingsRecord.self),
                try db.count(RefreshTokenRecord.self), try db.count(RoomRecord.self), try db.count(PlaybackRecord.self),
                try db.count(RevokedFamilyRecord.self), try db.count(UsernameLookRecord.self),
                try db.count(IdentityRecord.self), try db.count(BanRecord.self), try db.count(AccountCodeRecord.self),
                try db.count(FollowRecord.self), try db.count(BlockRecord.self), try db.count(DirectoryRecord.self),
                try db.count(PhotoRecord.self),
            ]
        }
        #expect(left == [2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
        await queue.close()
    }

    @Test func `a column accepts its limit and refuses the limit plus one`() async throws {
        let queue = try await filled()
        func x(_ count: Int) -> String { String(repeating: "x", count: count) }
        func blob(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }
        let taken: [SQL] = [
            "INSERT INTO users (uid, created_ms) VALUES ('u', 0)",
            "UPDATE users SET email = \(x(3))", "UPDATE users SET email = \(x(254))",
            "UPDATE users SET username = \(x(3))", "UPDATE users SET username = \(x(24))",
            "UPDATE users SET role = 'user'", "UPDATE users SET role = 'admin'",
            "UPDATE users SET email = NULL, email_key = NULL, password_hash = NULL",
            "UPDATE users SET username = NULL, username_key = NULL", "UPDATE users SET password_hash = NULL",
            "UPDATE profiles SET display_name = 'x', bio = ''", "UPDATE profiles SET display_name = \(x(100))",
            "UPDATE profiles SET bio = \(x(2000))", "UPDATE profiles SET display_name = NULL, bio = NULL",
            "UPDATE settings SET locale = 'pl_PL', theme = 'light', shading = 0, presence = 'followers'",
            "UPDATE identities SET name = \(x(3))", "UPDATE identities SET name = \(x(200))",
            "UPDATE bans SET reason = 'x', until_ms = NULL", "UPDATE bans SET reason = \(x(200))",
            "UPDATE bans SET reason = NULL", "UPDATE account_codes SET purpose = 'recovery', email = NULL",
            "UPDATE account_codes SET hash = \(blob(32)), created_ms = 5, expires_ms = 6",
            "UPDATE account_codes SET email = \(x(3))", "UPDATE account_codes SET email = \(x(254))",
            "UPDATE photos SET id = 'x', color = 0", "UPDATE photos SET id = \(x(64)), foreground = 16777215",
            "INSERT INTO users (uid, created_ms, email_confirmed) VALUES ('u', 0, 1)",
            "UPDATE refresh_tokens SET hash = \(blob(32))",
            "UPDATE refresh_tokens SET created_ms = 5, expires_ms = 6",
            "UPDATE rooms SET title = ''", "UPDATE rooms SET title = \(x(200))",
            "UPDATE rooms SET lead_ms = 150", "UPDATE rooms SET lead_ms = 10000",
            "UPDATE room_playback SET state = 0, revision = 0, has_audio = 0",
            "UPDATE room_playback SET revision = 4294967295",
        ]
        let refused: [SQL] = [
            "INSERT INTO users (uid, created_ms) VALUES ('', 0)",
            "INSERT INTO users (uid, created_ms) VALUES (\(x(129)), 0)",
            "UPDATE users SET email = \(x(2))", "UPDATE users SET email = \(x(255))",
            "UPDATE users SET username = \(x(2))", "UPDATE users SET username = \(x(25))",
            "UPDATE users SET role = 'owner'", "UPDATE users SET email_key = NULL",
            "UPDATE users SET email = NULL, password_hash = NULL",
            "UPDATE users SET username = NULL", "UPDATE users SET username_key = NULL",
            "UPDATE users SET email = NULL, email_key = NULL",
            "UPDATE profiles SET display_name = ''", "UPDATE profiles SET display_name = \(x(101))",
            "UPDATE profiles SET bio = \(x(2001))", "UPDATE profiles SET is_public = 2",
            "UPDATE settings SET delivery = 'pigeon'", "UPDATE settings SET visibility = 'hidden'",
            "UPDATE settings SET locale = 'en_GB'", "UPDATE settings SET theme = 'pink'",
            "UPDATE settings SET shading = 2", "UPDATE settings SET presence = 'everybody'",
            "UPDATE users SET email_confirmed = 2", "UPDATE identities SET name = \(x(2))",
            "UPDATE identities SET name = \(x(201))", "UPDATE bans SET reason = ''",
            "UPDATE bans SET reason = \(x(201))", "UPDATE account_codes SET purpose = 'pardon'",
            "UPDATE account_codes SET hash = \(blob(31))", "UPDATE account_codes SET email = \(x(2))",
            "UPDATE account_codes SET created_ms = 5, expires_ms = 5", "UPDATE photos SET id = ''",
            "UPDATE photos SET id = \(x(65))", "UPDATE photos SET color = -1", "UPDATE photos SET color = 16777216",
            "INSERT INTO follows VALUES (\(uid), \(uid), 1)", "INSERT INTO blocks VALUES (\(uid), \(uid), 1)",
            "UPDATE refresh_tokens SET hash = \(blob(31))", "UPDATE refresh_tokens SET hash = \(blob(33))",
            "UPDATE refresh_tokens SET created_ms = 5, expires_ms = 5",
            "UPDATE rooms SET id = \(x(19))", "UPDATE rooms SET id = \(x(21))",
            "UPDATE rooms SET title = \(x(201))", "UPDATE rooms SET visibility = 'hidden'",
            "UPDATE rooms SET delivery = 'pigeon'", "UPDATE rooms SET lead_ms = 149",
            "UPDATE rooms SET lead_ms = 10001", "UPDATE room_playback SET state = -1",
            "UPDATE room_playback SET state = 4", "UPDATE room_playback SET revision = -1",
            "UPDATE room_playback SET revision = 4294967296", "UPDATE room_playback SET has_audio = 2",
        ]
        for sql in taken { #expect(await kind(of: sql, in: queue) == nil, "\(sql.text) \(sql.arguments)") }
        for sql in refused {
            guard case .check = await kind(of: sql, in: queue) else {
                Issue.record("taken: \(sql.text) \(sql.arguments)")
                continue
            }
        }
        #expect(await kind(of: "UPDATE profiles SET uid = 'nobody'", in: queue) == .foreignKey)
        #expect(await kind(of: "UPDATE rooms SET owner_uid = 'nobody'", in: queue) == .foreignKey)
        #expect(
            await kind(
                of: "INSERT INTO users (uid, email, email_key, created_ms) VALUES ('u', 'A@B', 'a@b', 0)", in: queue)
                == .unique(table: "users", columns: ["email_key"]))
        #expect(
            await kind(
                of: "INSERT INTO users (uid, username, username_key, created_ms) VALUES ('u', 'ADA', 'ada', 0)",
                in: queue)
                == .unique(table: "users", columns: ["username_key"]))
        await queue.close()
    }

    /// Runs a statement in a transaction that is rolled back, and returns its error.
    private func kind(of sql: SQL, in queue: DatabaseQueue) async -> DatabaseError.Kind? {
        struct Undone: Error {}
        let error = await failure {
            try await queue.write { db -> Void in
                try db.execute(sql)
                throw Undone()
            }
        }
        return (error as? DatabaseError)?.kind
    }
}
