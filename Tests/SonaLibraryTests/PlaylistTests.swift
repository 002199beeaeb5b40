import SonaBase
import SonaDatabase
import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Playlists over a real database: making, seeing, changing, erasing.
@Suite struct PlaylistTests {
    @Test func `a list is made, renamed, read, pinned, copied and erased`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let tracks = try await stage.tracks(3)
        var list = try await stage.make(" Lagos nights ", tracks, by: ada, .public)
        #expect(list.title == "Lagos nights" && list.entryCount == 3 && list.durationMilliseconds == 3_000)
        #expect(list.role == .owner && list.version == 2)
        list = try await stage.playlists.update(
            PlaylistUpdate(playlist: list.id, version: 2, title: "Nights", about: "two\nlines"), by: ada)
        #expect(list.title == "Nights" && list.about == "two\nlines" && list.version == 3)
        let pinned = try await stage.playlists.pin(PlaylistPin(playlist: list.id), by: ben)
        #expect(pinned.isPinned && pinned.role == .listener)
        let pins = try await stage.playlists.list(PlaylistList(scope: .pinned), for: ben)
        #expect(pins.playlists.map(\.id) == [list.id])
        let copy = try await stage.playlists.copy(PlaylistCopy(playlist: list.id, key: "c"), by: ben)
        let again = try await stage.playlists.copy(PlaylistCopy(playlist: list.id, key: "c"), by: ben)
        #expect(copy.id != list.id && copy.entryCount == 3 && copy.visibility == .private && again.id == copy.id)
        try await stage.playlists.delete(list.id, by: ada)
        #expect(try await stage.playlists.list(PlaylistList(scope: .pinned), for: ben).playlists.isEmpty)
        #expect(await refusal { try await stage.entries(list.id, ada) } == .playlistNotFound)
        #expect(try await stage.titles(copy.id, ben) == ["Song 0", "Song 1", "Song 2"])
        await stage.close()
    }

    @Test func `private lists are their owner's, unlisted ones are seen by link, and blocks hide all`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben, eve) = (
            try await stage.listener("ada"), try await stage.listener("ben"), try await stage.listener("eve")
        )
        let tracks = try await stage.tracks(1)
        let closed = try await stage.make("Closed", tracks, by: ada)
        let unlisted = try await stage.make("Unlisted", tracks, by: ada, .unlisted)
        let open = try await stage.make("Open", tracks, by: ada, .public)
        for other in [ben, stage.guest] {
            #expect(await refusal { try await stage.entries(closed.id, other) } == .playlistNotFound)
            #expect(try await stage.entries(unlisted.id, other).count == 1)
            let found = try await stage.playlists.list(PlaylistList(scope: .public), for: other).playlists
            #expect(found.map(\.id) == [open.id])
        }
        #expect(
            await refusal { try await stage.playlists.pin(PlaylistPin(playlist: closed.id), by: ben) }
                == .playlistNotFound)
        #expect(await refusal { try await stage.playlists.delete(open.id, by: ben) } == .playlistForbidden)
        #expect(
            await refusal { try await stage.playlists.add(PlaylistAdd(playlist: open.id, tracks: tracks), by: ben) }
                == .playlistForbidden)
        // Pinned while it was open: gone from the list of pins when it is closed.
        _ = try await stage.playlists.pin(PlaylistPin(playlist: open.id), by: ben)
        _ = try await stage.playlists.update(PlaylistUpdate(playlist: open.id, visibility: .private), by: ada)
        #expect(try await stage.playlists.list(PlaylistList(scope: .pinned), for: ben).playlists.isEmpty)
        _ = try await stage.playlists.update(PlaylistUpdate(playlist: open.id, visibility: .public), by: ada)
        #expect(try await stage.playlists.list(PlaylistList(scope: .pinned), for: ben).playlists.count == 1)
        try await stage.library.tables.music.write { db in
            try db.execute(
                "INSERT INTO blocks (blocker_uid, blocked_uid, created_ms) VALUES (\(ada.uid), \(eve.uid), 1)")
        }
        #expect(await refusal { try await stage.entries(open.id, eve) } == .playlistNotFound)
        #expect(try await stage.playlists.list(PlaylistList(scope: .public), for: eve).playlists.isEmpty)
        #expect(
            await refusal { try await stage.playlists.list(PlaylistList(), for: stage.guest) } == .authAccountRequired)
        await stage.close()
    }

    @Test func `an administrator erases a public list of somebody else, which the journal tells`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let (open, closed) = (try await stage.make("Open", by: ada, .public), try await stage.make("Closed", by: ada))
        try await stage.library.tables.music.write { db in
            try db.execute("UPDATE users SET role = 'admin' WHERE uid = \(ben.uid)")
        }
        #expect(await refusal { try await stage.playlists.delete(closed.id, by: ben) } == .playlistNotFound)
        try await stage.playlists.delete(open.id, by: ben)
        #expect(await refusal { try await stage.entries(open.id, ada) } == .playlistNotFound)
        let lines = try await stage.model.journal.page(before: nil, limit: 10, subject: ada.uid?.rawValue)
        #expect(lines.contains { $0.kind == "taken_down" })
        await stage.close()
    }

    @Test func `titles have bounds, and a key makes one list`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        for title in ["", "   ", String(repeating: "é", count: 51)] {
            #expect(await refusal { try await stage.make(title, by: ada) } == .playlistInvalidName)
        }
        #expect(try await stage.make(String(repeating: "é", count: 50), by: ada).title.utf8.count == 100)
        let request = PlaylistCreate(title: "Once", key: "k")
        let (one, two) = (
            try await stage.playlists.create(request, by: ada), try await stage.playlists.create(request, by: ada)
        )
        #expect(one.id == two.id)
        #expect(try await stage.playlists.list(PlaylistList(), for: ada).playlists.count == 2)
        await stage.close()
    }

    @Test func `an account has a thousand lists and not one more`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let now = stage.now.withLock { $0 }
        let owner = try #require(ada.uid)
        let records = (0..<Limits.playlistsPerAccountMax - 1).map { number in
            PlaylistRecord(
                owner: owner, title: "List \(number)", about: "", visibility: .private, rule: nil, requestKey: nil,
                now: now)
        }
        try await stage.playlists.dao.write { db in try db.insert(contentsOf: records) }
        _ = try await stage.make("The last", by: ada)
        #expect(await refusal { try await stage.make("One more", by: ada) } == .playlistLimitReached)
        var seen: Set<MusicID> = []
        var cursor: String?
        repeat {
            let page = try await stage.playlists.list(PlaylistList(limit: 300, cursor: cursor), for: ada)
            seen.formUnion(page.playlists.map(\.id))
            cursor = page.nextCursor
        } while cursor != nil
        #expect(seen.count == 1_000)
        await stage.close()
    }

    @Test func `collaborators come by a link, edit, and leave; twenty and not one more`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let tracks = try await stage.tracks(2)
        let list = try await stage.make("Ours", [tracks[0]], by: ada)
        let invitation = try await stage.playlists.invite(
            PlaylistInvite(playlist: list.id, expiresSeconds: 60), by: ada)
        let code = try #require(invitation.code)
        let wrong = String(repeating: "x", count: Limits.playlistInviteCodeCount)
        #expect(
            await refusal { try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: wrong), by: ben) }
                == .playlistNotFound)
        let joined = try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: ben)
        #expect(joined.role == .collaborator && joined.collaboratorCount == 1)
        _ = try await stage.playlists.add(PlaylistAdd(playlist: list.id, tracks: [tracks[1]]), by: ben)
        #expect(try await stage.entries(list.id, ada).map { $0.by?.username?.rawValue } == ["ada", "ben"])
        #expect(await refusal { try await stage.playlists.delete(list.id, by: ben) } == .playlistForbidden)
        #expect(
            await refusal {
                try await stage.playlists.update(PlaylistUpdate(playlist: list.id, visibility: .public), by: ben)
            }
                == .playlistForbidden)
        #expect(try await stage.playlists.list(PlaylistList(scope: .shared), for: ben).playlists.map(\.id) == [list.id])
        for number in 0..<Limits.playlistCollaboratorsMax - 1 {
            let more = try await stage.listener("more\(number)")
            _ = try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: more)
        }
        let late = try await stage.listener("late")
        #expect(
            await refusal { try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: late) }
                == .playlistCollaboratorsFull)
        try await stage.playlists.leave(PlaylistLeave(playlist: list.id), by: ben)
        #expect(await refusal { try await stage.entries(list.id, ben) } == .playlistNotFound)
        stage.now.withLock { $0 += 60_000 }
        #expect(
            await refusal { try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: late) }
                == .inviteExpired)
        let fresh = try await stage.playlists.invite(PlaylistInvite(playlist: list.id), by: ada)
        _ = try await stage.playlists.invite(PlaylistInvite(playlist: list.id, isRevoked: true), by: ada)
        #expect(
            await refusal {
                try await stage.playlists.accept(
                    PlaylistAccept(playlist: list.id, code: try #require(fresh.code)), by: late)
            } == .playlistNotFound)
        #expect(try await stage.playlists.collaborators(list.id, for: ada).people.count == 19)
        await stage.close()
    }

    @Test func `a removed account takes its lists along, and leaves nameless entries in those of others`() async throws
    {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let tracks = try await stage.tracks(2)
        let own = try await stage.make("Own", tracks, by: ben, .public)
        let list = try await stage.make("Ours", by: ada)
        let code = try #require(
            try await stage.playlists.invite(PlaylistInvite(playlist: list.id), by: ada).code)
        _ = try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: ben)
        _ = try await stage.playlists.add(PlaylistAdd(playlist: list.id, tracks: tracks), by: ben)
        try await stage.library.tables.music.write { db in try db.execute("DELETE FROM users WHERE uid = \(ben.uid)") }
        #expect(await refusal { try await stage.entries(own.id, ada) } == .playlistNotFound)
        let left = try await stage.entries(list.id, ada)
        #expect(left.count == 2 && left.allSatisfy { $0.by == nil && $0.track != nil })
        await stage.close()
    }

    @Test func `nobody sees the lists of an owner who is banned, until the ban ends`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let account = try await stage.model.accounts.signUp(
            Accounts.SignUp(email: "ben@example.org", password: "pass-ben-word", username: "ben")
        ).account
        var ben = try await stage.library.listener(for: account)
        let tracks = try await stage.tracks(1)
        let list = try await stage.make("Harbour", tracks, by: ada, .public)
        _ = try await stage.playlists.pin(PlaylistPin(playlist: list.id), by: ben)
        let code = try #require(try await stage.playlists.invite(PlaylistInvite(playlist: list.id), by: ada).code)
        let radio = RadioStart(from: .playlist(list.id))
        func look() async throws -> [Bool] {
            let found = await refusal { try await stage.entries(list.id, ben) } == nil
            let radioFound = await refusal { try await stage.library.finder.radio(radio, for: ben) } == nil
            let scopes: [PlaylistScope] = [.public, .pinned]
            var seen = [found, radioFound]
            for scope in scopes {
                seen.append(
                    try await !stage.playlists.list(PlaylistList(scope: scope), for: ben).playlists.isEmpty)
            }
            let search = try await stage.library.finder.search(MusicSearch(query: "harbour"), for: ben)
            return seen + [!search.playlists.isEmpty]
        }
        #expect(try await look().allSatisfy { $0 })
        let end = stage.now.withLock { $0 } + 60_000
        try await stage.library.tables.music.write { db in
            try db.execute("INSERT INTO bans (uid, until_ms, created_ms) VALUES (\(ada.uid), \(end), 1)")
        }
        #expect(try await look().allSatisfy { !$0 })
        #expect(await refusal { try await stage.entries(list.id, stage.guest) } == .playlistNotFound)
        #expect(
            await refusal { try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: ben) }
                == .playlistNotFound)
        stage.now.withLock { $0 = end }
        ben = try await stage.library.listener(for: account)
        #expect(try await look().allSatisfy { $0 })
        await stage.close()
    }
}
