internal import Glibc
internal import SonaBase
internal import SonaEventLoop

/// One request over HTTP/1.1, on a connection of its own, with TLS where the address says so.
///
/// `run` blocks its thread until the answer is there. A server may answer before it has read the whole body: the answer
/// is then what counts, and no more is sent.
///
/// Source: RFC 9112.
struct HTTPCall: Sendable {
    var address: ServerAddress
    /// Begins with `/`.
    var path: String
    /// Empty: none is sent.
    var token: String
    var agent: String
    var body: [UInt8]
    var method = "POST"
    /// `nil` for requests without a body.
    var contentType: String? = "application/octet-stream"
    /// Further headers.
    var headers: [(name: String, value: String)] = []
    /// Called with the bytes of the body that the socket has taken so far; on the thread of `run`.
    var sent: (@Sendable (Int) -> Void)?
    /// Seconds that may pass without a byte in either direction.
    var patienceSeconds = 30
    /// The path of a Unix socket, in place of the address.
    var socketPath: String?

    struct Answer: Sendable, Equatable {
        var status: Int
        var body: [UInt8]
        /// By their names in lower case; of a header that comes twice, the last.
        var headers: [String: String] = [:]
    }

    /// - Returns: `.unreachable`, `.untrusted`, `.closed`, `.timeout`, or `.protocolViolation` if the answer is no HTTP/1.1 of at most
    ///   `answerBytesMax` bytes.
    func run() -> Result<Answer, ClientError> {
        Result { () throws(ClientError) in
            let socket = try connected()
            defer { close(socket) }
            return try converse(socket)
        }
    }

    /// A longer answer is refused.
    var answerBytesMax = 1 << 20

    private var head: [UInt8] {
        var lines = [
            "\(method) \(path) HTTP/1.1", "Host: \(address.authority)", "User-Agent: \(agent)",
            "Content-Length: \(body.count)", "Connection: close",
        ]
        if !token.isEmpty { lines.append("Authorization: Bearer \(token)") }
        if let contentType { lines.append("Content-Type: \(contentType)") }
        lines += headers.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// The same as `run`, on a thread of its own.
    func runBeside() async throws(ClientError) -> Answer {
        let result: Result<Answer, ClientError>? = await withCheckedContinuation { continuation in
            let isStarted = WorkerThread.start("http") { continuation.resume(returning: run()) }
            if !isStarted { continuation.resume(returning: nil) }
        }
        guard let result else { throw ClientError(.unreachable, "The system has no thread to give.") }
        return try result.get()
    }

    // MARK: Connecting

    private func connected() throws(ClientError) -> Int32 {
        if let socketPath { return try connected(toSocket: socketPath) }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(address.host, String(address.port), &hints, &list)
        guard code == 0 else { throw unreachable(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var problem = "there is no address"
        var next = list
        while let candidate = next?.pointee {
            next = candidate.ai_next
            let socket = socket(candidate.ai_family, candidate.ai_socktype | Self.flags, candidate.ai_protocol)
            guard socket >= 0 else {
                problem = String(cString: strerror(errno))
                continue
            }
            if let trouble = finishConnecting(socket, candidate) {
                problem = trouble
                close(socket)
            } else {
                return socket
            }
        }
        throw unreachable(problem)
    }

    /// Connects to a Unix socket: unix(7).
    private func connected(toSocket path: String) throws(ClientError) -> Int32 {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: place.sun_path) else {
            throw unreachable("the path of a socket has 107 bytes at most")
        }
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.flags, 0)
        guard socket >= 0 else { throw unreachable(String(cString: strerror(errno))) }
        let isConnected = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(socket, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            let why = errno == ECONNREFUSED ? "no server listens there" : String(cString: strerror(errno))
            close(socket)
            throw unreachable(why)
        }
        return socket
    }

    private static let flags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)

    /// - Returns: The failure in words; nil if it succeeded.
    private func finishConnecting(_ socket: Int32, _ candidate: addrinfo) -> String? {
        if connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return String(cString: strerror(errno)) }
        guard wait(socket, Int16(POLLOUT)) != 0 else { return "it does not answer" }
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
        return error == 0 ? nil : String(cString: strerror(error))
    }

    private func unreachable(_ why: String) -> ClientError {
        ClientError(.unreachable, "\(socketPath.map { "unix:\($0)" } ?? "\(address)") cannot be reached: \(why).")
    }

    // MARK: Conversing

    private func converse(_ socket: Int32) throws(ClientError) -> Answer {
        var stream = try HTTPStream(socket, to: address)
        let head = head
        var toSend = (head + body)[...]
        var reader = HTTPAnswerReader(bytesMax: answerBytesMax, isToHead: method == "HEAD")
        while true {
            switch try stream.read() {
            case .bytes(let bytes):
                if let answer = try reader.take(bytes[...]) { return answer }
                // The server answers without the rest of the request, so the rest is not sent.
                if reader.hasBegun { toSend = [] }
                continue
            case .end: return try reader.end()
            case .nothing: break
            }
            if !toSend.isEmpty, try stream.write(&toSend) {
                sent?(max(0, body.count - toSend.count))
                continue
            }
            guard wait(socket, stream.events(isSending: !toSend.isEmpty)) != 0 else {
                throw ClientError(.timeout, "The server did not answer within \(patienceSeconds) seconds.")
            }
        }
    }

    /// - Returns: The events that `poll` reports for the socket; 0 if none came in time.
    private func wait(_ socket: Int32, _ events: Int16) -> Int16 {
        let deadline = MonotonicClock.nowMicroseconds() + Int64(patienceSeconds) * 1_000_000
        var entry = pollfd(fd: socket, events: events, revents: 0)
        while true {
            let rest = (deadline - MonotonicClock.nowMicroseconds()) / 1000
            let count = poll(&entry, 1, Int32(clamping: max(0, rest)))
            if count > 0 { return entry.revents }
            if count == 0 || errno != EINTR { return 0 }
        }
    }
}
