/// The formats Sona reads, told apart by their first bytes and by nothing else.
public enum ImageKind: Sendable, Equatable, CaseIterable, CustomStringConvertible {
    /// Portable Network Graphics.
    case png
    /// JPEG in a JFIF or Exif file.
    case jpeg
    /// WebP, lossy or lossless.
    case webP

    /// The kind the bytes begin as; nil if they are something else or too few to say.
    ///
    /// Source: PNG (third edition) §5.2; ITU-T T.81 B.1.1.3 (SOI and the first byte of the next marker); RFC 9649 §2.4.
    public init?(sniffing bytes: some Collection<UInt8>) {
        if bytes.starts(with: Self.pngSignature) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webP
        } else {
            return nil
        }
    }

    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The media type for a `Content-Type` header, such as `image/png`.
    public var contentType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .webP: "image/webp"
        }
    }

    /// The name of the format as people write it: `PNG`, `JPEG` or `WebP`.
    public var description: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webP: "WebP"
        }
    }
}
