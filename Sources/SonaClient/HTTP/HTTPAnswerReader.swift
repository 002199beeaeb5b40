/// Puts an HTTP answer together as its bytes come: a status and a body whose length is said, or which ends with the
/// connection.
///
/// Answers before the last (1xx) are skipped. A body in chunks is refused: a Sona server sends none.
///
/// Source: RFC 9112 §2.1, §6.3.
struct HTTPAnswerReader {
    private let bytesMax: Int
    /// An answer to `HEAD` has no body, whatever length it tells.
    private let isToHead: Bool
    private var bytes: [UInt8] = []
    private var head: (status: Int, length: Int?, bodyStart: Int, headers: [String: String])?

    init(bytesMax: Int, isToHead: Bool = false) {
        self.bytesMax = bytesMax
        self.isToHead = isToHead
    }

    /// Whether a last answer has begun.
    var hasBegun: Bool { head != nil }

    /// - Returns: The answer, once it is whole.
    /// - Throws: `.protocolViolation`.
    mutating func take(_ more: ArraySlice<UInt8>) throws(ClientError) -> HTTPCall.Answer? {
        bytes += more
        guard bytes.count <= bytesMax else { throw Self.unusable("its answer is too long") }
        while head == nil {
            guard let (start, next) = headEnd() else { return nil }
            let found = try Self.parse(Array(bytes[..<start]))
            if 100...199 ~= found.status {
                bytes.removeFirst(next)
            } else {
                let hasBody = !isToHead && found.status != 204 && found.status != 304
                head = (found.status, hasBody ? found.length : 0, next, found.headers)
            }
        }
        guard let head, let length = head.length, bytes.count - head.bodyStart >= length else { return nil }
        return HTTPCall.Answer(
            status: head.status, body: Array(bytes[head.bodyStart..<head.bodyStart + length]),
            headers: head.headers)
    }

    /// The connection has ended.
    ///
    /// - Throws: `.closed` if the answer is not whole.
    mutating func end() throws(ClientError) -> HTTPCall.Answer {
        guard let head, head.length == nil else { throw .closed(nil, "") }
        return HTTPCall.Answer(
            status: head.status, body: Array(bytes[head.bodyStart...]), headers: head.headers)
    }

    /// Where the empty line that ends a head begins, and what follows it.
    private func headEnd() -> (start: Int, next: Int)? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        for index in 0...(bytes.count - mark.count) where bytes[index..<index + mark.count].elementsEqual(mark) {
            return (index, index + mark.count)
        }
        return nil
    }

    private static func parse(
        _ head: [UInt8]
    ) throws(ClientError) -> (status: Int, length: Int?, headers: [String: String]) {
        // Lines by bytes: to Swift, CR LF is a single character.
        let lines = head.split(separator: UInt8(ascii: "\n")).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), 100...599 ~= status else {
            throw unusable("its answer is no HTTP")
        }
        var length: Int?
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw unusable("its answer is no HTTP") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let name = line[..<colon].lowercased()
            headers[name] = String(value)
            switch name {
            case "content-length":
                guard let number = Int(value), number >= 0 else { throw unusable("its answer has no proper length") }
                length = number
            case "transfer-encoding": throw unusable("its answer comes in chunks")
            default: break
            }
        }
        return (status, length, headers)
    }

    private static func unusable(_ what: String) -> ClientError {
        ClientError(.protocolViolation, "The server does not speak HTTP as this program does: \(what).")
    }
}
