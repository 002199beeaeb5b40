import CLinux
import CTLS
import Glibc

extension Generator {
    /// Connects the hosts of these rooms and has them take their seats.
    package func openHosts(_ rooms: Range<Int>) throws {
        try open(rooms.count, window: 16) {
            rooms.lowerBound + $0
        } hosts: {
            true
        }
    }

    /// Connects listeners, in turn to each of these rooms.
    ///
    /// - Parameter window: How many may be on their way at once.
    package func openListeners(_ count: Int, in rooms: Range<Int>, window: Int = 64) throws {
        try open(count, window: window) {
            rooms.lowerBound + $0 % rooms.count
        } hosts: {
            false
        }
    }

    /// - Throws: `Failure` if one is refused, or nothing happens for 20 s.
    private func open(_ count: Int, window: Int, room: (Int) -> Int, hosts: () -> Bool) throws {
        guard connectionCount + count <= Self.connectionsMax else { throw Failure("too many connections") }
        let complaintsBefore = complaints.count
        var begun = 0
        var last = Clock.now
        while begun < count || opening > 0 {
            while begun < count && opening < window {
                try connect(to: room(begun), hosts: hosts())
                begun += 1
            }
            let before = opening
            run(until: Clock.now + nanoseconds(0.1)) { opening < before }
            if opening < before { last = Clock.now }
            if complaints.count > complaintsBefore { throw Failure(complaints[complaintsBefore]) }
            if Clock.now - last > nanoseconds(20) { throw Failure("\(opening) connections wait for an answer") }
        }
    }

    private func connect(to room: Int, hosts: Bool) throws {
        let index = connectionCount
        connections[index] = Connection()
        connections[index].descriptor = try Socket.connect(
            port: rooms[room].port, blocking: false, number: index)
        connections[index].room = Int32(room)
        connections[index].hosts = hosts
        connectionCount += 1
        opening += 1
        watch(index, Self.readable | EPOLLOUT.rawValue, EPOLL_CTL_ADD)
    }

    func handle(_ index: Int, _ kinds: UInt32) {
        let connection = connections + index
        switch connection.pointee.phase {
        case .closed: return
        case .connecting: connected(index)
        case .securing: secure(index)
        default: receive(index, toTheEnd: kinds & EPOLLRDHUP.rawValue != 0)
        }
    }

    private func connected(_ index: Int) {
        var error: Int32 = 0
        var length = socklen_t(4)
        getsockopt(connections[index].descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        guard error == 0 else { return lose(index, "connect: \(String(cString: strerror(error)))") }
        watch(index, Self.readable, EPOLL_CTL_MOD)
        guard let secure = rooms[Int(connections[index].room)].secure else { return upgrade(index) }
        guard let session = try? secure.begin(connections[index].descriptor) else { return lose(index, "no TLS") }
        connections[index].session = session
        connections[index].phase = .securing
        self.secure(index)
    }

    private func secure(_ index: Int) {
        switch Secure.handshake(connections[index].session!) {
        case .done: upgrade(index)
        case .waiting: break
        case .failed: lose(index, "the TLS handshake failed")
        }
    }

    private func upgrade(_ index: Int) {
        let room = rooms[Int(connections[index].room)]
        connections[index].phase = .upgrading
        say(index, connections[index].hosts ? room.hostUpgrade : room.upgrade)
    }

    /// - Returns: Whether the server agreed.
    func upgraded(_ index: Int, _ head: UnsafeBufferPointer<UInt8>) -> Bool {
        guard head.starts(with: "HTTP/1.1 101".utf8) else {
            lose(index, "refused: \(String(decoding: head, as: UTF8.self))")
            return false
        }
        let room = rooms[Int(connections[index].room)]
        guard room.join != nil else {
            opened(index)
            return true
        }
        connections[index].phase = .greeting
        say(index, connections[index].hosts ? room.hostGreeting : Self.guestGreeting)
        return true
    }

    private static let guestGreeting = Frames.hello(token: nil)
    private static let hostStart = Frames.hostStart()

    /// A text message. After joining they are events, of no interest here.
    func hear(_ index: Int, _ text: UnsafeBufferPointer<UInt8>) {
        let phase = connections[index].phase
        if text.starts(with: Self.error) {
            return lose(index, String(decoding: text, as: UTF8.self))
        }
        guard phase != .open, text.starts(with: Self.ok) else { return }
        let room = rooms[Int(connections[index].room)]
        switch phase {
        case .greeting:
            connections[index].phase = .joining
            say(index, connections[index].hosts ? room.hostJoin : room.join!)
        case .joining where connections[index].hosts:
            connections[index].phase = .starting
            say(index, Self.hostStart)
        case .starting:
            guard let epoch = Self.number("\"epoch\":", in: text) else { return lose(index, "host.start has no epoch") }
            room.epoch = UInt16(truncatingIfNeeded: epoch)
            opened(index)
        default: opened(index)
        }
    }

    private static let ok = Array(#"{"type":"ok""#.utf8)
    private static let error = Array(#"{"type":"error""#.utf8)

    private static func number(_ key: String, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let place = String(decoding: text, as: UTF8.self).split(separator: key, maxSplits: 1).dropFirst().first
        else { return nil }
        return Int(place.prefix { $0.isNumber })
    }

    private func opened(_ index: Int) {
        connections[index].phase = .open
        opening -= 1
    }

    private func say(_ index: Int, _ bytes: [UInt8]) {
        let sent = bytes.withUnsafeBytes { write(index, $0.baseAddress!, $0.count) }
        if sent != bytes.count { lose(index, "the server takes nothing") }
    }

    func write(_ index: Int, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        if let session = connections[index].session { return Secure.write(session, bytes, count) }
        return send(connections[index].descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    }

    func answerPing(_ index: Int, _ payload: UnsafeBufferPointer<UInt8>) { say(index, Frames.pong(payload)) }
}
