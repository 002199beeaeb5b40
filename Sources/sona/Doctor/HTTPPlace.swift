import Glibc
import SonaBase
import SonaEventLoop

/// Where HTTP is spoken, for single requests of the doctor.
enum HTTPPlace: Equatable {
    case unixSocket(String)
    case address(host: String, port: Int, isSecure: Bool)

    /// - Parameter url: `https://HOST`, `http://HOST:PORT`; a path is ignored.
    init?(url: String) {
        let isSecure = url.hasPrefix("https://")
        guard isSecure || url.hasPrefix("http://") else { return nil }
        let rest = url.dropFirst(isSecure ? 8 : 7).prefix { $0 != "/" }
        var host = rest
        var port = isSecure ? 443 : 80
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            let after = rest[rest.index(after: end)...]
            if after.hasPrefix(":") { port = Int(after.dropFirst()) ?? 0 }
        } else if let colon = rest.lastIndex(of: ":") {
            host = rest[..<colon]
            port = Int(rest[rest.index(after: colon)...]) ?? 0
        }
        guard !host.isEmpty, 1...65_535 ~= port else { return nil }
        self = .address(host: String(host), port: port, isSecure: isSecure)
    }

    struct Answer: Equatable {
        var status: Int
        /// By their names in lower case.
        var headers: [String: String]
        var body: String
    }

    enum Fault: Error, Equatable {
        /// No connection came about.
        case unreachable(String)
        /// The other side could not prove its name.
        case untrusted(String)
        case silent
        case noHTTP
    }

    private static let seconds = 10
    private static let answerBytesMax = 4 << 20

    /// Sends a GET and reads the answer, or its head if the connection then belongs to another protocol. Blocks for ten
    /// seconds at most.
    func ask(_ path: String, headers: [(String, String)] = []) -> Result<Answer, Fault> {
        Result { () throws(Fault) in
            let socket = try connected()
            defer { close(socket) }
            let authority: String =
                switch self {
                case .unixSocket: "localhost"
                case .address(let host, let port, let isSecure):
                    (host.contains(":") ? "[\(host)]" : host) + (port == (isSecure ? 443 : 80) ? "" : ":\(port)")
                }
            var lines = ["GET \(path) HTTP/1.1", "Host: \(authority)", "User-Agent: sona-doctor"]
            if headers.isEmpty { lines.append("Connection: close") }
            lines += headers.map { "\($0.0): \($0.1)" }
            return try converse(socket, Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        }
    }

    // MARK: Connecting

    private func connected() throws(Fault) -> Int32 {
        switch self {
        case .unixSocket(let path): return try Self.connected(toSocket: path)
        case .address(let host, let port, _):
            var hints = addrinfo()
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            var list: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo(host, String(port), &hints, &list)
            guard code == 0 else { throw .unreachable(String(cString: gai_strerror(code))) }
            defer { freeaddrinfo(list) }
            var why = "there is no address"
            var next = list
            while let candidate = next?.pointee {
                next = candidate.ai_next
                let socket = socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
                guard socket >= 0 else { continue }
                Self.limit(socket)
                if connect(socket, candidate.ai_addr, candidate.ai_addrlen) == 0 {
                    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
                    return socket
                }
                why = errno == EINPROGRESS ? "it does not answer" : String(cString: strerror(errno))
                close(socket)
            }
            throw .unreachable(why)
        }
    }

    /// connect(2) waits as long as a socket may wait to send.
    private static func limit(_ socket: Int32) {
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func connected(toSocket path: String) throws(Fault) -> Int32 {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: place.sun_path) else {
            throw .unreachable("its path is too long")
        }
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                connect(socket, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            let why = String(cString: strerror(errno))
            close(socket)
            throw .unreachable(why)
        }
        _ = fcntl(socket, F_SETFL, O_NONBLOCK)
        return socket
    }

    // MARK: Conversing

    private func converse(_ socket: Int32, _ request: [UInt8]) throws(Fault) -> Answer {
        var tls: TLSStream?
        if case .address(let host, _, true) = self {
            do throws(EventLoopError) { tls = try TLSStream(socket, host: host, trust: TLSTrust()) } catch {
                throw .unreachable(error.detail)
            }
        }
        let deadline = MonotonicClock.nowMicroseconds() + Int64(Self.seconds) * 1_000_000
        var toSend = request[...]
        var received: [UInt8] = []
        while true {
            var events = Int16(POLLIN)
            var isOver = false
            do throws(EventLoopError) {
                if !toSend.isEmpty {
                    switch try Self.write(toSend, socket, tls) {
                    case .bytes(let count): toSend = toSend.dropFirst(count)
                    case .wantsRead: break
                    case .wantsWrite: events |= Int16(POLLOUT)
                    }
                }
                if toSend.isEmpty {
                    var buffer = [UInt8](repeating: 0, count: 65_536)
                    if case .bytes(let count) = try Self.read(&buffer, socket, tls) {
                        received += buffer[..<count]
                        if let answer = Self.answer(received, isEnd: count == 0) { return answer }
                        isOver = count == 0 || received.count >= Self.answerBytesMax
                        if !isOver { continue }
                    }
                }
            } catch {
                throw error.code == .untrusted ? .untrusted(error.detail) : .unreachable(error.detail)
            }
            if isOver { throw .noHTTP }
            var entry = pollfd(fd: socket, events: events, revents: 0)
            let rest = (deadline - MonotonicClock.nowMicroseconds()) / 1_000
            guard rest > 0, poll(&entry, 1, Int32(rest)) > 0 else { throw .silent }
        }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, _ socket: Int32, _ tls: TLSStream?
    ) throws(EventLoopError) -> TLSStream.Outcome {
        if let tls { return try tls.write(bytes) }
        let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        return count < 0 ? .wantsWrite : .bytes(count)
    }

    private static func read(
        _ buffer: inout [UInt8], _ socket: Int32, _ tls: TLSStream?
    ) throws(EventLoopError) -> TLSStream.Outcome {
        if let tls { return try tls.read(into: &buffer) }
        let count = recv(socket, &buffer, buffer.count, 0)
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wantsRead : .bytes(max(0, count))
    }

    /// - Returns: nil if more is to come.
    static func answer(_ received: [UInt8], isEnd: Bool) -> Answer? {
        let text = String(decoding: received, as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        guard let first = lines.first, let status = Int(first.split(separator: " ").dropFirst().first ?? "") else {
            return nil
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        let body = String(text[end.upperBound...])
        if status == 101 { return Answer(status: status, headers: headers, body: "") }
        let isWhole = headers["content-length"].flatMap { Int($0) }.map { body.utf8.count >= $0 } ?? false
        return isWhole || isEnd ? Answer(status: status, headers: headers, body: body) : nil
    }
}
