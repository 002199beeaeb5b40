internal import SonaEventLoop
internal import SonaModel
internal import SonaRooms
internal import SonaWire

/// The queue of a room: the state in force, the changes on their way to the disk, and the requests that wait for them.
///
/// A change is worked out at once, stored, and only then told and answered: a change that members have heard of
/// survives the end of the server. While one write is under way, further changes are worked out on top of it and stored
/// together. If a write fails, all waiting changes are refused, and the queue is as it was.
///
/// On the loop.
final class RoomQueue {
    /// The result of a change.
    struct Done: Sendable {
        /// Revision of the last change that is in force.
        let revision: Int64
        /// New entries, if there are any.
        let added: [QueuedTrack]
    }

    typealias Completion = (Result<Done, WireError>) -> Void

    private struct Change {
        let events: [PartyEvent]
        let user: User?
        let revision: Int64
        let completion: Completion?
    }

    /// The state to be stored: the queue after the first `count` waiting changes.
    private struct Written: Sendable {
        let queue: PartyQueue
        let count: Int
        let revision: Int64
        /// Ledger of the rows: before the write of those that are stored, then of those that it has left.
        var ledger: PartyLedger
    }

    private let room: RoomID
    private unowned let core: ShardCore  // Owns the room, which owns this.
    /// Tells members.
    private let tell: (QueueChanged) -> Void
    /// The state in force, as members know it.
    private(set) var queue: PartyQueue
    private(set) var revision: Int64
    /// The rows that `queue` is stored in.
    private var ledger: PartyLedger
    /// The order in which entries will play, if votes decide it; else `nil`.
    private(set) var order: [Int64]?
    /// The state with all waiting changes.
    private var next: PartyQueue
    private var nextRevision: Int64
    private var changes: [Change] = []
    private var isWriting = false
    private var alarmDue: Int64?
    /// People who suggested something, with their current names.
    private var people: [UserID: User]

    init(
        _ stored: StoredQueue, in room: RoomID, core: ShardCore, tell: @escaping (QueueChanged) -> Void
    ) {
        self.room = room
        self.core = core
        self.tell = tell
        queue = stored.queue
        next = stored.queue
        revision = stored.revision
        nextRevision = stored.revision
        ledger = stored.ledger
        people = stored.people
        order = Self.order(of: queue)
    }

    /// Whether no change is on its way to the disk.
    var isStill: Bool { changes.isEmpty }

    /// Whether an entry is the chosen one after all changes that are on their way to the disk.
    func willPlay(_ entry: QueueEntryID) -> Bool { next.playing?.entry.id == entry }

    // MARK: Changing

    /// Carries out a member's command.
    ///
    /// - Parameters:
    ///   - user: Who asked for it; `nil`: the server itself.
    ///   - now: Wall time, ms.
    /// - completion: Called on the loop, once, after the change is stored and told, or refused.
    func perform(
        _ command: PartyCommand, _ user: User?, as member: PartyMember, now: Int64, _ completion: @escaping Completion
    ) {
        do throws(PartyRefusal) {
            let events = try next.apply(command, by: member, now: now)
            if let user { people[user.uid] = user }
            change(events, by: user, completion)
        } catch { completion(.failure(WireError(error, command, now: now))) }
    }

    /// A user came in, or left with all their sessions.
    func setPresence(of uid: UserID, isHere: Bool) {
        guard next.minds(uid, isHere: isHere) else { return }
        change(next.setPresence(of: uid, isHere: isHere, now: MonotonicClock.wallMilliseconds()))
    }

    /// The number of listeners has changed.
    func setActiveListeners(_ count: Int) {
        guard next.skipVotes > 0 else { return }
        let events = next.setActiveListeners(count, now: MonotonicClock.wallMilliseconds())
        if !events.isEmpty { change(events) }
    }

    /// Compares the voters with the people present. Needed after the room has woken and after changes were refused:
    /// some users whose votes count may have left.
    func lookWhoIsHere(_ isHere: (UserID) -> Bool) {
        for uid in next.voters { setPresence(of: uid, isHere: isHere(uid)) }
    }

    func rename(_ user: User) {
        if people[user.uid] != nil { people[user.uid] = user }
    }

    private func change(_ events: [PartyEvent], by user: User? = nil, _ completion: Completion? = nil) {
        if events.isEmpty, completion != nil, changes.isEmpty {
            // The queue is in that state already, and it is stored.
            completion?(.success(Done(revision: revision, added: [])))
            return
        }
        // Only a change with events gets a new revision: presence alone is not told.
        if !events.isEmpty { nextRevision += 1 }
        changes.append(Change(events: events, user: user, revision: nextRevision, completion: completion))
        write()
        armAlarm()
    }

    // MARK: Time

    /// Sets an alarm for the next moment at which votes lapse.
    private func armAlarm() {
        guard let deadline = next.deadline, alarmDue.map({ deadline < $0 }) ?? true else { return }
        alarmDue = deadline
        let wait = max(0, deadline - MonotonicClock.wallMilliseconds()) + 5
        core.loop.schedule(after: .milliseconds(wait)) { [weak self] in
            guard let self, alarmDue == deadline else { return }
            alarmDue = nil
            let events = next.pass(to: MonotonicClock.wallMilliseconds())
            if !events.isEmpty { change(events) }
            armAlarm()
        }
    }

    // MARK: The disk

    /// Stores the newest state; one write at a time.
    private func write() {
        guard !isWriting, let last = changes.last else { return }
        isWriting = true
        let room = room
        let (shard, queues) = (core.shard, core.services.model.roomStorage.queues)
        let next = Written(queue: next, count: changes.count, revision: last.revision, ledger: ledger)
        core.services.writes.run {
            // Off the loop, because it may take some milliseconds.
            var written = next
            let failure = await RoomQueue.save(&written, of: room, queues)
            let order = RoomQueue.order(of: written.queue)
            await shard.perform { [written] core in core.rooms[room]?.queue?.wrote(written, order: order, failure) }
        }
    }

    /// - Returns: The error if it was not stored.
    private static func save(
        _ written: inout Written, of room: RoomID, _ queues: QueueStore
    ) async -> WireError? {
        let change = written.ledger.update(to: written.queue)
        guard written.ledger.bytes <= QueueStore.bytesMax else { return WireError(.queueFull) }
        do throws(Refusal) {
            // False if the stored queue is not the one that was changed: this state is then not the room's queue.
            let isWritten = try await queues.save(change, revision: written.revision, of: room)
            return isWritten ? nil : WireError(.serverInternal)
        } catch { return WireError(error) }
    }

    private func wrote(_ written: Written, order: [Int64]?, _ failure: WireError?) {
        isWriting = false
        if let failure { return refuseAll(failure) }
        let done = changes.prefix(written.count)
        changes.removeFirst(done.count)
        queue = written.queue
        revision = written.revision
        ledger = written.ledger
        let isReordered = order != nil && order != self.order
        self.order = order
        let last = done.lastIndex { !$0.events.isEmpty }
        for (index, change) in zip(done.indices, done) {
            var told = change.events.map { QueueChange($0, people) }
            if isReordered, index == last, let order { told.append(.order(order)) }
            if !told.isEmpty { tell(QueueChanged(revision: change.revision, user: change.user, changes: told)) }
            let added = told.flatMap { change -> [QueuedTrack] in
                if case .added(let entries, _) = change { entries } else { [] }
            }
            change.completion?(.success(Done(revision: change.revision, added: added)))
        }
        write()
    }

    /// Refuses all waiting changes.
    func refuseAll(_ error: WireError) {
        let all = changes
        changes = []
        next = queue
        for change in all { change.completion?(.failure(error)) }
        // People who came and left meanwhile did so all the same: presence is compared once more.
        core.loop.schedule(after: .seconds(1)) { [weak self] in
            guard let self, let home = core.rooms[room] else { return }
            lookWhoIsHere { home.isHere($0) }
        }
    }

    private static func order(of queue: PartyQueue) -> [Int64]? {
        queue.rules.ordering == .votes ? queue.order.map(\.rawValue) : nil
    }

    // MARK: Showing

    /// A page of the state in force, with one person's own votes.
    func page(_ request: QueueGet, for uid: UserID, activeListeners: Int) -> QueuePage {
        let all = queue.waitingEntries + queue.pending
        let asked = all.dropFirst(request.offset).prefix(request.limit)
        let entries = asked.lazy.map { QueuedTrack($0, self.people) }.fitting(Limits.queueBytesMax)
        let end = request.offset + entries.count
        let votes = queue.votes(of: uid)
        return QueuePage(
            revision: revision, rules: queue.rules, repeatMode: queue.repeatMode,
            now: queue.playing.map { QueueNow($0, people) }, skipVotes: queue.skipVotes,
            skipVotesNeeded: queue.rules.skipVotesNeeded(activeListeners: activeListeners),
            waitingCount: queue.waitingEntries.count, pendingCount: queue.pending.count, entries: entries,
            nextOffset: !entries.isEmpty && end < all.count ? end : nil, order: order,
            ownVotes: QueuePage.OwnVotes(
                up: votes.up.map(\.rawValue), down: votes.down.map(\.rawValue), skip: votes.skips))
    }
}
