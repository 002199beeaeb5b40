package import SonaWire

/// How an upload stands.
package struct UploadState: Sendable, Equatable {
    package let id: MusicID
    /// Bytes of the whole file, and those of it that are on disk.
    package let length: Int64
    package let offset: Int64
    package let metadata: String?
    /// When it is forgotten if nothing more comes, milliseconds since 1970.
    package let expiresMilliseconds: Int64

    init(_ upload: UploadRecord) {
        id = upload.id
        length = upload.length
        offset = upload.received
        metadata = upload.metadata
        expiresMilliseconds = upload.touchedMilliseconds + Int64(Limits.uploadIdleSeconds) * 1_000
    }

    /// Whether all bytes are there.
    package var isWhole: Bool { offset == length }
}

/// The limits of uploads, as the operator sets them.
package struct UploadLimits: Sendable, Equatable {
    /// Bytes of one file.
    package var fileBytes: Int64 = 1 << 30
    /// Bytes of one account's tracks, with its uploads under way.
    package var accountBytes: Int64 = 10 << 30
    /// Bytes of all contents, with all uploads under way.
    package var spaceBytes: Int64 = 100 << 30

    package init() {}

    /// Bytes on the disk that uploads leave free, so that the database and the rest of the machine go on.
    static let reserveBytes: Int64 = 512 << 20
}

/// Counts of uploads since the server started, for metrics.
package struct UploadFigures: Sendable {
    /// Bytes that came.
    package var bytes: UInt64 = 0
    /// Uploads that became tracks; those of a content that the account had are counted, too.
    package var finished: UInt64 = 0
    /// Uploads that were no sound.
    package var unsupported: UInt64 = 0
    /// Uploads whose bytes are coming now.
    package var active = 0
    /// Bytes of all contents and of all uploads under way, as of the last change.
    package var usedBytes: Int64 = 0
}
