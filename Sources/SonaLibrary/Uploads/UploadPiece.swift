internal import Glibc
package import SonaCrypto
package import SonaModel
package import SonaWire

/// The hash that a client has computed of the bytes of one request.
package struct UploadChecksum: Sendable, Equatable {
    package let algorithm: HashStream.Algorithm
    package let digest: [UInt8]

    package init(_ algorithm: HashStream.Algorithm, _ digest: [UInt8]) {
        self.algorithm = algorithm
        self.digest = digest
    }
}

/// An upload that is to begin.
package struct NewUpload: Sendable {
    package let owner: UserID
    /// Bytes of the whole file.
    package let length: Int64
    /// As the client told it.
    package let name: String?
    package let metadata: String?
    package let isResumable: Bool

    package init(owner: UserID, length: Int64, name: String?, metadata: String? = nil, isResumable: Bool) {
        self.owner = owner
        self.length = length
        self.name = name
        self.metadata = metadata
        self.isResumable = isResumable
    }
}

/// The upload that a piece belongs to.
package enum UploadTarget: Sendable {
    /// Of an upload that it begins.
    case new(NewUpload)
    /// Of one that has begun, from an offset on.
    case existing(MusicID, by: UserID, offset: Int64)
}

/// The bytes of one request on their way to the disk.
///
/// `write` and `finish` block, and are called one after the other, on any threads. Every 16 MiB, and at the end, the bytes are
/// fsynced and then the offset is stored: so the offset that a client is told is never more than what is on disk. Bytes
/// with a checksum count only when all of them are there and it is right.
package final class UploadPiece: @unchecked Sendable {
    // Safe because the calls do not overlap: whoever makes them sees to it.

    /// Bytes between two offsets that are stored.
    static let stepBytes: Int64 = 16 << 20

    private let uploads: Uploads
    private let target: UploadTarget
    private let bytes: Int64
    private let checksum: UploadChecksum?

    private var open: Open?
    private var outcome: Result<UploadState, Refusal>?

    private struct Open {
        let file: Int32
        var upload: UploadRecord
        /// Where the next byte goes.
        var place: Int64
        /// Whether the file had no byte on disk.
        var isNew: Bool
        let hash: HashStream?
    }

    /// - Parameter bytes: Bytes of the request's body.
    init(_ uploads: Uploads, _ target: UploadTarget, bytes: Int64, checksum: UploadChecksum?) {
        self.uploads = uploads
        self.target = target
        self.bytes = bytes
        self.checksum = checksum
    }

    deinit { if let open { close(open) } }

    /// Stores the next bytes.
    ///
    /// - Throws: A `Refusal`. No further bytes are taken then.
    package func write(_ bytes: [UInt8]) throws {
        guard outcome == nil else { throw Refusal(.serverInternal) }
        do {
            if open == nil { open = try begin() }
            try store(bytes)
        } catch { throw fail(error) }
    }

    /// The end of the bytes. After an error of `write` it does nothing.
    ///
    /// - Parameter isWhole: Whether all of them came.
    package func finish(isWhole: Bool) {
        guard outcome == nil else { return }
        do {
            if open == nil {
                // A body of which nothing came begins nothing.
                guard isWhole else { throw Refusal(.serverBusy) }
                open = try begin()
            }
            outcome = .success(try end(isWhole: isWhole))
        } catch { _ = fail(error) }
    }

    /// How the upload stands after the last call.
    package func result() throws(Refusal) -> UploadState {
        guard let outcome else { throw Refusal(.serverInternal) }
        return try outcome.get()
    }

    // MARK: Steps

    private func begin() throws -> Open {
        var upload: UploadRecord
        switch target {
        case .new(let new):
            upload = try uploads.begin(new)
        case .existing(let id, let owner, let offset):
            guard uploads.lock(id) else { throw Refusal(.uploadLocked, retryAfterMilliseconds: 1_000) }
            do { upload = try uploads.record(id, of: owner) } catch {
                uploads.unlock(id)
                throw error
            }
            do { try check(&upload, offset) } catch {
                uploads.unlock(id)
                throw error
            }
        }
        // Of an upload that is whole the file may have gone to its place.
        let isComplete = upload.received == upload.length
        do {
            let file = isComplete ? -1 : try uploads.folder.openIncoming(upload.id)
            var status = stat()
            // What is beyond the offset was never acknowledged.
            guard
                isComplete
                    || fstat(file, &status) == 0
                        && (status.st_size == off_t(upload.received) || ftruncate(file, off_t(upload.received)) == 0)
            else {
                let failure = MediaFolder.Failure("ftruncate")
                Glibc.close(file)
                throw failure
            }
            return Open(
                file: file, upload: upload, place: upload.received, isNew: upload.received == 0,
                hash: checksum.map { HashStream($0.algorithm) })
        } catch {
            uploads.unlock(upload.id)
            if case .new = target { uploads.forget(upload.id) }
            throw error
        }
    }

    /// Holds the offset against what is there.
    private func check(_ upload: inout UploadRecord, _ offset: Int64) throws {
        if upload.track == nil, upload.content == nil {
            let size = uploads.folder.incomingSize(upload.id)
            // The disk has lost bytes that it had taken. All that can be done is to ask for them again.
            if size < upload.received {
                upload.received = size
                try uploads.store(upload)
            }
        }
        guard upload.received == offset else {
            throw Refusal(.uploadOffsetConflict, "The server has \(upload.received) bytes of this upload.")
        }
        guard bytes <= upload.length - offset else {
            throw Refusal(.uploadTooLarge, "The upload was announced with \(upload.length) bytes.")
        }
    }

    private func store(_ bytes: [UInt8]) throws {
        guard var open, !bytes.isEmpty else { return }
        try bytes.withUnsafeBytes { buffer in
            open.hash?.update(buffer)
            var rest = UnsafeRawBufferPointer(buffer)
            while !rest.isEmpty {
                let count = pwrite(open.file, rest.baseAddress, rest.count, off_t(open.place))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw MediaFolder.Failure("write") }
                open.place += Int64(count)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
        self.open = open
        uploads.count(bytes: bytes.count)
        if checksum == nil, open.place - open.upload.received >= Self.stepBytes { try acknowledge() }
    }

    /// Puts the bytes on disk, and then the offset.
    private func acknowledge() throws {
        guard var open, open.place > open.upload.received else { return }
        try uploads.folder.sync(open.file, isNew: open.isNew)
        open.isNew = false
        open.upload.received = open.place
        open.upload.touchedMilliseconds = uploads.now
        self.open = open
        try uploads.store(open.upload)
    }

    private func end(isWhole: Bool) throws -> UploadState {
        guard let open else { throw Refusal(.serverInternal) }
        if let checksum {
            let isRight = isWhole && open.hash?.finish() == checksum.digest
            if !isRight {
                self.open?.place = open.upload.received
                _ = ftruncate(open.file, off_t(open.upload.received))
                throw Refusal(.uploadChecksumMismatch)
            }
        }
        if case .new = target, !isWhole { throw Refusal(.serverBusy) }
        try acknowledge()
        guard let upload = self.open?.upload else { throw Refusal(.serverInternal) }
        if let open = self.open { close(open) }
        self.open = nil
        return UploadState(upload)
    }

    private func fail(_ error: any Error) -> Refusal {
        let refusal = uploads.refusal(error)
        outcome = .failure(refusal)
        if let open {
            // What came before the error counts, if it can be stored.
            if checksum == nil, refusal.code != .uploadNotFound { try? acknowledge() }
            if let open = self.open { close(open) } else { close(open) }
            self.open = nil
            // Nobody knows yet that there is such an upload.
            if case .new = target { uploads.forget(open.upload.id) }
        }
        return refusal
    }

    private func close(_ open: Open) {
        if open.file >= 0 { Glibc.close(open.file) }
        uploads.unlock(open.upload.id)
    }
}
