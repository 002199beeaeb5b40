/// The source of a track: an address of the web, or an identifier that a library understands.
///
/// A text that begins with a scheme other than `http` or `https` is neither. A client that opens an address without
/// thinking must not be led to `file:` or `javascript:`.
package enum TrackSource: Sendable, Hashable {
    /// `http` or `https`, a host, no user or password, visible ASCII; all other characters are percent-encoded. RFC
    /// 3986.
    case address(String)
    /// ASCII letters, digits, `.`, `_`, `~` and `-`. The first is a letter or digit, because the identifier may become
    /// a file name.
    case library(String)

    package static let bytes = 1...512

    /// - Returns: `nil` unless the text is a valid address or identifier of 1 to 512 bytes.
    package init?(_ text: String) {
        guard Self.bytes.contains(text.utf8.count) else { return nil }
        if text.utf8.allSatisfy(Self.isUnreserved), text.utf8.first.map(Self.isLetterOrDigit) ?? false {
            self = .library(text)
        } else if Self.isAddress(text) {
            self = .address(text)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .address(let text), .library(let text): text
        }
    }

    /// The key that two sources of the same track share. Scheme and host are the same in any case of letters, and a
    /// fragment names a place within the addressed resource.
    var key: String {
        switch self {
        case .library(let text): return "l:\(text)"
        case .address(let text):
            let end = Self.authority(of: text).endIndex
            let rest = text[end...].prefix { $0 != "#" }
            return "a:" + text[..<end].lowercased() + (rest.isEmpty ? "/" : rest)
        }
    }

    /// The authority: the text between the two slashes and the next delimiter.
    private static func authority(of text: String) -> Substring {
        text.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
    }

    private static func isAddress(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard lower.hasPrefix("http://") || lower.hasPrefix("https://"),
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 && !#""<>\^`{|}"#.utf8.contains($0) })
        else { return false }
        return isAuthority(Array(authority(of: text).utf8))
    }

    /// Whether this is a name, an IPv4 address or an IPv6 address in brackets, with an optional port.
    private static func isAuthority(_ bytes: [UInt8]) -> Bool {
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end = isBracketed ? bytes.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : bytes.firstIndex(of: 0x3A)
        let host = bytes[..<(end ?? bytes.count)]
        let rest = bytes[host.endIndex...]
        if isBracketed {
            guard end != nil, host.count > 4 else { return false }
            guard host.dropFirst().dropLast().allSatisfy({ isHexadecimal($0) || 0x2E == $0 || 0x3A == $0 }) else {
                return false
            }
        } else {
            guard let first = host.first, first != 0x2E, host.allSatisfy(isUnreserved) else { return false }
        }
        guard let colon = rest.first else { return true }
        let port = String(decoding: rest.dropFirst(), as: UTF8.self)
        return colon == 0x3A && port.utf8.allSatisfy { 0x30...0x39 ~= $0 } && UInt16(port) != nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case _ where isLetterOrDigit(byte): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
