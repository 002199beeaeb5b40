extension HTTPResponse {
    /// The answer to GET or HEAD with a file: all of it, the part that `Range` asks for, or word that the client has it.
    ///
    /// Several ranges in one request are answered with all of the file, as RFC 9110 §14.2 allows.
    ///
    /// - Parameters:
    ///   - tag: A strong entity tag in its quotes: files with one tag are equal byte for byte.
    ///   - headers: Sent with every status.
    ///
    /// Source: RFC 9110 §13 (If-None-Match, If-Range), §14 (ranges), §15.5.17 (416).
    public static func file(
        _ file: BodyFile, to request: HTTPRequest, contentType: String, tag: String,
        headers: [(name: String, value: String)] = []
    ) -> HTTPResponse {
        var response = HTTPResponse(
            contentType: contentType,
            headers: [(name: "etag", value: tag), (name: "accept-ranges", value: "bytes")] + headers)
        if request.knows(tag) {
            response.status = 304
            return response
        }
        response.file = FileBody(file)
        // If-Range takes a date, too; no date is sent here, so none can be the right one.
        let isFresh = request.headers["if-range"].map { $0 == tag } ?? true
        guard request.method == .get, isFresh, let asked = request.headers["range"],
            let range = ByteRange(asked)
        else { return response }
        guard let part = range.part(of: file.size) else {
            response = .text(416, "The file has \(file.size) bytes.")
            response.headers = [(name: "content-range", value: "bytes */\(file.size)")] + headers
            return response
        }
        response.status = 206
        response.file = FileBody(file, range: part)
        response.headers.append(
            (name: "content-range", value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.size)"))
        return response
    }
}

/// The one range of a `Range` header.
enum ByteRange: Equatable {
    /// From the first place on, to the last inclusive or to the end.
    case from(Int64, Int64?)
    /// So many bytes from the end.
    case last(Int64)

    /// - Returns: `nil` for what is to be ignored: another unit, several ranges, and what is no range.
    init?(_ header: String) {
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (false, true):
            guard let first else { return nil }
            self = .from(first, nil)
        case (false, false):
            guard let first, let last, first <= last else { return nil }
            self = .from(first, last)
        case (true, false):
            guard let last else { return nil }
            self = .last(last)
        case (true, true): return nil
        }
    }

    /// Digits only, at most 18 of them.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(text)
    }

    /// The bytes of a file of this size that it means; `nil` if it has none of them.
    func part(of size: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first..<(last.map { min($0, size - 1) + 1 } ?? size)
        case .last(let count):
            guard count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
    }
}
