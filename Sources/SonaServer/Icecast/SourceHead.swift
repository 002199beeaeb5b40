internal import SonaCrypto

/// The head of a request to the Icecast port, as lenient as its clients need it: lines that end with CRLF or LF, any
/// method, HTTP of any version.
///
/// Source: RFC 9112; the requests of ffmpeg, libshout, liquidsoap and darkice.
struct SourceHead: Sendable, Equatable {
    var method: String
    /// Path, percent-decoded as it is.
    var path: String
    var query: String
    /// Names in lower case. The last of several of one name.
    var headers: [String: String]

    static let bytesMax = 8_192

    /// - Returns: `nil` if the head is not whole; else the head, itself `nil` if it is none, and its bytes.
    static func read(_ bytes: [UInt8]) -> (head: SourceHead?, count: Int)? {
        var end: Int?
        var index = 0
        while let line = bytes[index...].firstIndex(of: 0x0A) {
            let next = line + 1
            if next < bytes.count, bytes[next] == 0x0A { end = next + 1 }
            if next + 1 < bytes.count, bytes[next] == 0x0D, bytes[next + 1] == 0x0A { end = next + 2 }
            if end != nil { break }
            index = next
        }
        guard let end else { return nil }
        return (SourceHead(String(decoding: bytes[..<end], as: UTF8.self)), end)
    }

    init?(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: true) { $0.isNewline }
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2 else { return nil }
        method = String(words[0])
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : ""
        headers = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers[line[..<colon].lowercased()] = String(value)
        }
    }

    /// The password of Basic authentication (RFC 7617); `nil` if there is none.
    var password: String? {
        guard let header = headers["authorization"], header.lowercased().hasPrefix("basic ") else { return nil }
        let text = header.dropFirst(6).filter { $0 != "=" }
            .replacing("+", with: "-").replacing("/", with: "_")
        guard let bytes = Base64.decode(String(text)) else { return nil }
        let credentials = String(decoding: bytes, as: UTF8.self)
        return credentials.firstIndex(of: ":").map { String(credentials[credentials.index(after: $0)...]) }
    }

    /// The first value of a name in the query, as a form has it: percent-decoded, `+` for a space.
    func value(_ name: String) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.first.map(String.init) == name { return Self.decoded(parts.count > 1 ? parts[1] : "") }
        }
        return nil
    }

    /// Percent-decoded; what is not UTF-8 is Latin-1.
    static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = UInt8(String(decoding: Array(rest.prefix(2)), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    }
}

/// The body of a request whose framing may be any.
struct SourceBody: Sendable {
    private enum Framing {
        case untilEnd
        case length(Int)
        case chunked
    }

    private var framing: Framing
    private var buffer: [UInt8] = []
    /// Bytes of the chunk at hand that are still to come; `nil` before its length.
    private var chunk: Int?
    /// The body is over, by its framing.
    private(set) var isOver = false

    init(_ head: SourceHead) {
        if head.headers["transfer-encoding"]?.lowercased().contains("chunked") == true {
            framing = .chunked
        } else if let length = head.headers["content-length"].flatMap({ Int($0) }), length > 0 {
            framing = .length(length)
        } else {
            framing = .untilEnd
        }
    }

    /// - Returns: The bytes of the body among these.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        switch framing {
        case .untilEnd: return bytes
        case .length(let left):
            let part = Array(bytes.prefix(left))
            framing = .length(left - part.count)
            isOver = left == part.count
            return part
        case .chunked: return unchunked(bytes)
        }
    }

    private mutating func unchunked(_ bytes: [UInt8]) -> [UInt8] {
        buffer += bytes
        var body: [UInt8] = []
        while !isOver {
            if let left = chunk {
                let part = min(left, buffer.count)
                body += buffer.prefix(part)
                buffer.removeFirst(part)
                guard part == left else {
                    chunk = left - part
                    break
                }
                // The line break after the chunk is taken with the next length.
                chunk = nil
            }
            let skipped = buffer.prefix { $0 == 0x0D || $0 == 0x0A }.count
            guard let end = buffer.dropFirst(skipped).firstIndex(of: 0x0A) else {
                // A length is no longer than this.
                if buffer.count > 1_024 { isOver = true }
                break
            }
            let line = String(decoding: buffer[skipped..<end], as: UTF8.self)
            buffer.removeFirst(end + 1)
            guard let length = Int(line.prefix { $0.isHexDigit }, radix: 16), length > 0 else {
                isOver = true
                break
            }
            chunk = length
        }
        return body
    }
}
