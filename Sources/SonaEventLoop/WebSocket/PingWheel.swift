/// Sends every connection a PING each 15 seconds and closes those that were silent for longer than they may.
///
/// One slot a second, so that the work is spread: O(connections / 15) a tick. libwebsockets' own validity timers do the
/// same in O(connections) for every join and PONG.
struct PingWheel {
    struct Slot {
        var index: UInt32
        var bucket: UInt8
    }

    static let interval = 15
    private var buckets = [[WebSocketConnection]](repeating: [], count: interval)
    private var hand = 0
    /// The ping has a payload, because libwebsockets does not report a PONG without one.
    private let ping = WebSocketFrame(.ping, Array("sona".utf8))

    mutating func add(_ connection: WebSocketConnection) {
        // The bucket just passed is the one that comes last: the first ping follows 15 s from now.
        let bucket = (hand + Self.interval - 1) % Self.interval
        connection.pingSlot = Slot(index: UInt32(buckets[bucket].count), bucket: UInt8(bucket))
        buckets[bucket].append(connection)
    }

    mutating func remove(_ connection: WebSocketConnection) {
        guard let slot = connection.pingSlot else { return }
        connection.pingSlot = nil
        let last = buckets[Int(slot.bucket)].removeLast()
        guard last !== connection else { return }
        buckets[Int(slot.bucket)][Int(slot.index)] = last
        last.pingSlot = slot
    }

    mutating func tick() {
        let now = MonotonicClock.nowMicroseconds()
        // A copy, since closing may take connections out of the wheel.
        let due = buckets[hand]
        hand = (hand + 1) % Self.interval
        for connection in due {
            guard let silence = connection.limits.silence else { continue }
            if now - connection.heardAt > Int64(silence) * 1_000_000 {
                connection.fellSilent()
            } else {
                connection.sendPing(ping)
            }
        }
    }
}
