import SonaBase
import SonaTestSupport

/// Chooses the writes of one task: inserts, updates, deletes, and some that are meant to fail.
struct Client: Sendable {
    /// How large the groups are, and how many of them there are at a time.
    struct Load: Sendable {
        var bytes: ClosedRange<Int>
        var groupsMax: Int

        static let small = Load(bytes: 20...800, groupsMax: 20)
        /// A commit is some hundred kilobytes: the log is copied into the file after a few of them.
        static let large = Load(bytes: 40_000...200_000, groupsMax: 4)
    }

    let run: Int
    let task: Int
    let load: Load
    private var dice: SeededGenerator
    private var groups: [Int64]
    private var step = 0

    /// - Parameter groups: Those the task has already.
    init(run: Int, task: Int, load: Load, groups: [Int64], seed: UInt64) {
        self.run = run
        self.task = task
        self.load = load
        self.groups = groups
        dice = SeededGenerator(seed: seed &+ UInt64(run) << 32 &+ UInt64(task))
    }

    /// The next write.
    mutating func next() -> Operation {
        step += 1
        let id = Int64(run) << 40 | Int64(task) << 32 | Int64(step)
        let bytes = Int.random(in: load.bytes, using: &dice)
        let isFull = groups.count >= load.groupsMax
        let choice = Int.random(in: 0..<10, using: &dice)
        var operation: Operation
        if groups.isEmpty || !isFull && choice < 6 {
            operation = Operation(id: id, kind: .insert, task: task, group: id, bytes: bytes)
        } else {
            let place = Int.random(in: groups.indices, using: &dice)
            let kind: Operation.Kind = choice.isMultiple(of: 2) ? .update : .delete
            operation = Operation(id: id, kind: kind, task: task, group: groups[place], bytes: bytes)
        }
        if Int.random(in: 0..<8, using: &dice) == 0 {
            operation = Operation(
                id: -id, kind: operation.kind, task: task, group: operation.group, bytes: bytes,
                refusal: Operation.Refusal.allCases.randomElement(using: &dice))
        }
        return operation
    }

    /// Takes note that a write was acknowledged.
    mutating func acknowledge(_ operation: Operation) {
        switch operation.kind {
        case .insert: groups.append(operation.group)
        case .delete: groups.removeAll { $0 == operation.group }
        case .update, .prune: break
        }
    }
}
