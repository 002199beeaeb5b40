/// Looks for the greatest number of listeners that is borne.
///
/// 1. Doubles (from `from`; halves, if that is too many already) until a number is not borne. What is not borne is tried
///    once more, so that a hiccup of the machine does not end the search where nothing ends.
/// 2. Bisects until both sides are within `tolerance`.
/// 3. Repeats: from the number found, steps of `tolerance` up while borne and down while not, `repetitions` times. Their
///    median is the answer, and how far they lie apart is how sure it is.
package struct LimitSearch: Sendable {
    package var from = 100
    package var to = 20_000
    /// Allowed error of the number found, as a part of it.
    package var tolerance = 0.05
    package var repetitions = 3
    private static let stepsMax = 6

    package init() {}

    /// - Parameter attempt: Runs once with the given number of listeners; nil ends the search, as by Ctrl-C.
    package func run(_ attempt: @escaping (Int) -> LimitTrial?) -> LimitResult {
        var course = Course(attempt: attempt)
        guard let (borne, notBorne) = bracket(&course) else { return LimitResult(course, repetitions: [], to: to) }
        guard var upper = notBorne else { return LimitResult(course, repetitions: [borne], to: to) }
        var lower = borne
        while upper - lower > Swift.max(1, Int(Double(lower) * tolerance)) {
            let middle = lower + (upper - lower) / 2
            guard let isBorne = course.decide(middle) else { return LimitResult(course, repetitions: [], to: to) }
            if isBorne { lower = middle } else { upper = middle }
        }
        guard lower > 0 else { return LimitResult(course, repetitions: [0], to: to) }
        var repeated: [Int] = []
        var failed = 0
        for _ in 0..<repetitions {
            switch stair(from: lower, &course) {
            case .found(let number): repeated.append(number)
            case .notFound: failed += 1
            case .ended: break
            }
            if course.isEnded { break }
        }
        if repeated.isEmpty && failed == 0 { repeated = [lower] }
        return LimitResult(course, repetitions: repeated, notFound: failed, to: to)
    }

    /// - Returns: A number that is borne (0 if none is) and the next that is not (nil if all are); nil if it was ended.
    private func bracket(_ course: inout Course) -> (Int, Int?)? {
        var number = min(from, to)
        guard let isBorne = course.decide(number) else { return nil }
        if !isBorne {
            while number > 1 {
                let less = number / 2
                guard let isBorne = course.decide(less) else { return nil }
                if isBorne { return (less, number) }
                number = less
            }
            return (0, 1)
        }
        while number < to {
            let more = min(number * 2, to)
            guard let isBorne = course.decide(more) else { return nil }
            if !isBorne { return (number, more) }
            number = more
        }
        return (number, nil)
    }

    private enum Repetition {
        case found(Int)
        /// No number tried was borne.
        case notFound
        case ended
    }

    /// One repetition: the greatest number that is borne this time, which is one that was tried.
    private func stair(from start: Int, _ course: inout Course) -> Repetition {
        var number = start
        let step = max(1, Int(Double(start) * tolerance))
        guard let first = course.once(number) else { return .ended }
        for _ in 0..<Self.stepsMax {
            let next = first.isBorne ? min(number + step, to) : number - step
            guard next > 0, next != number else { break }
            guard let trial = course.once(next) else { return .ended }
            if first.isBorne && !trial.isBorne { return .found(number) }
            number = next
            if !first.isBorne && trial.isBorne { return .found(number) }
        }
        return first.isBorne ? .found(number) : .notFound
    }

    /// The trials so far.
    struct Course {
        let attempt: (Int) -> LimitTrial?
        var trials: [LimitTrial] = []
        var isEnded = false

        mutating func once(_ listeners: Int) -> LimitTrial? {
            guard !isEnded, let trial = attempt(listeners) else {
                isEnded = true
                return nil
            }
            trials.append(trial)
            return trial
        }

        /// Whether a number is borne, at the first or the second attempt.
        mutating func decide(_ listeners: Int) -> Bool? {
            guard let first = once(listeners) else { return nil }
            if first.isBorne { return true }
            return once(listeners)?.isBorne
        }
    }
}

/// The result of a search.
package struct LimitResult: Sendable {
    package let trials: [LimitTrial]
    /// The number that each repetition found, sorted.
    package let repetitions: [Int]
    /// How many repetitions found no number.
    package let notFound: Int
    /// The greatest number tried.
    package let to: Int
    package let isEnded: Bool
    /// Why the search could not go on; nil if it did, or was ended by Ctrl-C.
    package internal(set) var failure: LoadError?

    init(_ course: LimitSearch.Course, repetitions: [Int], notFound: Int = 0, to: Int) {
        trials = course.trials
        isEnded = course.isEnded
        self.repetitions = repetitions.sorted()
        self.notFound = notFound
        self.to = to
    }

    /// The median of the repetitions, of two in the middle the lesser; of a search that was ended, the greatest number that was borne. Nil if none was.
    package var listeners: Int? {
        // Half of the repetitions or more did not bear it out.
        if notFound > 0 && notFound >= repetitions.count && !isEnded { return nil }
        let number =
            repetitions.isEmpty
            ? trials.filter(\.isBorne).map(\.listeners).max() : repetitions[(repetitions.count - 1) / 2]
        return number == 0 ? nil : number
    }

    /// The first cause to give way: that of the smallest number that was not borne.
    package var cause: LimitCause? {
        let failed = trials.filter { !$0.isBorne && $0.listeners >= (listeners ?? 0) }
        let near = failed.filter { Double($0.listeners) <= 1.25 * Double(failed.map(\.listeners).min() ?? 0) }
        let counts = near.reduce(into: [LimitCause: Int]()) { $0[$1.causes[0], default: 0] += 1 }
        return LimitCause.allCases.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }.flatMap {
            counts[$0] == nil ? nil : $0
        }
    }

    /// Whether the limit is the server's own. If not, the server bears at least this number.
    package var isServers: Bool { cause != nil && cause != .harness }

    /// The result in words.
    package var text: String {
        if listeners == nil && notFound > 0 {
            let most = trials.filter(\.isBorne).map(\.listeners).max() ?? 0
            return
                "Not found: \(most) listeners were borne once, but \(notFound) of \(notFound + repetitions.count) repetitions "
                + "bore no number near it. Give it --seconds more, or let nothing else run on this machine."
        }
        guard let listeners else {
            return "No number of listeners was borne. "
                + (trials.last.map { "The last run: \($0.line)." } ?? "None was tried.")
        }
        var lines: [String] = []
        switch cause {
        case nil where isEnded: lines.append("At least \(listeners) listeners: the search was ended there.")
        case nil: lines.append("At least \(listeners) listeners, as many as were tried: raise --to to go on.")
        case .harness:
            lines.append("At least \(listeners) listeners. Beyond that \(LimitCause.harness.sentence) gave way first,")
            lines.append("so this is not the server's limit: use more machines, or more cores.")
        case .some(let cause): lines.append("\(listeners) listeners. Beyond that \(cause.sentence).")
        }
        if let least = repetitions.first, let greatest = repetitions.last, repetitions.count > 1 {
            let spread = Double(greatest - least) / Double(max(1, listeners)) * 100
            lines.append(
                "\(repetitions.count) repetitions found \(repetitions.map(String.init).joined(separator: ", ")): they lie "
                    + "\(LimitTrial.short(spread)) % apart.")
        } else if cause != nil && notFound == 0 {
            lines.append("Found once: how sure that is, is not known.")
        }
        if notFound > 0 {
            lines.append("In \(notFound) of \(notFound + repetitions.count) repetitions no number near it was borne.")
        }
        return lines.joined(separator: "\n")
    }

    /// The value that `--json` writes.
    package var recordValue: RecordValue {
        var members: [String: RecordValue] = [
            "repetitions": .array(repetitions.map { .integer($0) }), "repetitions_without": .integer(notFound),
            "ended_early": .bool(isEnded),
            "is_servers": .bool(isServers), "trials": .array(trials.map(\.recordValue)),
        ]
        members["listeners"] = listeners.map { .integer($0) }
        members["failure"] = failure.map { .string("\($0)") }
        members["cause"] = cause.map { .string($0.rawValue) }
        return .object(members)
    }
}

extension LimitTrial {
    var recordValue: RecordValue {
        var members: [String: RecordValue] = [
            "listeners": .integer(listeners), "borne": .bool(isBorne),
            "causes": .array(causes.map { .string($0.rawValue) }),
        ]
        let numbers = [
            ("delay_p99_ms", delayP99), ("loss", loss), ("join_p99_ms", joinP99), ("server_cpu", serverCPU),
            ("harness_cpu", harnessCPU),
        ]
        for (key, number) in numbers { members[key] = number.map { .number($0) } }
        members["code"] = serverCode.map { .string($0) }
        return .object(members)
    }
}
