import Glibc
import SonaDatabase
import SonaMedia
import SonaModel
import SonaWire
import Testing

@testable import SonaLibrary

/// Who may hear what: every status, owner, role, audience and block, in each way to a track.
@Suite struct AccessMatrixTests {
    /// Whose track it is, and where it stands.
    private enum Kind: CaseIterable {
        case ownPrivate, ownPending, ownRejected, ownApproved
        case openFolder, chosenFolder, adminsFolder, missing
    }

    private enum Person: CaseIterable {
        case owner, other, chosen, blockedByOwner, blockerOfOwner, guest, curator, admin
    }

    /// The table of Protocol/spec/tracks.md, "Access".
    private func expected(_ kind: Kind, _ person: Person, guests: TrackAccess) -> TrackAccess {
        if person == .admin { return .full }
        switch (kind, person) {
        case (.ownPending, .curator), (.ownRejected, .curator): return .full
        case (.ownPrivate, .owner), (.ownPending, .owner), (.ownRejected, .owner), (.ownApproved, .owner): return .full
        case (.ownPrivate, _), (.ownPending, _), (.ownRejected, _): return .none
        case (.ownApproved, .blockedByOwner), (.ownApproved, .blockerOfOwner): return .none
        case (.ownApproved, .guest), (.openFolder, .guest): return guests
        case (.ownApproved, _), (.openFolder, _): return .full
        case (.chosenFolder, .chosen): return .full
        case (.chosenFolder, _), (.adminsFolder, _), (.missing, _): return .none
        }
    }

    @Test(arguments: [TrackAccess.full, .preview, .none])
    func `streams, downloads, search, lists and albums agree on every pair`(guests: TrackAccess) async throws {
        let shelf = try await Shelf(folders: ["Open", "Chosen", "Admins"], guestAccess: guests)
        var accounts: [Person: Accounts.Account] = [:]
        for person in Person.allCases where person != .guest {
            accounts[person] = try await shelf.signUp("\(person)person".prefix(20).lowercased())
        }
        let uids = accounts.mapValues(\.uid)
        let owner = try #require(uids[.owner])
        try await shelf.library.tables.music.write { db in
            for (from, to) in [(owner, uids[.blockedByOwner]), (uids[.blockerOfOwner], owner)] {
                try db.execute(
                    "INSERT INTO blocks (blocker_uid, blocked_uid, created_ms) VALUES (\(from), \(to), 1)")
            }
            try db.execute("UPDATE users SET role = 'admin' WHERE uid = \(uids[.admin])")
            try db.execute("UPDATE users SET role = 'curator' WHERE uid = \(uids[.curator])")
        }
        let chosen = try #require(uids[.chosen])
        try await shelf.library.folders.update(
            LibraryFolderUpdate(folder: "Chosen", audience: .chosen, users: [chosen]), by: nil)
        try await shelf.library.folders.update(LibraryFolderUpdate(folder: "Admins", audience: .admins), by: nil)
        // A real file for each kind, so that streams have something to open.
        var rows: [(Kind, MusicID)] = []
        for (index, kind) in Kind.allCases.enumerated() {
            let folder = kind == .chosenFolder ? "Chosen" : kind == .adminsFolder ? "Admins" : "Open"
            try shelf.make("\(folder)/\(kind).mp3", pitch: 200 + 20 * index, ["title": "\(kind)", "album": "\(kind)"])
        }
        try await shelf.scan()
        let found = try await shelf.library.finder.list(LibraryList(limit: 100), for: shelf.administrator).tracks
        for kind in Kind.allCases {
            let id = try #require(found.first { $0.title == "\(kind)" }).id
            rows.append((kind, id))
            let status: TrackStatus?
            let scope: Int64
            switch kind {
            case .ownPrivate: (status, scope) = (nil, TrackScope.ofUpload(nil))
            case .ownPending: (status, scope) = (.pending, TrackScope.ofUpload(.pending))
            case .ownRejected: (status, scope) = (.rejected, TrackScope.ofUpload(.rejected))
            case .ownApproved: (status, scope) = (.approved, TrackScope.ofUpload(.approved))
            case .missing: (status, scope) = (nil, TrackScope.missing)
            case .openFolder, .chosenFolder, .adminsFolder: continue
            }
            let uid = kind == .missing ? nil : owner
            try await shelf.library.tables.music.write { db in
                try db.execute(
                    "UPDATE tracks SET owner_uid = \(uid), status = \(status), scope = \(scope) WHERE id = \(id)")
            }
        }
        let guest = Accounts.Account(uid: try #require(UserID("guest-1")), username: nil, isGuest: true)
        for person in Person.allCases {
            let account =
                accounts[person].map { account in
                    Accounts.Account(
                        uid: account.uid, username: account.username, isGuest: false,
                        role: person == .admin ? .admin : person == .curator ? .curator : .user)
                } ?? guest
            let listener = try await shelf.library.listener(for: account)
            let listed = try await shelf.library.finder.list(LibraryList(limit: 100), for: listener).tracks
            for (kind, id) in rows {
                let access = expected(kind, person, guests: guests)
                let what: Comment = "\(kind) for \(person), guests \(guests)"
                #expect(listed.first { $0.id == id }?.access ?? TrackAccess.none == access, what)
                let single = try? await shelf.library.finder.track(id, for: listener)
                #expect(single?.access ?? TrackAccess.none == access, what)
                let search = try await shelf.library.finder.search(
                    MusicSearch(query: "\(kind)"), for: listener)
                #expect(search.tracks.first { $0.id == id }?.access ?? TrackAccess.none == access, what)
                #expect(search.albums.isEmpty == (access == .none), what)
                let open = try? await shelf.library.tracks.open(id, for: listener)
                #expect(open?.access ?? TrackAccess.none == access, what)
                if let open { close(open.descriptor) }
            }
            let albums = try await shelf.library.finder.list(LibraryList(kind: .albums, limit: 100), for: listener)
            #expect(
                Set(albums.albums.map(\.name))
                    == Set(rows.filter { expected($0.0, person, guests: guests) != .none }.map { "\($0.0)" }))
        }
        await shelf.close()
    }

    @Test func `a token is good for its track, its sign-in and six hours`() async throws {
        let shelf = try await Shelf()
        let account = try await shelf.signUp("ada")
        let (one, two) = (MusicID.random(milliseconds: 1), MusicID.random(milliseconds: 2))
        let tokens = shelf.library.tokens
        let (token, expires) = tokens.make(for: account, one, .full, now: 1_000)
        #expect(expires == 1_000 + 6 * 3_600_000)
        let claims = try #require(tokens.verify(token, for: one, now: 2_000))
        #expect((claims.account.uid, claims.account.family, claims.access) == (account.uid, account.family, .full))
        #expect(tokens.verify(token, for: two, now: 2_000) == nil)
        #expect(tokens.verify(token, for: one, now: expires) == nil)
        #expect(tokens.verify(token + "A", for: one, now: 2_000) == nil)
        #expect(tokens.verify(String(token.dropFirst()), for: one, now: 2_000) == nil)
        #expect(try await shelf.model.accounts.lasts(claims.account))
        try await shelf.library.tables.music.write { db in
            try db.execute("DELETE FROM refresh_tokens WHERE uid = \(account.uid)")
        }
        #expect(try await !shelf.model.accounts.lasts(claims.account))
        await shelf.close()
    }

    @Test func `the owner and curators edit a track, the owner and administrators remove it`() async throws {
        let shelf = try await Shelf()
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        let ids = try await shelf.add([
            Shelf.Row(title: "Private", owner: ada.uid, scope: TrackScope.own),
            Shelf.Row(title: "Approved", owner: ada.uid, status: .approved),
            Shelf.Row(title: "Folder", scope: 1),
        ])
        let tracks = shelf.library.tracks
        await #expect(throws: Refusal(.trackNotFound)) { try await tracks.remove(ids[0], by: bob.uid) }
        await #expect(throws: Refusal.forbidden(.libraryManage)) { try await tracks.remove(ids[1], by: bob.uid) }
        await #expect(throws: Refusal.forbidden(.libraryManage)) { try await tracks.remove(ids[2], by: ada.uid) }
        let edit = TrackUpdate(track: ids[1], title: "Mended")
        await #expect(throws: Refusal.forbidden(.libraryCurate)) { try await tracks.update(edit, by: bob.uid) }
        _ = try await shelf.model.accounts.setRole(of: .id(bob.uid), to: .curator, by: nil)
        // These rows have no file that was read, which is what is looked at next.
        await #expect(throws: Refusal(.trackUnavailable)) { try await tracks.update(edit, by: bob.uid) }
        await #expect(throws: Refusal.forbidden(.libraryManage)) { try await tracks.remove(ids[1], by: bob.uid) }
        await #expect(throws: Refusal(.trackInFolder)) { try await tracks.remove(ids[2], by: nil) }
        try await tracks.remove(ids[0], by: ada.uid)
        try await tracks.remove(ids[1], by: nil)
        #expect(
            try await shelf.library.finder.list(LibraryList(), for: shelf.administrator).tracks.map(\.title) == [
                "Folder"
            ])
        await shelf.close()
    }
}
