/// An object of the protocol that is kept inside other data: as its JSON, in a string.
///
/// The form is the protocol's, so that another version of the program reads it as well as any client would.
public protocol KeptObject: WireObject, Codable {}

extension KeptObject {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try Self(JSON.parse(Array(text.utf8)))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: encoded(), as: UTF8.self))
    }
}

extension User: KeptObject {}
extension Track: KeptObject {}
extension TimedTrack: KeptObject {}
extension StreamInfo: KeptObject {}
extension Playback: KeptObject {}
extension PlayerDevice: KeptObject {}

/// An identifier that is kept inside other data: as its text.
public protocol KeptIdentifier: Codable {
    init?(_ text: String)
    var rawValue: String { get }
}

extension KeptIdentifier {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an identifier")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension UserID: KeptIdentifier {}
extension RoomID: KeptIdentifier {}
extension MusicID: KeptIdentifier {}
extension Username: KeptIdentifier {}
extension Pacing: Codable {}
