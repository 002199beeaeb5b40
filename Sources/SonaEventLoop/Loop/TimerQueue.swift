/// Timers of one loop, soonest first: a binary heap with cancellation by number.
///
/// libwebsockets keeps its own timers in a sorted list, where inserting walks all of them; a loop therefore gives it
/// one only, for the head of this heap.
struct TimerQueue {
    struct Entry {
        var due: Int64
        var number: UInt64
    }

    private var heap: [Entry] = []
    private var actions: [UInt64: () -> Void] = [:]
    private var next: UInt64 = 1

    /// When the head is due, µs of `MonotonicClock`; nil if nothing waits.
    mutating func earliest() -> Int64? {
        while let head = heap.first {
            if actions[head.number] != nil { return head.due }
            removeHead()
        }
        return nil
    }

    mutating func add(due: Int64, _ action: @escaping () -> Void) -> UInt64 {
        let number = next
        next &+= 1
        actions[number] = action
        heap.append(Entry(due: due, number: number))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { break }
            heap.swapAt(child, parent)
            child = parent
        }
        return number
    }

    mutating func cancel(_ number: UInt64) {
        actions[number] = nil
        // Cancelled entries are dropped when they reach the head; should they ever be the many, sweep them out.
        if heap.count > 64, heap.count > actions.count * 2 {
            let live = heap.filter { actions[$0.number] != nil }.sorted { $0.due < $1.due }
            heap = live
        }
    }

    /// Takes the next action that is due by `now`.
    mutating func popDue(_ now: Int64) -> (() -> Void)? {
        guard let due = earliest(), due <= now, let number = heap.first?.number else { return nil }
        removeHead()
        return actions.removeValue(forKey: number)
    }

    private mutating func removeHead() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [parent * 2 + 1, parent * 2 + 2]
            where child < heap.count && heap[child].due < heap[least].due { least = child }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
