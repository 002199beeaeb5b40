internal import SonaWire

/// Decides whose turn it is, and with which entry: the order by votes.
///
/// People take turns in rounds. A round begins with everybody who waits. Each plays one entry in it, and votes decide
/// who goes first. Somebody who comes during a round is in the next one, so that a stream of newcomers holds nobody up.
/// Of a person's own entries the one with the most votes plays; ties go to the one that stands first. An entry that
/// `passesMax` later ones have overtaken goes before them all.
///
/// Nobody has more than `rowMax` plays in a row or `sharePlaysMax` of any `shareWindow`, as long as somebody waits who
/// is below both. If nobody is below both, turns go on without the two limits: silence would help nobody.
///
/// So nobody starves. Let an entry be approved when its person has `k` others standing before it, and let at most `P`
/// people wait at a time. Its person then plays at most `k + passesMax` entries before it. If the shares do not bind,
/// nobody else plays more than `k + passesMax + 2` times before it. If they do, all others together play at most `(k +
/// passesMax + 1) · (shareWindow + P) + P` times before it. This holds unless a member who controls the queue puts
/// others before it, by moving, shuffling, starting or going back.
struct Rotation {
    struct Turn {
        /// Index of the entry that plays, among the waiting ones.
        let place: Int
        /// Indices of the same person's entries that stood before it.
        let passedOver: [Int]
    }

    /// How often later entries of the same person may overtake an entry.
    static let passesMax = 3

    private struct Own {
        let place: Int
        let score: Int
        var passedOver: Int
    }

    private struct Person {
        let uid: UserID
        var own: [Own] = []
        /// Index of the entry this person would play.
        var front = 0
        var isInRound: Bool
        var playsInWindow = 0

        /// Chooses an entry that was overtaken often enough, otherwise the best of the person's own.
        mutating func chooseFront() {
            if let overdue = own.firstIndex(where: { $0.passedOver >= Rotation.passesMax }) {
                front = overdue
                return
            }
            front = 0
            for index in own.indices where own[index].score > own[front].score { front = index }
        }
    }

    private let rules: QueueRules
    private var people: [Person] = []
    private var indices: [UserID: Int] = [:]
    /// The people of the last plays, oldest first, no more than the window needs for the next play.
    private var recent: [UserID] = []
    private var row: (user: UserID, count: Int)?

    /// O(entries). Recalled entries play before anybody's turn and are not part of the rotation.
    /// - Parameter recent: The people of the plays so far, oldest first.
    init(_ waiting: [PartyQueue.Waiting], round: Set<UserID>, recent: [UserID], rules: QueueRules) {
        self.rules = rules
        for (place, waiting) in waiting.enumerated() where !waiting.isRecalled {
            let uid = waiting.entry.suggestedBy
            let index = indices[uid] ?? people.count
            if index == people.count {
                people.append(Person(uid: uid, isInRound: round.contains(uid)))
                indices[uid] = index
            }
            people[index].own.append(
                Own(place: place, score: waiting.entry.score, passedOver: waiting.passedOver))
        }
        for index in people.indices { people[index].chooseFront() }
        for user in recent.suffix(max(rules.shareWindow, rules.rowMax)) { record(user) }
    }

    /// People who still wait for their turn in this round.
    var round: Set<UserID> { Set(people.lazy.filter { $0.isInRound && !$0.own.isEmpty }.map(\.uid)) }

    /// Takes the next turn. O(people).
    mutating func next() -> Turn? {
        guard let index = nextPerson else { return nil }
        if !people[index].isInRound {
            for other in people.indices { people[other].isInRound = true }
        }
        people[index].isInRound = false
        let front = people[index].front
        let turn = Turn(
            place: people[index].own[front].place, passedOver: people[index].own[..<front].map(\.place))
        for own in 0..<front { people[index].own[own].passedOver += 1 }
        people[index].own.remove(at: front)
        people[index].chooseFront()
        record(people[index].uid)
        return turn
    }

    /// Counts a play.
    mutating func record(_ user: UserID) {
        row = (user, row?.user == user ? (row?.count ?? 0) + 1 : 1)
        recent.append(user)
        if let index = indices[user] { people[index].playsInWindow += 1 }
        guard recent.count >= rules.shareWindow else { return }
        if let index = indices[recent.removeFirst()] { people[index].playsInWindow -= 1 }
    }

    /// Compares in this order: people within their share first, then people whose turn in this round is to come, then
    /// the most votes, then the entry that stands first.
    private var nextPerson: Int? {
        var best: (index: Int, rank: (Int, Int, Int, Int))?
        for (index, person) in people.enumerated() where !person.own.isEmpty {
            let front = person.own[person.front]
            let rank = (isWithinShare(person) ? 1 : 0, person.isInRound ? 1 : 0, front.score, -front.place)
            if best.map({ rank > $0.rank }) ?? true { best = (index, rank) }
        }
        return best?.index
    }

    private func isWithinShare(_ person: Person) -> Bool {
        if let row, row.user == person.uid, row.count >= rules.rowMax { return false }
        return person.playsInWindow < rules.sharePlaysMax
    }
}
