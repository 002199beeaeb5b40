extension Limits {
    /// The feature that announces renditions, previews and peaks.
    public static let mediaFeature = "media"
    /// Peaks of a track.
    public static let trackPeaks = 1_000
    /// Seconds of a preview.
    public static let previewSeconds = 30
}

/// The forms in which a track's stream can be asked for.
///
/// Source: Protocol/spec/media.md, "Renditions".
public enum StreamFormat: String, CaseIterable, Sendable {
    /// The bytes of the track's file.
    case original
    /// Ogg Opus: the file itself if it is that, else what the server makes of it.
    case opus
}

/// The outline of a track: the answer to `GET /v1/tracks/ID/peaks`.
///
/// Source: Protocol/spec/media.md, "Peaks".
public struct TrackPeaks: DeclaredObject, Equatable {
    /// How they were made; another version may have other values for the same sound.
    public var version: Int
    /// The loudest sample of each of 1000 equal parts of the track, in any channel: 0 to 255, which is full scale.
    public var peaks: [Int64]

    public init(version: Int, peaks: [Int64]) {
        self.version = version
        self.peaks = peaks
    }

    public static let declaration = Declaration(
        Member("version", \Self.version, .count), Member("peaks", \Self.peaks, .integers(0...255)), make: Self.init)
}
