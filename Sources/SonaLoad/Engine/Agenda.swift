/// The things to do, ordered by time: a binary heap of moments.
struct Agenda {
    enum Kind: UInt8 {
        /// A host's next packet.
        case packet
        /// The next event of the plan.
        case plan
        /// A client connects again.
        case returning
        /// Slow readers read.
        case slowReading
        /// Clock probes.
        case probe
        /// A second is over.
        case second
        /// Leavers whose time is up, connections that nobody answers.
        case sweep
    }

    struct Entry {
        var at: UInt64
        var kind: Kind
        var who: Int32
    }

    private var heap: [Entry] = []

    /// The end of time if there is nothing to do.
    var next: UInt64 { heap.isEmpty ? .max : heap[0].at }

    mutating func add(_ kind: Kind, _ who: Int = 0, at time: UInt64) {
        heap.append(Entry(at: time, kind: kind, who: Int32(who)))
        var place = heap.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            if heap[parent].at <= heap[place].at { return }
            heap.swapAt(parent, place)
            place = parent
        }
    }

    /// Takes the next entry that is due.
    mutating func take(until now: UInt64) -> Entry? {
        guard let first = heap.first, first.at <= now else { return nil }
        let last = heap.removeLast()
        if heap.isEmpty { return first }
        heap[0] = last
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].at < heap[least].at {
                least = child
            }
            if least == place { return first }
            heap.swapAt(least, place)
            place = least
        }
    }

    mutating func removeAll() { heap.removeAll() }
}
