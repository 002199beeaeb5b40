/// Names one recording of a broadcast for ever: a ULID, like the identifiers of music. A later one has a greater one.
///
/// Source: Protocol/spec/replays.md, "Recording".
public struct RecordingID: Hashable, Sendable, CustomStringConvertible {
    /// The identifier as it stands in messages.
    public let rawValue: String

    /// - Returns: `nil` unless `text` is a ULID in capitals.
    public init?(_ text: String) {
        guard let id = MusicID(text) else { return nil }
        rawValue = id.rawValue
    }

    /// Makes a new identifier with the system's generator.
    ///
    /// - Parameter milliseconds: When the recording begins, since 1970.
    public static func random(milliseconds: Int64) -> Self { Self(MusicID.random(milliseconds: milliseconds)) }

    private init(_ id: MusicID) { rawValue = id.rawValue }

    /// The identifier as it stands in messages.
    public var description: String { rawValue }
}
