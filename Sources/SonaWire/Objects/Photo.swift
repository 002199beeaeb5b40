/// A colour as it stands in a message: `#` and six lower-case hexadecimal digits, red first.
public struct HexColor: Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String

    /// - Returns: `nil` for any other form; letters must be small.
    public init?(_ text: String) {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            text.utf8.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 })
        else { return nil }
        rawValue = text
    }

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        rawValue = "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    public var description: String { rawValue }
}

/// What size of a photo is fetched: the last part of its path.
///
/// Source: Protocol/spec/people.md, "Photos".
public enum PhotoSize: String, CaseIterable, Sendable {
    /// A square of 32 × 32 pixels.
    case small = "32"
    /// A square of 64 × 64 pixels.
    case medium = "64"
    /// The whole picture, `Photo.width` × `Photo.height` pixels.
    case full
}

/// A user's photo: where to fetch it, and what to show until it is there.
///
/// Source: Protocol/spec/people.md, "Photos".
public struct Photo: WireObject, Hashable {
    public var id: PhotoID
    /// The colour that dominates it.
    public var color: HexColor
    /// A colour that can be read on `color`.
    public var foreground: HexColor
    /// Pixels of the full size, 1 to 65 535, like the height.
    public var width: Int
    public var height: Int

    public init(id: PhotoID, color: HexColor, foreground: HexColor, width: Int, height: Int) {
        self.id = id
        self.color = color
        self.foreground = foreground
        self.width = width
        self.height = height
    }

    public init(_ json: JSON) throws(WireError) {
        let fields = try Fields(json)
        id = try fields.parsed("id", "a photo identifier", PhotoID.init)
        color = try fields.parsed("color", "a colour like #20a0ff", HexColor.init)
        foreground = try fields.parsed("foreground", "a colour like #20a0ff", HexColor.init)
        width = Int(try fields.integer("width", in: Limits.photoSide))
        height = Int(try fields.integer("height", in: Limits.photoSide))
    }

    public func encode(into writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id.rawValue)
            writer.member("color", color.rawValue)
            writer.member("foreground", foreground.rawValue)
            writer.member("width", width)
            writer.member("height", height)
        }
    }

    /// The path of one size, to be fetched with GET: `/v1/photos/<id>/<size>`.
    public func path(_ size: PhotoSize) -> String { "\(Limits.photosPathPrefix)\(id)/\(size.rawValue)" }
}
