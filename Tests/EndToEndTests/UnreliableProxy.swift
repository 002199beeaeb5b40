import Foundation

/// A connection to a server that drops, doubles and delays audio packets on their way to listeners, by a plan.
///
/// It reads the WebSocket frames (RFC 6455, section 5.2) that come from the server, and alters only frames that are one
/// AUDIO_DN each. Everything else passes unchanged: clients' messages, replies, events, bundles, HTTP.
final class UnreliableProxy: @unchecked Sendable {
    // Safe to share: mutable state is guarded by `lock`.
    private let listener: Int32
    private let target: in_port_t
    private let plan: UnreliablePlan
    private let lock = NSLock()
    private var sockets: Set<Int32> = []
    private var isAtWork = false
    private var listeners = 0
    private var done: [UnreliablePlan.Fate: Int] = [:]
    private var lateness: [Double] = []
    private var overtakenCount = 0
    let port: Int

    init(to server: TestServer, _ plan: UnreliablePlan) throws {
        self.plan = plan
        target = in_port_t(server.port) ?? 0
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) | listen(listener, 64) | getsockname(listener, $0, &length)
            }
        }
        guard status == 0 else { throw ProgramFault(description: "no port for a proxy: \(errno)") }
        port = Int(in_port_t(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Starts the plan, for each listener from its next packet on.
    func begin() { lock.withLock { isAtWork = true } }

    /// Number of packets with this fate so far, including those that passed within the plan.
    func count(_ fate: UnreliablePlan.Fate) -> Int { lock.withLock { done[fate, default: 0] } }

    /// Times for which delayed packets were held, seconds, in ascending order.
    var held: [Double] { lock.withLock { lateness.sorted() } }

    /// Number of packets sent to a listener after one that came from the server later.
    var overtaken: Int { lock.withLock { overtakenCount } }

    /// Ends every connection.
    func end() {
        lock.withLock { for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    // MARK: Lines

    private static func address(port: in_port_t) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = port.bigEndian
        return address
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.address(port: target)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            var one: Int32 = 1
            for socket in [client, server] {
                setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            }
            let ends = Ends(client, server)
            lock.withLock { sockets.formUnion([client, server]) }
            if status != 0 { shutdown(client, Int32(SHUT_RDWR)) }
            Thread.detachNewThread { [self] in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while case let count = recv(client, &buffer, buffer.count, 0), count > 0,
                    Self.write(buffer[..<count], to: server)
                {}
                close(ends)
            }
            Thread.detachNewThread { [self] in
                var downstream = Downstream(self, from: server, to: client)
                downstream.run()
                close(ends)
            }
        }
        Glibc.close(listener)
    }

    /// Two sockets that are closed when both directions have ended.
    private final class Ends: @unchecked Sendable {
        // Safe to share: guarded by the proxy's lock.
        let sockets: [Int32]
        var ended = 0
        init(_ client: Int32, _ server: Int32) { sockets = [client, server] }
    }

    private func close(_ ends: Ends) {
        lock.withLock {
            for socket in ends.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            ends.ended += 1
            guard ends.ended == 2 else { return }
            for socket in ends.sockets {
                sockets.remove(socket)
                Glibc.close(socket)
            }
        }
    }

    fileprivate static func write(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    // MARK: The plan

    /// The fates of a listener whose first packet since `begin` has come; nil before that.
    fileprivate func admit() -> [UnreliablePlan.Fate]? {
        lock.withLock {
            guard isAtWork else { return nil }
            listeners += 1
            return plan.fates(ofListener: listeners - 1)
        }
    }

    fileprivate func note(_ fate: UnreliablePlan.Fate) { lock.withLock { done[fate, default: 0] += 1 } }
    fileprivate func noteHeld(_ seconds: Double, isOvertaken: Bool) {
        lock.withLock {
            lateness.append(seconds)
            if isOvertaken { overtakenCount += 1 }
        }
    }
    fileprivate var delay: Duration { .seconds(plan.seconds) }
}

/// The data from the server on one connection.
private struct Downstream {
    private let proxy: UnreliableProxy
    private let source: Int32
    private let target: Int32
    private var received: [UInt8] = []
    private var isWebSocket = false
    /// The fates of this connection's listener, once the plan has begun.
    private var fates: ArraySlice<UnreliablePlan.Fate>?
    /// Held packets, in the order in which they are due.
    private var held: [(since: ContinuousClock.Instant, number: Int, frame: ArraySlice<UInt8>)] = []
    /// Number of packets that have come, and number of the newest one sent on.
    private var packets = 0
    private var newest = 0

    init(_ proxy: UnreliableProxy, from source: Int32, to target: Int32) {
        (self.proxy, self.source, self.target) = (proxy, source, target)
    }

    mutating func run() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            var entry = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
            let isReadable = poll(&entry, 1, timeout) > 0
            guard release() else { return }
            guard isReadable else { continue }
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            received += buffer[..<count]
            guard take() else { return }
        }
    }

    /// Milliseconds until the next held packet is due, rounded up; -1 if there is none.
    private var timeout: Int32 {
        guard let first = held.first else { return -1 }
        let left = first.since + proxy.delay - .now
        return left <= .zero ? 0 : Int32(left / .milliseconds(1)) + 1
    }

    /// Sends packets that have been held long enough.
    private mutating func release() -> Bool {
        while let first = held.first, first.since + proxy.delay <= .now {
            held.removeFirst()
            proxy.noteHeld((ContinuousClock.now - first.since) / .seconds(1), isOvertaken: first.number < newest)
            newest = max(newest, first.number)
            guard UnreliableProxy.write(first.frame, to: target) else { return false }
        }
        return true
    }

    /// Passes on complete frames.
    private mutating func take() -> Bool {
        if !isWebSocket {
            // A response that is not an upgrade is of no interest, nor is anything after it.
            let head = Array("HTTP/1.1 101".utf8)
            guard received.starts(with: head.prefix(received.count)) else {
                defer { received = [] }
                return UnreliableProxy.write(received[...], to: target)
            }
            guard let end = endOfHead else { return true }
            isWebSocket = true
            guard UnreliableProxy.write(received[..<end], to: target) else { return false }
            received.removeFirst(end)
        }
        while let length = frameLength, received.count >= length {
            let frame = received[..<length]
            guard pass(frame) else { return false }
            received.removeFirst(length)
        }
        return true
    }

    private var endOfHead: Int? {
        guard received.count >= 4 else { return nil }
        return (4...received.count).first { received[($0 - 4)..<$0].elementsEqual("\r\n\r\n".utf8) }
    }

    /// Length of the first frame in `received`, header included; nil if it is incomplete.
    private var frameLength: Int? {
        guard let header = headerLength, received.count >= header else { return nil }
        let short = Int(received[1] & 0x7F)
        if short < 126 { return header + short }
        return header + received[2..<header].reduce(0) { $0 << 8 | Int($1) }
    }

    private var headerLength: Int? {
        guard received.count >= 2 else { return nil }
        switch received[1] & 0x7F {
        case 126: return 4
        case 127: return 10
        default: return 2
        }
    }

    private mutating func pass(_ frame: ArraySlice<UInt8>) -> Bool {
        guard let header = headerLength, frame.count > header, frame.first == 0x82, frame[header] == 0x10 else {
            return UnreliableProxy.write(frame, to: target)
        }
        if fates == nil { fates = proxy.admit().map { $0[...] } }
        packets += 1
        let fate = fates?.popFirst()
        if let fate { proxy.note(fate) }
        switch fate {
        case .dropped: return true
        case .delayed:
            held.append((.now, packets, frame))
            return true
        case .doubled, .passed, nil:
            newest = packets
            return UnreliableProxy.write(fate == .doubled ? frame + frame : frame, to: target)
        }
    }
}
