import Glibc

/// Hosts that send at one pace, their first packets spread evenly over a period.
struct Broadcast {
    var pace: Pace
    /// Connections.
    var hosts: [Int]
    var messages: [AudioMessage]
    var start: UInt64
    /// Packets sent by all of them together.
    var ticks: UInt64 = 0

    var due: UInt64 { start + ticks * pace.periodNanoseconds / UInt64(hosts.count) }
}

extension Generator {
    /// Lets the hosts of these rooms begin.
    ///
    /// - Parameter start: When the first packet leaves, by `Clock`. Absolute: what is late is made up for.
    package func start(rooms: Range<Int>, _ pace: Pace, at start: UInt64) throws {
        let hosts = try rooms.map { room in
            guard let host = host(of: room) else { throw Failure("room \(room) has no host") }
            return host
        }
        for index in 0..<connectionCount where rooms.contains(Int(connections[index].room)) {
            connections[index].complete = connections[index].phase == .open
        }
        broadcasts.append(
            Broadcast(
                pace: pace, hosts: hosts, messages: rooms.map { AudioMessage(pace, epoch: self.rooms[$0].epoch) },
                start: start))
    }

    /// Makes the server that got its packets second the first: where both are due at once by asking it first, where they are
    /// apart by moving both by half a period, so that each comes where the other was. What is second finds a warm kernel,
    /// and the ticks of the system's own clock fall differently.
    package func turnAround() {
        broadcasts.reverse()
        for index in broadcasts.indices { broadcasts[index].start += broadcasts[index].pace.periodNanoseconds / 2 }
    }

    package func stop() { broadcasts.removeAll() }

    /// Sends nothing until `resume`, which goes on with the next packet, not with those that were due meanwhile. A host with
    /// Sona may be silent for as long as it is ahead: the lead, and the second more that the first epoch begins with.
    package func pause() { pausedAt = Clock.now }

    package func resume() {
        guard let begin = pausedAt else { return }
        pausedAt = nil
        let silence = Clock.now - begin
        for index in broadcasts.indices { broadcasts[index].start += silence }
    }

    private func host(of room: Int) -> Int? {
        (0..<connectionCount).first {
            Int(connections[$0].room) == room && connections[$0].hosts && connections[$0].phase == .open
        }
    }

    /// - Returns: When the next packet is due; the end of time if there is none.
    func sendWhatIsDue() -> UInt64 {
        var next = UInt64.max
        if pausedAt != nil { return next }
        for index in broadcasts.indices {
            while broadcasts[index].due <= Clock.now { tick(&broadcasts[index]) }
            next = min(next, broadcasts[index].due)
        }
        return next
    }

    private func tick(_ broadcast: inout Broadcast) {
        let place = Int(broadcast.ticks % UInt64(broadcast.hosts.count))
        let index = broadcast.hosts[place]
        let message = broadcast.messages[place]
        let room = rooms[Int(connections[index].room)]
        let now = Clock.now
        latenessMax = max(latenessMax, now - broadcast.due)
        broadcast.ticks += 1
        guard connections[index].phase == .open else { return }
        message.number(room.sent, samples: broadcast.pace.samples, at: now)
        if write(index, message.bytes, message.count) == message.count {
            room.sent += 1
        } else {
            lose(index, "the server takes no more of the host's packets")
        }
    }
}
