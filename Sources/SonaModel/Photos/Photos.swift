internal import SonaCrypto
internal import SonaDatabase
internal import SonaImages
internal import SonaMedia
package import SonaWire

/// Photos of profiles, pictures of rooms and covers of tracks. Uploads are decoded and stored as pixels only, without metadata.
package struct Photos: Sendable {
    /// The most bytes of an upload.
    package static let bytesMax = Limits.photoUploadBytesMax

    private let photos: PhotoDAO
    private let workers: WorkerThreads
    private let pictures: PictureWorkers?
    private let clock: WallClock
    private let budgets: AccountBudgets

    /// - Parameter pictures: Converts uploads in separate processes. `nil`: every upload is refused.
    init(
        _ photos: PhotoDAO, workers: WorkerThreads, pictures: PictureWorkers?, clock: WallClock,
        budgets: AccountBudgets
    ) {
        self.photos = photos
        self.pictures = pictures
        self.budgets = budgets
        self.workers = workers
        self.clock = clock
    }

    /// Makes the three sizes of a photo and replaces the profile's photo.
    ///
    /// Decoding waits for a thread of low priority and happens in a separate process. A picture that crashes it affects
    /// only its own upload, which is then refused as damaged.
    ///
    /// - Parameter bytes: PNG, JPEG or WebP, recognized by the bytes themselves. At most `bytesMax`.
    /// - Returns: The profile with the new photo.
    /// - Throws: `photo.too_large`, `photo.type_unsupported`, `photo.too_many_pixels`, `photo.damaged`, `photo.busy`,
    ///   `request.rate_limited`, `user.not_found`, `server.busy`, `server.storage_failed`.
    package func set(_ bytes: [UInt8], of uid: UserID) async throws(Refusal) -> Profile {
        try take("photo.set", uid)
        let picture = try await make(bytes)
        return try await photos.write { db in
            try db.upsert(PhotoRecord(uid: uid, picture: picture))
            guard let profile = try People.profile(of: uid, in: &db) else { throw Refusal.refused(.userNotFound) }
            return profile
        }
    }

    /// Makes the three sizes of a picture and replaces the room's picture.
    ///
    /// - Parameter actor: The user whose budget it counts against. `nil`: the server itself.
    /// - Throws: As `set(_:of:)`; `user.not_found` if the room does not exist or is closed.
    package func set(
        _ bytes: [UInt8], ofRoom room: RoomID, by actor: UserID? = nil
    ) async throws(Refusal) -> SonaWire.Photo {
        if let actor { try take("room.set_picture", actor) }
        let picture = try await make(bytes)
        try await photos.write { db in
            guard let open = try db.first(RoomRecord.self, key: room), open.closedMilliseconds == nil else {
                throw Refusal.refused(.userNotFound)
            }
            try RoomRights.require(.manage, of: actor, in: room, &db)
            try db.upsert(RoomPictureRecord(room: room, picture: picture))
        }
        return SonaWire.Photo(picture)
    }

    /// Makes the three sizes of a picture that something else than a profile or a room shows. Nothing is stored.
    ///
    /// - Parameters:
    ///   - verb: The budget of `AccountBudgets.table` that it counts against.
    ///   - actor: Whose budget it is.
    /// - Throws: As `set(_:of:)` without `user.not_found`.
    package func picture(_ bytes: [UInt8], _ verb: String, by actor: UserID) async throws(Refusal) -> StoredPicture {
        try take(verb, actor)
        return try await make(bytes)
    }

    /// Removes a room's picture. Not an error if there is none.
    ///
    /// - Parameter actor: Who must own the room still. `nil`: the server itself.
    /// - Throws: `room.forbidden`, `room.closed`, `server.busy`, `server.storage_failed`.
    package func remove(ofRoom room: RoomID, by actor: UserID? = nil) async throws(Refusal) {
        try await photos.write { db in
            try RoomRights.require(.manage, of: actor, in: room, &db)
            _ = try db.delete(RoomPictureRecord.self, key: room)
        }
    }

    /// Keeps the cover of a track that is played in a room, and lets go of the room's oldest ones beyond
    /// `Limits.coversPerRoomMax`. A picture that was sent before is not decoded again: it becomes the newest.
    ///
    /// - Parameter actor: The user whose budget it counts against.
    /// - Returns: The identifier of the cover.
    /// - Throws: As `set(_:of:)`; `user.not_found` if the room does not exist or is closed.
    package func add(
        cover bytes: [UInt8], to room: RoomID, by actor: UserID
    ) async throws(Refusal) -> PhotoID {
        try take("room.add_cover", actor)
        guard bytes.count <= Self.bytesMax else { throw .refused(.photoTooLarge) }
        let digest = Digest.sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let now = clock.nowMilliseconds()
        let known = try await photos.write { db in
            try Self.requireOpen(room, in: &db)
            return try db.value(
                """
                UPDATE \(RoomCoverRecord.table) SET created_ms = \(now)
                WHERE room_id = \(room) AND digest = \(digest) RETURNING id
                """, as: String.self)
        }
        if let known, let id = PhotoID(known) { return id }
        let picture = try await make(bytes)
        let stored = try await photos.write { db in
            try Self.requireOpen(room, in: &db)
            // Somebody may have sent the same meanwhile.
            let id = try db.value(
                "SELECT id FROM \(RoomCoverRecord.table) WHERE room_id = \(room) AND digest = \(digest)",
                as: String.self)
            if let id { return id }
            try db.insert(RoomCoverRecord(picture: picture, room: room, digest: digest))
            try db.execute(
                """
                DELETE FROM \(RoomCoverRecord.table) WHERE room_id = \(room) AND id IN (
                    SELECT id FROM \(RoomCoverRecord.table) WHERE room_id = \(room)
                    ORDER BY created_ms DESC, id DESC LIMIT -1 OFFSET \(Limits.coversPerRoomMax))
                """)
            return picture.id
        }
        guard let id = PhotoID(stored) else { preconditionFailure("A stored cover has an identifier that is none.") }
        return id
    }

    private static func requireOpen(_ room: RoomID, in db: inout WriteAccess) throws {
        guard let open = try db.first(RoomRecord.self, key: room), open.closedMilliseconds == nil else {
            throw Refusal.refused(.userNotFound)
        }
    }

    /// Takes one from the budget, before anything is decoded.
    private func take(_ verb: String, _ uid: UserID) throws(Refusal) {
        try budgets.take(verb, uid, now: clock.nowMilliseconds())
    }

    /// Decodes an upload and makes its three sizes.
    private func make(_ bytes: [UInt8]) async throws(Refusal) -> StoredPicture {
        guard bytes.count <= Self.bytesMax else { throw .refused(.photoTooLarge) }
        guard let pictures else { throw .busy(.photoBusy, retryAfterMilliseconds: 60_000) }
        let decoded: Result<SonaImages.Photo, PictureWorkers.Failure>
        do throws(WorkerThreads.Busy) {
            decoded = try await workers.run {
                do throws(PictureWorkers.Failure) {
                    return .success(try pictures.photo(bytes))
                } catch {
                    return .failure(error)
                }
            }
        } catch {
            throw .busy(.photoBusy, retryAfterMilliseconds: error.retryAfterMilliseconds)
        }
        switch decoded {
        case .failure(.picture(let error)): throw Refusal(error)
        case .failure(.unavailable): throw .busy(.photoBusy, retryAfterMilliseconds: 5_000)
        case .success(let photo):
            return StoredPicture(
                id: SecureRandom.alphanumeric(22), color: photo.color.number, foreground: photo.foreground.number,
                width: photo.full.width, height: photo.full.height, createdMilliseconds: clock.nowMilliseconds(),
                px32: photo.squares[0].bytes, px64: photo.squares[1].bytes, full: photo.full.bytes)
        }
    }

    /// Removes a profile's photo. Not an error if there is none.
    ///
    /// - Throws: `user.not_found`, `server.busy`, `server.storage_failed`.
    package func remove(of uid: UserID) async throws(Refusal) -> Profile {
        try await photos.write { db in
            _ = try db.delete(PhotoRecord.self, key: uid)
            guard let profile = try People.profile(of: uid, in: &db) else { throw Refusal.refused(.userNotFound) }
            return profile
        }
    }

    /// Returns a photo or picture as WebP. Anybody who has its identifier may see it.
    ///
    /// - Returns: `nil` if there is none with this identifier.
    /// - Throws: `server.busy`, `server.storage_failed`.
    package func bytes(_ id: PhotoID, _ size: PhotoSize) async throws(Refusal) -> [UInt8]? {
        try await photos.bytes(id, size)
    }
}

extension Refusal {
    fileprivate init(_ error: ImageError) {
        switch error.code {
        case .tooManyBytes: self.init(.photoTooLarge)
        case .unsupportedType, .unsupportedFeature: self.init(.photoTypeUnsupported)
        case .tooManyPixels: self.init(.photoTooManyPixels)
        case .damaged: self.init(.photoDamaged)
        case .outOfMemory, .encoder: self.init(.photoBusy, retryAfterMilliseconds: 5_000)
        }
    }
}

extension RGB {
    /// 0xRRGGBB.
    fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}
