import SonaDatabase
import SonaTestSupport
import SonaWire
import Testing

@testable import SonaModel

/// Photos of profiles.
struct PhotosTests {
    private func isWebP(_ bytes: [UInt8]?) -> Bool {
        guard let bytes, bytes.count > 12 else { return false }
        return Array(bytes[0..<4]) == Array("RIFF".utf8) && Array(bytes[8..<12]) == Array("WEBP".utf8)
    }

    @Test func `a photo has three sizes, and each upload a new identifier`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let photos = fixture.model.photos
        let first = try #require(try await photos.set(PhotoFixture.red, of: fixture["ada"]).photo)
        #expect(first.width == 3 && first.height == 2)
        for size in [PhotoSize.small, .medium, .full] { #expect(isWebP(try await photos.bytes(first.id, size))) }
        let second = try #require(try await photos.set(PhotoFixture.blue, of: fixture["ada"]).photo)
        #expect(second.id != first.id && second.color != first.color)
        // The same picture again gets a new identifier, too.
        let third = try #require(try await photos.set(PhotoFixture.blue, of: fixture["ada"]).photo)
        for old in [first.id, second.id] {
            for size in [PhotoSize.small, .medium, .full] { #expect(try await photos.bytes(old, size) == nil) }
        }
        #expect(isWebP(try await photos.bytes(third.id, .full)))
        #expect(try await fixture.people.own(fixture["ada"]).profile.photo == third)
        #expect(try await fixture.people.own(fixture["bob"]).profile.photo == nil)
        await fixture.model.close()
    }

    @Test func `a removed photo is gone, and removing a missing one is not an error`() async throws {
        let fixture = try await PeopleFixture("ada")
        let photo = try #require(try await fixture.model.photos.set(PhotoFixture.red, of: fixture["ada"]).photo)
        for _ in 0..<2 {
            #expect(try await fixture.model.photos.remove(of: fixture["ada"]).photo == nil)
            #expect(try await fixture.model.photos.bytes(photo.id, .full) == nil)
        }
        #expect(try await Model.rowCounts(fixture.folder)["photos"] == 0)
        await fixture.model.close()
    }

    @Test func `an invalid or too large upload leaves the current photo in place`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (photos, ada) = (fixture.model.photos, fixture["ada"])
        let photo = try #require(try await photos.set(PhotoFixture.red, of: ada).photo)
        func refused(_ bytes: [UInt8]) async -> Refusal? {
            await refusal { try await photos.set(bytes, of: ada) }
        }
        for none in [[], [0], Array("GIF89a........................".utf8), Array("<svg/>".utf8)] as [[UInt8]] {
            #expect(await refused(none) == Refusal(.photoTypeUnsupported))
        }
        #expect(await refused(Array(PhotoFixture.red.prefix(40))) == Refusal(.photoDamaged))
        #expect(await refused(PhotoFixture.huge) == Refusal(.photoTooManyPixels))
        let padding = [UInt8](repeating: 0, count: Photos.bytesMax + 1 - PhotoFixture.red.count)
        #expect(await refused(PhotoFixture.red + padding) == Refusal(.photoTooLarge))
        #expect(try await fixture.people.own(ada).profile.photo == photo)
        await fixture.model.close()
    }

    @Test func `without an account there is no photo, and a removal deletes it`() async throws {
        let fixture = try await PeopleFixture("ada", "bob")
        let guest = fixture.model.accounts.guest().account.uid
        let photo = try #require(try await fixture.model.photos.set(PhotoFixture.red, of: fixture["ada"]).photo)
        let account = Accounts.Account(
            uid: fixture["ada"], username: nil, isGuest: false,
            authenticatedAt: fixture.calendar.clock.nowMilliseconds() / 1_000)
        try await fixture.model.accounts.remove(account, code: try await fixture.model.accounts.export(account).code)
        #expect(try await fixture.model.photos.bytes(photo.id, .small) == nil)
        for nobody in [guest, fixture["ada"]] {
            let set = await refusal {
                try await fixture.model.photos.set(PhotoFixture.blue, of: nobody)
            }
            #expect(set == Refusal(.userNotFound))
            let removed = await refusal { try await fixture.model.photos.remove(of: nobody) }
            #expect(removed == Refusal(.userNotFound))
        }
        #expect(try await Model.rowCounts(fixture.folder)["photos"] == 0)
        await fixture.model.close()
    }

    @Test func `an account can send thirty photos, and then one a minute`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (photos, ada) = (fixture.model.photos, fixture["ada"])
        for _ in 0..<30 { _ = try await photos.set(PhotoFixture.red, of: ada) }
        // The next upload is refused before it is decoded, whatever it is.
        for bytes in [PhotoFixture.red, [1, 2, 3]] {
            let error = await refusal { try await photos.set(bytes, of: ada) }
            #expect(error?.code == .requestRateLimited)
        }
        await fixture.model.close()
    }

    @Test func `concurrent uploads beyond the queue are told to try again`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (photos, ada) = (fixture.model.photos, fixture["ada"])
        // The server's own picture of a room has no budget.
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Ada's"), owner: ada).id
        let outcomes = await withTaskGroup(of: Refusal?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    await refusal { try await photos.set(PhotoFixture.red, ofRoom: room) }
                }
            }
            return await group.reduce(into: [Refusal?]()) { $0.append($1) }
        }
        #expect(outcomes.contains(nil))
        for case let error? in outcomes { #expect(error.code == .photoBusy) }
        #expect(try await Model.rowCounts(fixture.folder)["room_pictures"] == 1)
        await fixture.model.close()
    }

    @Test func `a cover is kept once, and goes when the room is closed or its picture is taken down`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (photos, rooms, ada) = (fixture.model.photos, fixture.model.rooms, fixture["ada"])
        let room = try await rooms.create(RoomSettings(title: "Ada's"), owner: ada).id
        let red = try await photos.add(cover: PhotoFixture.red, to: room, by: ada)
        let blue = try await photos.add(cover: PhotoFixture.blue, to: room, by: ada)
        #expect(red != blue)
        #expect(try await photos.add(cover: PhotoFixture.red, to: room, by: ada) == red)
        #expect(try await Model.rowCounts(fixture.folder)["room_covers"] == 2)
        for size in [PhotoSize.small, .medium, .full] { #expect(isWebP(try await photos.bytes(red, size))) }
        _ = try await rooms.takeDown(.picture, of: room, by: nil)
        #expect(try await photos.bytes(red, .full) == nil)
        let again = try await photos.add(cover: PhotoFixture.red, to: room, by: ada)
        _ = try await rooms.close(room, by: ada)
        #expect(try await photos.bytes(again, .full) == nil)
        let closed = await refusal { try await photos.add(cover: PhotoFixture.red, to: room, by: ada) }
        #expect(closed == Refusal(.userNotFound))
        #expect(try await Model.rowCounts(fixture.folder)["room_covers"] == 0)
        await fixture.model.close()
    }

    @Test func `a room keeps its hundred newest covers`() async throws {
        let fixture = try await PeopleFixture("ada")
        let (photos, ada) = (fixture.model.photos, fixture["ada"])
        let room = try await fixture.model.rooms.create(RoomSettings(title: "Ada's"), owner: ada).id
        let first = try await photos.add(cover: PhotoFixture.red, to: room, by: ada)
        // Decoding a hundred would take seconds, so that they are copied in the file.
        try await Model.execute(
            """
            INSERT INTO room_covers
            WITH RECURSIVE numbers (number) AS (
                SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number + 1 < \(Limits.coversPerRoomMax))
            SELECT 'copy' || number, room_id, printf('%064d', number), color, foreground, width, height,
                created_ms + number, px32, px64, px_full FROM room_covers, numbers WHERE id = \(first.rawValue)
            """, in: fixture.folder)
        #expect(try await Model.rowCounts(fixture.folder)["room_covers"] == Limits.coversPerRoomMax)
        fixture.calendar.advance(seconds: 60)
        let last = try await photos.add(cover: PhotoFixture.blue, to: room, by: ada)
        #expect(try await Model.rowCounts(fixture.folder)["room_covers"] == Limits.coversPerRoomMax)
        #expect(try await photos.bytes(first, .full) == nil)
        #expect(isWebP(try await photos.bytes(last, .full)))
        await fixture.model.close()
    }
}
