import CLinux
import CTLS
import Glibc

/// Hosts and listeners of one or two servers, on one thread.
///
/// It has to be cheaper than what it measures: one `recv` per readable socket, frames found where they lie, no allocation
/// and no reference counted per packet. Two servers are driven by one generator, so that whatever disturbs it disturbs both.
///
/// Use: `addServer`, `addRoom`, `openHosts`, `openListeners`, `start`, then `run` as often as wanted, reading `tallies`
/// between; `stop`, `drain`, `missing`.
package final class Generator {
    package static let connectionsMax = 20_000
    private static let eventsMax = 256
    static let inputBytesMax = 1 << 19

    /// By server.
    package private(set) var sides: [Side] = []
    let tallies: UnsafeMutablePointer<Tally>
    let connections: UnsafeMutablePointer<Connection>
    package internal(set) var connectionCount = 0
    var rooms: [Room] = []
    /// By room, and by side: flat, for the loop.
    let roomSides: UnsafeMutablePointer<Int32>
    let isSona: UnsafeMutablePointer<Bool>
    var broadcasts: [Broadcast] = []
    var pausedAt: UInt64?
    let input: UnsafeMutablePointer<UInt8>
    let poll: Int32
    private let timer: Int32
    /// Connections on their way to their room.
    var opening = 0
    /// First things that went wrong, in words.
    package internal(set) var complaints: [String] = []
    /// How much later than planned a host's packet left, at worst.
    package var latenessMax: UInt64 = 0

    package struct Side {
        package var port: UInt16
        package var sona: Bool
        package var secure: Secure?
    }

    package init() throws {
        signal(SIGPIPE, SIG_IGN)
        // Else the kernel enlarges its table while connections are opened, which takes as long as a packet.
        if dup2(0, Int32(Self.connectionsMax + 1000)) >= 0 { Glibc.close(Int32(Self.connectionsMax + 1000)) }
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard poll >= 0, timer >= 0 else { throw Failure.system("make an epoll and a timer") }
        tallies = .allocate(capacity: 2)
        tallies.initialize(repeating: Tally(), count: 2)
        connections = .allocate(capacity: Self.connectionsMax)
        connections.initialize(repeating: Connection(), count: Self.connectionsMax)
        roomSides = .allocate(capacity: Self.connectionsMax)
        roomSides.initialize(repeating: 0, count: Self.connectionsMax)
        isSona = .allocate(capacity: 2)
        isSona.initialize(repeating: false, count: 2)
        input = .allocate(capacity: Self.inputBytesMax)
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u32 = UInt32.max
        epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event)
    }

    deinit {
        for index in 0..<connectionCount { close(index) }
        Glibc.close(poll)
        Glibc.close(timer)
        tallies.deinitialize(count: 2).deallocate()
        connections.deallocate()
        roomSides.deallocate()
        isSona.deallocate()
        input.deallocate()
    }

    package func addServer(port: UInt16, sona: Bool, secure: Secure? = nil) -> Int {
        precondition(sides.count < 2, "a generator drives two servers at most")
        isSona[sides.count] = sona
        sides.append(Side(port: port, sona: sona, secure: secure))
        return sides.count - 1
    }

    /// - Parameters:
    ///   - id: Of the room, with Sona.
    ///   - token: Of the room's owner, with Sona.
    ///   - greets: Whether listeners say `hello` and `room.join` and wait for the answers; with Sona they always do.
    package func addRoom(side: Int, id: String = "", token: String = "", greets: Bool = false) -> Int {
        let port = sides[side].port
        let sona = sides[side].sona
        func upgrade(_ path: String) -> [UInt8] {
            Frames.upgrade(path: sona ? "/v1/ws" : path, port: port, subprotocol: sona ? "sona.v1" : nil)
        }
        // Of those of its side; SwiftNIO's has one.
        let place = rooms.count { $0.side == side }
        let path = place == 0 ? "" : "/\(place)"
        rooms.append(
            Room(
                side: side, port: port, upgrade: upgrade(path.isEmpty ? "/" : path),
                hostUpgrade: upgrade("/pub" + path),
                join: sona || greets ? Frames.join(room: id, audio: true) : nil,
                hostGreeting: Frames.hello(token: token), hostJoin: Frames.join(room: id, audio: false),
                secure: sides[side].secure))
        roomSides[rooms.count - 1] = Int32(side)
        return rooms.count - 1
    }

    package func tally(_ side: Int) -> Tally { tallies[side] }

    package func resetDelays() {
        for side in 0..<2 { tallies[side].delays = Delays() }
        latenessMax = 0
    }

    /// Sends what is due and reads what comes, until `end`, or until `done` says so (asked after each batch of events).
    package func run(until end: UInt64, unless done: () -> Bool = { false }) {
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsMax) { events in
            while !done() {
                var due = sendWhatIsDue()
                let now = Clock.now
                if now >= end { return }
                // A sleeping generator has to be woken, at the expense of the server that answers. In a join that would
                // happen between any two answers, unless the server is slower than this.
                let isAwake = opening > 0
                if !isAwake { sleep(until: min(due, end)) }
                let count = epoll_wait(poll, events.baseAddress, Int32(Self.eventsMax), isAwake ? 0 : -1)
                for index in 0..<max(0, Int(count)) {
                    let event = events[index]
                    if event.data.u32 == UInt32.max { continue }
                    handle(Int(event.data.u32), event.events)
                    // A batch of reads takes longer than a packet may be late.
                    if index & 31 == 31 && Clock.now >= due { due = sendWhatIsDue() }
                }
            }
        }
    }

    package func run(seconds: Double) { run(until: Clock.now + nanoseconds(seconds)) }

    /// Setting the timer anew clears it, so it is never read.
    private func sleep(until time: UInt64) {
        var when = itimerspec()
        when.it_value.tv_sec = Int(time / 1_000_000_000)
        when.it_value.tv_nsec = Int(time % 1_000_000_000)
        timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &when, nil)
    }

    /// By edges: a socket that was read empty is not asked again until something comes, which saves the kernel a look at each.
    static let readable = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

    func watch(_ index: Int, _ kinds: UInt32, _ operation: Int32) {
        var event = epoll_event()
        event.events = kinds
        event.data.u32 = UInt32(index)
        epoll_ctl(poll, operation, connections[index].descriptor, &event)
    }

    func close(_ index: Int) {
        let connection = connections + index
        if connection.pointee.phase == .closed { return }
        if connection.pointee.phase != .open { opening -= 1 }
        connection.pointee.phase = .closed
        if let session = connection.pointee.session { SSL_free(session) }
        Glibc.close(connection.pointee.descriptor)
        connection.pointee.kept?.deallocate()
        connection.pointee.kept = nil
    }

    /// All who listen leave, without a word.
    package func closeListeners() {
        for index in 0..<connectionCount where !connections[index].hosts { close(index) }
    }

    /// Makes `count` listeners of some rooms leave without a goodbye, the latest first. The broadcasts of other rooms
    /// go on.
    package func closeListeners(_ count: Int, in rooms: Range<Int>) {
        var left = count
        for index in (0..<connectionCount).reversed() where left > 0 {
            let connection = connections[index]
            guard connection.phase == .open, !connection.hosts, rooms.contains(Int(connection.room)) else { continue }
            close(index)
            left -= 1
            if left.isMultiple(of: 50) { run(until: Clock.now) }
        }
    }

    func lose(_ index: Int, _ why: String) {
        tallies[Int(roomSides[Int(connections[index].room)])].closed += 1
        complain("connection \(index), \(connections[index].phase): \(why)")
        close(index)
    }

    func complain(_ text: String) {
        if complaints.count < 10 { complaints.append(text) }
    }

    /// The number of packets sent to listeners who were there from the first packet on, and not received.
    package func missing(side: Int) -> Int {
        var missing = 0
        for index in 0..<connectionCount where connections[index].complete && !connections[index].hosts {
            let room = Int(connections[index].room)
            if Int(roomSides[room]) == side { missing += Int(rooms[room].sent) - Int(connections[index].received) }
        }
        return missing
    }

    /// Reads on until everything has come, for at most so long.
    package func drain(seconds: Double = 3) {
        let end = Clock.now + nanoseconds(seconds)
        while Clock.now < end && (0..<sides.count).contains(where: { missing(side: $0) > 0 }) { run(seconds: 0.05) }
    }
}
