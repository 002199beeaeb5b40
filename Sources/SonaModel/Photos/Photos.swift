internal import SonaCrypto
internal import SonaDatabase
internal import SonaImages
internal import SonaMedia
package import SonaWire

/// Photos of profiles: taken as people have them, kept as pixels and nothing else.
package struct Photos: Sendable {
    /// Bytes of a photo as it is uploaded.
    package static let bytesMax = Limits.photoUploadBytesMax

    private let photos: PhotoDAO
    private let workers: WorkerThreads
    private let pictures: PictureWorkers?
    private let clock: WallClock
    private let budgets: AccountBudgets

    /// - Parameter pictures: `nil`: no photo is taken.
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

    /// Makes the three sizes of a photo and puts it in place of the one before.
    ///
    /// Decoding waits for a thread of low priority, and happens in a process of its own: what breaks it breaks this
    /// photo alone, which is then `damaged`.
    ///
    /// - Parameter bytes: PNG, JPEG or WebP, told by the bytes themselves.
    /// - Returns: The profile it belongs to now.
    /// - Throws: All of `PhotoError`.
    package func set(_ bytes: [UInt8], of uid: UserID) async throws(PhotoError) -> Profile {
        try take("photo.set", uid)
        let picture = try await make(bytes)
        return try await photos.write(or: PhotoError.storage) { db in
            try db.upsert(PhotoRecord(uid: uid, picture: picture))
            guard let profile = try People.profile(of: uid, in: &db) else { throw PhotoError.userUnknown }
            return profile
        }
    }

    /// The same for a room.
    ///
    /// - Parameter actor: Who sends it, for the budget; `nil` for the server itself.
    /// - Throws: As `set(_:of:)`; `userUnknown` if there is no such room, or it is closed.
    package func set(
        _ bytes: [UInt8], ofRoom room: RoomID, by actor: UserID? = nil
    ) async throws(PhotoError) -> SonaWire.Photo {
        if let actor { try take("room.set_picture", actor) }
        let picture = try await make(bytes)
        try await photos.write(or: PhotoError.storage) { db in
            guard let open = try db.first(RoomRecord.self, key: room), open.closedMilliseconds == nil else {
                throw PhotoError.userUnknown
            }
            try db.upsert(RoomPictureRecord(room: room, picture: picture))
        }
        return SonaWire.Photo(picture)
    }

    /// That there was none is no error.
    ///
    /// - Throws: `busy`, `storage`.
    package func remove(ofRoom room: RoomID) async throws(PhotoError) {
        try await photos.write(or: PhotoError.storage) { db in
            _ = try db.delete(RoomPictureRecord.self, key: room)
        }
    }

    /// Before anything is decoded.
    private func take(_ verb: String, _ uid: UserID) throws(PhotoError) {
        do throws(AccountError) { try budgets.take(verb, uid, now: clock.nowMilliseconds()) } catch {
            guard case .tooMany(let wait) = error else { return }
            throw .tooMany(retryAfterMilliseconds: wait)
        }
    }

    /// The three sizes of a picture.
    private func make(_ bytes: [UInt8]) async throws(PhotoError) -> StoredPicture {
        guard bytes.count <= Self.bytesMax else { throw .tooLarge }
        guard let pictures else { throw .busy(retryAfterMilliseconds: 60_000) }
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
            throw .busy(retryAfterMilliseconds: error.retryAfterMilliseconds)
        }
        switch decoded {
        case .failure(.picture(let error)): throw PhotoError(error)
        case .failure(.unavailable): throw .busy(retryAfterMilliseconds: 5_000)
        case .success(let photo):
            return StoredPicture(
                id: SecureRandom.alphanumeric(22), color: photo.color.number, foreground: photo.foreground.number,
                width: photo.full.width, height: photo.full.height, createdMilliseconds: clock.nowMilliseconds(),
                px32: photo.squares[0].bytes, px64: photo.squares[1].bytes, full: photo.full.bytes)
        }
    }

    /// Takes a photo away. That there was none is no error.
    ///
    /// - Throws: `userUnknown`, `busy`, `storage`.
    package func remove(of uid: UserID) async throws(PhotoError) -> Profile {
        try await photos.write(or: PhotoError.storage) { db in
            _ = try db.delete(PhotoRecord.self, key: uid)
            guard let profile = try People.profile(of: uid, in: &db) else { throw PhotoError.userUnknown }
            return profile
        }
    }

    /// A photo as WebP, for whoever has its name.
    ///
    /// - Returns: `nil` if there is none (any more).
    /// - Throws: `busy`, `storage`.
    package func bytes(_ id: PhotoID, _ size: PhotoSize) async throws(PhotoError) -> [UInt8]? {
        try await photos.bytes(id, size)
    }
}

extension PhotoError {
    init(_ error: ImageError) {
        switch error.code {
        case .tooManyBytes: self = .tooLarge
        case .unsupportedType, .unsupportedFeature: self = .typeUnsupported
        case .tooManyPixels: self = .tooManyPixels
        case .damaged: self = .damaged
        case .outOfMemory, .encoder: self = .busy(retryAfterMilliseconds: 5_000)
        }
    }
}

extension RGB {
    /// 0xRRGGBB.
    fileprivate var number: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }
}
