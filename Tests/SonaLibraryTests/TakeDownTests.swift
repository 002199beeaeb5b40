import SonaModel
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaLibrary

/// Tracks that administrators take down, and contents that are refused from then on.
struct TakeDownTests {
    @Test func `a content that was taken down goes for all who have it, and is refused until that is lifted`()
        async throws
    {
        let shelf = try await Shelf()
        let (ada, bob) = (try await shelf.signUp("ada"), try await shelf.signUp("bob"))
        try shelf.make("Siren.flac", ["title": "Siren"])
        let bytes = try shelf.bytes("Siren.flac")
        let track = try await shelf.upload(bytes, by: ada.uid).track
        _ = try await shelf.upload(bytes, by: bob.uid)
        let tracks = shelf.library.tracks
        #expect(await shelf.code { try await tracks.takeDown(track, reason: nil, by: bob.uid) } == .authForbidden)
        try await tracks.takeDown(track, reason: "Its rights are another's.", by: nil)
        for account in [ada, bob] {
            let listener = try await shelf.library.listener(for: account)
            #expect(try await shelf.library.finder.list(LibraryList(scope: .own), for: listener).tracks.isEmpty)
            let told = try await shelf.model.notifications.page(of: account.uid, NotificationsList()).notifications
            #expect(told.map(\.kind) == ["track_taken_down"] && told.map(\.title) == ["Siren"])
        }
        #expect(await shelf.code { try await shelf.upload(bytes, by: ada.uid) } == .mediaTakenDown)
        #expect(await shelf.code { try await shelf.upload(bytes, by: bob.uid, pieceBytes: 100) } == .mediaTakenDown)
        // Nothing is kept of what was refused.
        #expect(await shelf.eventually { shelf.mediaFiles.isEmpty }, "\(shelf.mediaFiles)")
        #expect(try await shelf.library.uploads.usage(of: ada.uid, managesAll: false).uploads.isEmpty)
        let refused = try await tracks.refusedContents(ContentTakenDown()).contents
        #expect(refused.map(\.title) == ["Siren"])
        try await tracks.allow(try #require(refused.first).id, by: nil)
        _ = try await shelf.upload(bytes, by: ada.uid)
        await shelf.close()
    }

    @Test func `a track of a folder stays where it is`() async throws {
        let shelf = try await Shelf()
        try shelf.make("Music/Siren.flac", ["title": "Siren"])
        try await shelf.scan()
        let track = try #require(try await shelf.tracks().first)
        #expect(
            await shelf.code { try await shelf.library.tracks.takeDown(track.id, reason: nil, by: nil) }
                == .trackInFolder)
        await shelf.close()
    }
}
