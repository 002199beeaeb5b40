/// The times by which sockets must have done something, to the second.
///
/// Setting a later deadline costs a store, looking at those that are due O(sockets that are): libwebsockets' own timers
/// are one sorted list, in which each request would look for its place among all connections (18 % of a request at 1000).
struct DeadlineWheel {
    /// Longer deadlines come by here several times.
    private static let slotCount = 64
    private var slots = [[UInt64]](repeating: [], count: slotCount)
    private var hand: Int64 = 0

    private static func second(_ microseconds: Int64) -> Int64 { (microseconds + 999_999) / 1_000_000 }

    /// Has a socket looked at when `deadline` has passed. Returns the second at which that will be.
    mutating func add(_ number: UInt64, deadline: Int64, now: Int64) -> Int64 {
        let current = max(hand, now / 1_000_000)
        let second = min(max(Self.second(deadline), current + 1), current + Int64(Self.slotCount) - 1)
        slots[Int(second % Int64(Self.slotCount))].append(number)
        return second
    }

    /// The sockets to be looked at now, and the second for which they were noted.
    mutating func due(now: Int64) -> [(second: Int64, numbers: [UInt64])] {
        let current = now / 1_000_000
        if hand == 0 { hand = current - 1 }
        var due: [(Int64, [UInt64])] = []
        while hand < current {
            // After a long stop of the whole process one round is enough.
            if current - hand > Int64(Self.slotCount) { hand = current - Int64(Self.slotCount) }
            hand += 1
            let slot = Int(hand % Int64(Self.slotCount))
            guard !slots[slot].isEmpty else { continue }
            due.append((hand, slots[slot]))
            slots[slot] = []
        }
        return due
    }
}

extension LoopCore {
    func tickDeadlines() {
        let now = MonotonicClock.nowMicroseconds()
        for (second, numbers) in deadlines.due(now: now) {
            for number in numbers {
                guard let socket = sockets[number], socket.wheelSecond == second else { continue }
                socket.wheelSecond = 0
                guard socket.deadline != .max else { continue }
                if socket.deadline <= now {
                    socket.deadlinePassed()
                } else {
                    socket.wheelSecond = deadlines.add(number, deadline: socket.deadline, now: now)
                }
            }
        }
    }
}
