extension Limits {
    /// The part of the path before the key of a cover.
    public static let coversPathPrefix = "/v1/covers/"
    /// Bytes of the path of a cover, without its size.
    static let coverPathBytes = (coversPathPrefix.utf8.count + 1)...128
}

/// The sizes of a cover of music.
///
/// Source: Protocol/spec/tracks.md, "Covers".
public enum CoverSize: String, CaseIterable, Sendable {
    /// 64 × 64 pixels: a row of a list.
    case small = "64"
    /// 256 × 256 pixels: a tile of a grid.
    case medium = "256"
    /// The whole picture, at most 2048 pixels to a side.
    case full
}

/// The cover of a track, an album, an artist or a genre.
///
/// Source: Protocol/spec/tracks.md, "Covers".
public struct MusicCover: DeclaredObject, Hashable {
    /// Where it is, on this server, without the size: whoever has the path may fetch it.
    public var path: String
    /// The colour that most of it has; `nil` until that is known.
    public var color: HexColor?

    public init(path: String, color: HexColor? = nil) {
        self.path = path
        self.color = color
    }

    public static let declaration = Declaration(
        Member("path", \Self.path, .coverPath), Member(nullable: "color", \Self.color, .hexColor), make: Self.init)
}

extension Form where Value == String {
    fileprivate static var coverPath: Form {
        .parsed(
            Schema.ascii(
                Limits.coverPathBytes, pattern: "^\(Limits.coversPathPrefix)[0-9A-Za-z_-]", without: "[^/0-9A-Za-z_-]"
            ).described("The path of a cover on this server, without its size.").named("cover_path"),
            "the path of a cover", { isCoverPath($0) ? $0 : nil }
        ) { $0 }
    }

    private static func isCoverPath(_ text: String) -> Bool {
        guard Limits.coverPathBytes.contains(text.utf8.count), text.hasPrefix(Limits.coversPathPrefix) else {
            return false
        }
        let key = text.utf8.dropFirst(Limits.coversPathPrefix.utf8.count)
        return key.first != UInt8(ascii: "/")
            && key.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
