import SonaBase
import SonaDatabase
import SonaWire
import Testing

@testable import SonaLibrary
@testable import SonaModel

/// Playlists' own pictures: who sets them, who is told, and when they are gone.
@Suite struct PlaylistPictureTests {
    private func picture(_ id: String, color: Int = 0xC81428) -> StoredPicture {
        StoredPicture(
            id: id, color: color, foreground: 0xFFFFFF, width: 640, height: 480, createdMilliseconds: 1, px32: [32],
            px64: [64], full: Array(id.utf8))
    }

    private func bytes(_ stage: PlaylistStage, _ id: String, _ size: PhotoSize = .full) async throws -> [UInt8]? {
        try await stage.playlists.picture(try #require(PhotoID(id)), size)
    }

    /// A collaborator of a list.
    private func join(_ list: Playlist, of owner: Listener, _ name: String, _ stage: PlaylistStage) async throws
        -> Listener
    {
        let other = try await stage.listener(name)
        let code = try #require(try await stage.playlists.invite(PlaylistInvite(playlist: list.id), by: owner).code)
        _ = try await stage.playlists.accept(PlaylistAccept(playlist: list.id, code: code), by: other)
        return other
    }

    @Test func `a picture is another version of the list, in three sizes, and the one before is gone`() async throws {
        let stage = try await PlaylistStage()
        let ada = try await stage.listener("ada")
        let list = try await stage.make("Lagos nights", try await stage.tracks(1), by: ada)
        #expect(list.picture == nil)
        let first = try await stage.playlists.set(picture("first"), of: list.id, by: ada)
        let shown = try #require(first.picture)
        #expect(shown.id.rawValue == "first" && shown.color.description == "#c81428")
        #expect(shown.width == 640 && shown.height == 480 && first.version == list.version + 1)
        #expect(try await bytes(stage, "first", .small) == [32])
        #expect(try await bytes(stage, "first", .medium) == [64])
        #expect(try await bytes(stage, "first") == Array("first".utf8))
        let told = try #require(stage.told.withLock { $0.last })
        #expect(told.before == list.version && told.version == first.version && told.audience == [ada.uid])
        _ = try await stage.playlists.set(picture("second"), of: list.id, by: ada)
        #expect(try await bytes(stage, "first") == nil)
        #expect(try await bytes(stage, "second") != nil)
        #expect(
            try await stage.playlists.list(PlaylistList(), for: ada).playlists.first?.picture?.id.rawValue == "second")
        await stage.close()
    }

    @Test func `the owner and collaborators set it and take it away, nobody else does`() async throws {
        let stage = try await PlaylistStage()
        let (ada, cyd) = (try await stage.listener("ada"), try await stage.listener("cyd"))
        let list = try await stage.make("Open", by: ada, .public)
        let hidden = try await stage.make("Hidden", by: ada)
        let ben = try await join(list, of: ada, "ben", stage)
        for (listener, code) in [(cyd, ErrorCode.playlistForbidden), (stage.guest, .authAccountRequired)] {
            #expect(await refusal { try await stage.playlists.requireEditor(of: list.id, listener) } == code)
            #expect(await refusal { try await stage.playlists.set(picture("cyd"), of: list.id, by: listener) } == code)
            #expect(await refusal { try await stage.playlists.removePicture(of: list.id, by: listener) } == code)
        }
        #expect(await refusal { try await stage.playlists.requireEditor(of: hidden.id, cyd) } == .playlistNotFound)
        #expect(
            await refusal { try await stage.playlists.set(picture("cyd"), of: hidden.id, by: cyd) } == .playlistNotFound
        )
        try await stage.playlists.requireEditor(of: list.id, ben)
        let set = try await stage.playlists.set(picture("ben"), of: list.id, by: ben)
        #expect(set.role == .collaborator && set.picture != nil)
        let count = stage.told.withLock { $0.count }
        let gone = try await stage.playlists.removePicture(of: list.id, by: ada)
        #expect(gone.picture == nil && gone.version == set.version + 1)
        #expect(try await bytes(stage, "ben") == nil)
        // Without one nothing changes, and nobody is told.
        #expect(try await stage.playlists.removePicture(of: list.id, by: ben).version == gone.version)
        #expect(stage.told.withLock { $0.count } == count + 1)
        await stage.close()
    }

    @Test func `a copy has none, and a picture is gone with its list`() async throws {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let list = try await stage.make("Open", try await stage.tracks(2), by: ada, .public)
        _ = try await stage.playlists.set(picture("own"), of: list.id, by: ada)
        let copy = try await stage.playlists.copy(PlaylistCopy(playlist: list.id), by: ben)
        #expect(copy.entryCount == 2 && copy.picture == nil)
        try await stage.playlists.delete(list.id, by: ada)
        #expect(try await bytes(stage, "own") == nil)
        await stage.close()
    }

    @Test func `an administrator takes down the picture of a list that they see, which the journal tells`() async throws
    {
        let stage = try await PlaylistStage()
        let (ada, ben) = (try await stage.listener("ada"), try await stage.listener("ben"))
        let (open, closed) = (try await stage.make("Open", by: ada, .public), try await stage.make("Closed", by: ada))
        for (list, id) in [(open, "open"), (closed, "closed")] {
            _ = try await stage.playlists.set(picture(id), of: list.id, by: ada)
        }
        try await stage.library.tables.music.write { db in
            try db.execute("UPDATE users SET role = 'admin' WHERE uid = \(ben.uid)")
        }
        #expect(
            await refusal { try await stage.playlists.set(picture("ben"), of: open.id, by: ben) } == .playlistForbidden)
        #expect(await refusal { try await stage.playlists.removePicture(of: closed.id, by: ben) } == .playlistNotFound)
        for _ in 0..<2 { #expect(try await stage.playlists.removePicture(of: open.id, by: ben).picture == nil) }
        #expect(try await bytes(stage, "open") == nil)
        #expect(try await bytes(stage, "closed") != nil)
        let lines = try await stage.model.journal.page(before: nil, limit: 10, subject: ada.uid?.rawValue)
        #expect(lines.count { $0.kind == "taken_down" } == 1)
        await stage.close()
    }
}
