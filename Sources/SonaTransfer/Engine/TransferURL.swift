internal import CCurl
internal import Glibc

/// A URL as libcurl understands it, so that the checks and the transfer see the same host.
struct TransferURL {
    let text: String
    /// The scheme in lower case.
    let scheme: String
    /// The part of the URL that an error may name: no user, path or query.
    let host: String

    /// - Throws: `badInput` for anything but an absolute URL of one of `schemes`, and for one with a user in it: a
    ///   password in a URL ends up in logs.
    init(_ text: String, schemes: Set<String>) throws(TransferError) {
        guard let parts = Parts(text) else { throw TransferError(.badInput, "The URL cannot be understood") }
        guard let scheme = parts[CURLUPART_SCHEME]?.lowercased(), schemes.contains(scheme) else {
            throw TransferError(.badInput, "The URL has to begin with \(Self.list(schemes))")
        }
        guard let host = parts[CURLUPART_HOST], let whole = parts[CURLUPART_URL] else {
            throw TransferError(.badInput, "The URL names no host")
        }
        guard parts[CURLUPART_USER] == nil, parts[CURLUPART_PASSWORD] == nil else {
            throw TransferError(.badInput, "The URL must not hold a user or a password")
        }
        self.text = whole
        self.scheme = scheme
        self.host = host
    }

    /// The URL of a mail server. It has no path, since libcurl would take a path for the name in EHLO.
    ///
    /// - Throws: `badInput`.
    init(mailServer text: String, clientName: String?) throws(TransferError) {
        let server = try TransferURL(text, schemes: ["smtp", "smtps"])
        guard let parts = Parts(server.text), parts[CURLUPART_PATH] ?? "/" == "/", parts[CURLUPART_QUERY] == nil,
            parts[CURLUPART_FRAGMENT] == nil
        else { throw TransferError(.badInput, "The URL of a mail server is a host and a port") }
        guard let clientName else {
            self = server
            return
        }
        guard !clientName.isEmpty, clientName.utf8.count <= 253, clientName.utf8.allSatisfy(Self.isHostByte),
            parts.set(CURLUPART_PATH, "/" + clientName), let whole = parts[CURLUPART_URL]
        else { throw TransferError(.badInput, "The name for greeting mail servers is not a host name") }
        self.text = whole
        scheme = server.scheme
        host = server.host
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func list(_ schemes: Set<String>) -> String {
        schemes.sorted().map { $0 + "://" }.joined(separator: " or ")
    }

    private final class Parts {
        private let handle: OpaquePointer

        init?(_ text: String) {
            // C would stop at the NUL and check another URL than the one that was written.
            guard !text.utf8.contains(0), let handle = curl_url() else { return nil }
            self.handle = handle
            guard set(CURLUPART_URL, text) else { return nil }
        }

        deinit { curl_url_cleanup(handle) }

        func set(_ part: CURLUPart, _ text: String) -> Bool { curl_url_set(handle, part, text, 0) == CURLUE_OK }

        subscript(part: CURLUPart) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
    }
}
