internal import SonaWire

/// Sessions whose connections were lost, in the order of the loss, and so by expiry.
///
/// Bounded for each user, for each address and in total. A queue and two tables, which hold nothing for sessions that
/// are connected.
struct AwaySessions {
    private struct Entry {
        var session: UInt64
        /// µs.
        var due: Int64
    }

    private struct Stay {
        var address: String?
        /// µs. A queue entry with another value belongs to an earlier absence.
        var due: Int64
    }

    private let countMax: Int
    private let countPerAddressMax: Int
    private var queue: [Entry] = []
    private var head = 0
    private var stays: [UInt64: Stay] = [:]
    private var addresses: [String: Int] = [:]

    init(countMax: Int = ServerTuning.keptSessionsMax, countPerAddressMax: Int) {
        self.countMax = countMax
        self.countPerAddressMax = countPerAddressMax
    }

    var count: Int { stays.count }

    /// When a session expires, µs; `nil` if it is not away.
    func due(of session: UInt64) -> Int64? { stays[session]?.due }

    /// When the next session expires, µs; `nil` if none is away.
    var next: Int64? { head < queue.count ? queue[head].due : nil }

    /// Adds a session that is away.
    ///
    /// - Parameters:
    ///   - others: The user's other sessions.
    ///   - due: When it expires, µs; not before the one added last.
    /// - Returns: Whether it is kept, and the session that has to end in its place, if any.
    mutating func add(
        _ session: UInt64, others: [UInt64], address: String?, due: Int64
    ) -> (isKept: Bool, ending: UInt64?) {
        if let address, addresses[address, default: 0] >= countPerAddressMax { return (false, nil) }
        let ofUser = others.filter { stays[$0] != nil }
        var ending: UInt64?
        if ofUser.count >= ServerTuning.keptSessionsPerUserMax {
            ending = ofUser.min { (stays[$0]?.due ?? 0) < (stays[$1]?.due ?? 0) }
        } else if stays.count >= countMax {
            dropFinished()
            ending = head < queue.count ? queue[head].session : nil
        }
        stays[session] = Stay(address: address, due: due)
        if let address { addresses[address, default: 0] += 1 }
        queue.append(Entry(session: session, due: due))
        return (true, ending)
    }

    /// Adds a session of another process, whose bounds it has passed there.
    ///
    /// - Parameter due: As in `add`.
    mutating func keep(_ session: UInt64, address: String?, due: Int64) {
        stays[session] = Stay(address: address, due: due)
        if let address { addresses[address, default: 0] += 1 }
        queue.append(Entry(session: session, due: due))
    }

    /// Removes a session that has resumed or ended.
    mutating func remove(_ session: UInt64) {
        guard let stay = stays.removeValue(forKey: session) else { return }
        if let address = stay.address {
            let left = (addresses[address] ?? 1) - 1
            addresses[address] = left > 0 ? left : nil
        }
        dropFinished()
    }

    /// The next expired session; the caller removes it.
    mutating func take(now: Int64) -> UInt64? {
        dropFinished()
        guard let next, next <= now else { return nil }
        return queue[head].session
    }

    private mutating func dropFinished() {
        while head < queue.count, stays[queue[head].session]?.due != queue[head].due { head += 1 }
        guard head >= 64 || head == queue.count, head * 2 >= queue.count else { return }
        queue.removeFirst(head)
        head = 0
    }
}
