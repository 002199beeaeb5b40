internal import CLibwebsockets

/// One request and its answer. Belongs to its loop.
///
/// States: waiting → answered (`respond`) → written, or cancelled when the peer goes away first.
public final class HTTPExchange {
    public let number: UInt64
    let request: HTTPRequest
    private let wsi: OpaquePointer
    private var response: HTTPResponse?
    private var written = 0
    private var areHeadersSent = false
    private var isCancelled = false
    var isAnswered: Bool { response != nil }
    var body: [UInt8] = []

    /// What goes into one write; a larger piece would be copied by libwebsockets when the socket is full.
    private static let pieceBytes = 32 * 1024

    init(number: UInt64, request: HTTPRequest, wsi: OpaquePointer) {
        self.number = number
        self.request = request
        self.wsi = wsi
    }

    /// Gives the answer; a second one is ignored, as is one for a peer that has gone. On the loop.
    public func respond(_ response: HTTPResponse) {
        guard self.response == nil, !isCancelled else { return }
        self.response = response
        lws_callback_on_writable(wsi)
    }

    func cancel() { isCancelled = true }

    /// Writes headers, then the body piece by piece. Returns what libwebsockets is told.
    func write(_ wsi: OpaquePointer) -> Int32 {
        guard let response else { return 0 }
        if !areHeadersSent {
            areHeadersSent = true
            guard HeaderWriter.write(response, wsi) else { return -1 }
            if request.method == .head || response.body.isEmpty { return finish(wsi, response) }
            writeOn(wsi)
            return 0
        }
        let end = min(written + Self.pieceBytes, response.body.count)
        let isLast = end == response.body.count
        let sent = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(sona_lws_pre) + end - written) {
            buffer in
            let start = Int(sona_lws_pre)
            for (offset, byte) in response.body[written..<end].enumerated() { buffer[start + offset] = byte }
            guard let base = buffer.baseAddress else { return Int32(-1) }
            return lws_write(wsi, base + start, end - written, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP)
        }
        guard sent >= 0 else { return -1 }
        written = end
        if isLast { return finish(wsi, response) }
        writeOn(wsi)
        return 0
    }

    private func writeOn(_ wsi: OpaquePointer) {
        lws_callback_on_writable(wsi)
        LoopSocket.connection(wsi)?.core.pace.hurry()
    }

    private func finish(_ wsi: OpaquePointer, _ response: HTTPResponse) -> Int32 {
        LoopSocket.connection(wsi)?.http?.exchange = nil
        if response.closes { return -1 }
        return lws_http_transaction_completed(wsi) != 0 ? -1 : 0
    }
}

/// Puts the head of a response on a socket.
enum HeaderWriter {
    /// Statuses whose reason phrase libwebsockets leaves empty are fine: RFC 9112 §4 makes it optional.
    static func write(_ response: HTTPResponse, _ wsi: OpaquePointer) -> Bool {
        let capacity = 1024 + response.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(sona_lws_pre) + capacity) { buffer in
            guard let base = buffer.baseAddress else { return false }
            let start = base + Int(sona_lws_pre)
            let end = start + capacity
            var position: UnsafeMutablePointer<UInt8>? = start
            let isFine = withUnsafeMutablePointer(to: &position) { cursor in
                guard
                    lws_add_http_common_headers(
                        wsi, UInt32(response.status), response.contentType, lws_filepos_t(response.body.count), cursor,
                        end) == 0
                else { return false }
                for (name, value) in response.headers {
                    guard add(name, value, wsi, cursor, end) else { return false }
                }
                if response.closes, !add("connection", "close", wsi, cursor, end) { return false }
                return lws_finalize_write_http_header(wsi, start, cursor, end) == 0
            }
            return isFine
        }
    }

    private static func add(
        _ name: String, _ value: String, _ wsi: OpaquePointer,
        _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, _ end: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        var name = name + ":"
        var value = value
        return name.withUTF8 { name in
            value.withUTF8 { value in
                lws_add_http_header_by_name(
                    wsi, name.baseAddress, value.baseAddress, Int32(value.count), cursor, end) == 0
            }
        }
    }
}

extension EventLoop {
    /// Answers an exchange of this loop by its number, from any thread; nothing happens if the peer has gone.
    public func respond(to number: UInt64, _ response: HTTPResponse) {
        post { [self] in
            core.sockets[number >> 16]?.exchange.flatMap { $0.number == number ? $0 : nil }?.respond(response)
        }
    }
}
