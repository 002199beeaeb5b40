internal import CLibwebsockets

/// Many connections of one loop that are sent the same frames.
///
/// Each frame is written into a ring once. Members that keep up get it, with other frames they have not had yet, in one
/// write straight out of the ring. That costs a system call and a few loads and stores in a flat array: no allocation,
/// no reference counted, no table looked up. A member that does not keep up is put aside (`behind`) and costs the
/// others nothing; its owner decides what to do with it (`catchUp`, `skip`).
///
/// On the loop only.
public final class FanOut {
    /// One connection's place. Valid until `remove`.
    public final class Member {
        /// The member's connection, on the loop of this fan-out.
        public let connection: WebSocketConnection
        fileprivate var index = 0
        /// The time since which it has been behind without a break, µs; `nil` while it keeps up.
        public fileprivate(set) var behindSince: Int64?
        /// Something was left out for it: the next frame is to say so.
        public var isBroken = false { didSet { owner?.refresh(self) } }
        /// Whether it was made to `skip` something since it fell behind.
        public fileprivate(set) var hasSkipped = false
        /// Frames it was never sent: for its owner to count.
        public var skipped: UInt32 = 0
        /// Number of the announcement it gets next, unless that one is no longer held.
        fileprivate var nextAnnouncement = 0
        /// Not weak, which would make every reference to the owner expensive. Safe because the owner clears it when it
        /// goes.
        fileprivate unowned(unsafe) var owner: FanOut?
        /// Whether it has not been removed.
        public var isInside: Bool { owner != nil }

        fileprivate init(_ connection: WebSocketConnection) { self.connection = connection }
    }

    /// The part of a member that the loop over all members reads: 40 bytes for each.
    private struct Slot {
        /// The address of libwebsockets' state of the socket, present or past, if a write reads that state. It is only
        /// fetched ahead, which no address can harm.
        var ahead: UnsafeRawPointer?
        /// Belongs to the connection, which `member` holds.
        var socket: UnsafeMutablePointer<WebSocketConnection.Readiness>
        /// Number of the frame it is owed next; `.max` for members that get no frames.
        var next: Int
        /// Retained for as long as it is in the list.
        var member: Unmanaged<Member>
        /// The group it belongs to; groups are served in turn.
        var phase: UInt8
        /// It keeps up.
        var isSteady: Bool
        /// Something was left out.
        var isBroken = false
    }

    /// The result of sending.
    public struct Sent {
        /// Frames handed to sockets.
        public var frames = 0
        /// Writes that carried them.
        public var writes = 0

        /// Counters that start at the given values.
        public init(frames: Int = 0, writes: Int = 0) {
            self.frames = frames
            self.writes = writes
        }
    }

    /// Into how many groups members are spread. Whoever serves fewer at a time takes groups together.
    public static let phaseCount = 6

    /// Bytes of libwebsockets' state of a socket that a write reads. Fetching them ahead makes a delivery 4 % cheaper.
    private static let socketBytes = 832

    private var ring: FrameRing
    private var slots: UnsafeMutablePointer<Slot>
    private var capacity = 4
    /// Members at present, those that are behind included.
    public private(set) var count = 0
    private var phaseSizes = [Int](repeating: 0, count: phaseCount)
    /// Those that do not keep up.
    public private(set) var behind: [Member] = []
    private let core: LoopCore
    /// Announcements that nobody, or not everybody, has been told yet.
    private var announcements: [WebSocketFrame] = []
    /// Number of the first of them.
    private var firstAnnouncement = 0
    private var announcementBytes = 0
    /// Most bytes of announcements kept for one write: the connection copies the part that a socket does not take.
    private static let announcementBytesMax = 16 << 10

    /// - Parameter number: The number of the first frame.
    public init(on loop: EventLoop, from number: Int) {
        core = loop.core
        ring = FrameRing(from: number)
        slots = .allocate(capacity: capacity)
    }

    deinit {
        for index in 0..<count {
            slots[index].member._withUnsafeGuaranteedRef { $0.owner = nil }
            slots[index].member.release()
        }
        slots.deallocate()
    }

    // MARK: Members

    /// - Parameter takesFrames: Whether it gets the frames of the ring, from the next one on, or announcements only.
    public func add(_ connection: WebSocketConnection, takesFrames: Bool) -> Member {
        let member = Member(connection)
        member.owner = self
        member.index = count
        member.nextAnnouncement = firstAnnouncement + announcements.count
        if count == capacity { grow() }
        let phase = phaseSizes.indices.min { phaseSizes[$0] < phaseSizes[$1] } ?? 0
        phaseSizes[phase] += 1
        (slots + count).initialize(
            to: Slot(
                ahead: connection.readiness.pointee.isTLS ? UnsafeRawPointer(connection.readiness.pointee.wsi) : nil,
                socket: connection.readiness,
                next: takesFrames ? ring.end : .max, member: .passRetained(member), phase: UInt8(phase), isSteady: true)
        )
        count += 1
        return member
    }

    /// Takes a member out; does nothing if it is not in this fan-out. Its connection stays open.
    public func remove(_ member: Member) {
        guard member.owner === self else { return }
        tell(member)
        member.owner = nil
        if member.behindSince != nil { forgetBehind(member) }
        let index = member.index
        phaseSizes[Int(slots[index].phase)] -= 1
        count -= 1
        if index != count {
            slots[index] = slots[count]
            slots[index].member._withUnsafeGuaranteedRef { $0.index = index }
        }
        Unmanaged.passUnretained(member).release()
    }

    /// All of them, in no order. O(members).
    public var members: [Member] { (0..<count).map { slots[$0].member.takeUnretainedValue() } }

    private func grow() {
        let larger = UnsafeMutablePointer<Slot>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: slots, count: count)
        slots.deallocate()
        slots = larger
        capacity *= 2
    }

    fileprivate func refresh(_ member: Member) {
        slots[member.index].isSteady = member.behindSince == nil
        slots[member.index].isBroken = member.isBroken
    }

    // MARK: Frames

    /// Number of the oldest frame held, and of the one that comes next.
    public var first: Int { ring.first }
    /// Number that the next appended frame will get.
    public var end: Int { ring.end }

    /// Number of the oldest held frame that a member that keeps up has not got; `end` if there is none. O(members).
    public var firstOwed: Int {
        var oldest = ring.end
        for index in 0..<count where slots[index].isSteady { oldest = min(oldest, slots[index].next) }
        return max(oldest, ring.first)
    }

    /// Adds a binary message; nothing is sent yet. Returns its bytes on the wire.
    ///
    /// - Parameter due: By when it should have arrived, µs.
    @discardableResult
    public func append(binary payload: [UInt8], due: Int64) -> Int {
        // A small room's members come into the cache meanwhile, and the first of them below.
        sona_prefetch(slots, min(count, Self.phaseCount * 2) * MemoryLayout<Slot>.stride)
        let bytes = ring.append(binary: payload, due: due)
        if count > 0 {
            sona_prefetch(slots[0].socket, 1)
            if let ahead = slots[0].ahead { sona_prefetch(ahead, Self.socketBytes) }
        }
        if count > 1 { sona_prefetch(slots[1].socket, 1) }
        return bytes
    }

    /// Adds bytes that connections of `EventLoop.stream` are sent as they are; nothing is sent yet.
    ///
    /// - Parameter due: As in `append(binary:due:)`.
    @discardableResult
    public func append(raw bytes: [UInt8], due: Int64) -> Int { ring.append(raw: bytes, due: due) }

    /// The time by which a held frame should have arrived, µs.
    public func due(_ number: Int) -> Int64 { ring.due(number) }

    /// Bytes of all frames held.
    public var heldBytes: Int { ring.usedBytes }

    /// Forgets the oldest frames that were due before `now`, and as many more as leaves no more than `bytesMax` on the
    /// wire; who has not got them never will.
    public func drop(dueBefore now: Int64, bytesMax: Int) { ring.drop(dueBefore: now, bytesMax: bytesMax) }

    /// A frame as it goes over the wire.
    public func withFrame<Result>(_ number: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(ring.frame(number))
    }

    /// Sends members that keep up the frames they have not got yet. O(members).
    ///
    /// - Parameters:
    ///   - group: The group of members it goes to, and the number of groups; `nil` for all members.
    ///   - now: µs of `MonotonicClock`.
    public func send(group: (index: Int, count: Int)?, now: Int64) -> Sent {
        // A bit for each phase.
        var phases = UInt8.max
        if let group {
            phases = 0
            for phase in 0..<Self.phaseCount where phase % group.count == group.index { phases |= 1 << UInt8(phase) }
        }
        let (first, end, count, slots) = (ring.first, ring.end, self.count, self.slots)
        var sent = Sent()
        var bytes = 0
        // Most are owed the same: the run is looked up once.
        var from = -1
        var run = ring.emptyRun
        var index = 0
        while index < count {
            let slot = slots + index
            index &+= 1
            // While this one is written to, the next but one's state comes into the cache, and the next one's socket.
            if index &+ 1 < count { sona_prefetch(slots[index &+ 1].socket, 1) }
            if index < count, slots[index].next < end, let ahead = slots[index].ahead,
                phases &>> slots[index].phase & 1 != 0
            {
                sona_prefetch(ahead, Self.socketBytes)
            }
            while slot.pointee.next < end, slot.pointee.isSteady,
                phases &>> slot.pointee.phase & 1 != 0
            {
                let next = slot.pointee.next
                // A member whose next frame has to say that something is missing is not served here.
                let socket = slot.pointee.socket
                guard next >= first, !slot.pointee.isBroken, socket.pointee.isClear, let wsi = socket.pointee.wsi else {
                    fallBehind(slot, now: now)
                    break
                }
                if next != from { (from, run) = (next, ring.run(from: next)) }
                let isTLS = socket.pointee.isTLS
                let taken = sona_socket_send(wsi, socket.pointee.descriptor, isTLS ? 1 : 0, run.start, run.count)
                if taken < run.count {
                    // A failed write is followed by the socket's close callback.
                    guard taken >= 0 else { break }
                    guard taken > 0 || isTLS else {
                        fallBehind(slot, now: now)
                        break
                    }
                    // The connection finishes a short write before it sends anything else.
                    slot.pointee.member._withUnsafeGuaranteedRef {
                        $0.connection.keep(run.start + taken, run.count - taken)
                    }
                }
                slot.pointee.next = run.end
                sent.frames &+= run.end &- next
                sent.writes &+= 1
                bytes &+= run.count
            }
        }
        core.figures.messagesOut &+= UInt64(sent.frames)
        core.figures.bytesOut &+= UInt64(bytes)
        return sent
    }

    // MARK: Announcements

    /// Has everybody sent a message of its own with `tellAll`, in one write with others of the same time.
    ///
    /// A caller that sends a member something which must come after the announcement calls `tell` first.
    ///
    /// - Returns: Whether it is the first that waits, and its owner is to see to `tellAll`.
    public func announce(_ frame: WebSocketFrame) -> Bool {
        if announcementBytes + frame.count > Self.announcementBytesMax { tellAll() }
        announcements.append(frame)
        announcementBytes += frame.count
        return announcements.count == 1
    }

    /// Sends everybody the announcements that wait; they wait in the connection's queue where they have to. O(members).
    ///
    /// - Returns: How many members were sent something.
    @discardableResult
    public func tellAll() -> Int {
        guard !announcements.isEmpty else { return 0 }
        let (frames, first) = (announcements, firstAnnouncement)
        announcements.removeAll(keepingCapacity: frames.count <= 64)
        announcementBytes = 0
        firstAnnouncement = first + frames.count
        let all = frames.count == 1 ? frames[0] : WebSocketFrame(of: frames)
        var told = 0
        for index in 0..<count {
            slots[index].member._withUnsafeGuaranteedRef { member in
                let next = max(member.nextAnnouncement, first)
                guard next < firstAnnouncement else { return }
                member.nextAnnouncement = firstAnnouncement
                told += 1
                if next == first { return member.connection.send(all) }
                for frame in frames[(next - first)...] { member.connection.send(frame) }
            }
        }
        return told
    }

    /// Sends one member the announcements that wait for it.
    public func tell(_ member: Member) {
        guard !announcements.isEmpty, member.owner === self else { return }
        let end = firstAnnouncement + announcements.count
        let next = max(member.nextAnnouncement, firstAnnouncement)
        guard next < end else { return }
        member.nextAnnouncement = end
        for frame in announcements[(next - firstAnnouncement)...] { member.connection.send(frame) }
    }

    // MARK: Those behind

    /// Number of the frame a member is owed next.
    public func next(of member: Member) -> Int { slots[member.index].next }

    private func fallBehind(_ slot: UnsafeMutablePointer<Slot>, now: Int64) {
        let member = slot.pointee.member.takeUnretainedValue()
        guard member.connection.isOpen else { return }
        putAside(member, since: now)
        member.connection.requestWritable()
    }

    /// Sends a member nothing more until it is asked for (`catchUp`).
    ///
    /// - Parameter since: When it was the last to have everything, µs.
    public func putAside(_ member: Member, since: Int64) {
        guard member.behindSince == nil else { return }
        member.behindSince = since
        member.hasSkipped = false
        behind.append(member)
        refresh(member)
    }

    private func forgetBehind(_ member: Member) {
        member.behindSince = nil
        if let place = behind.firstIndex(where: { $0 === member }) { behind.swapAt(place, behind.count - 1) }
        behind.removeLast()
    }

    /// Leaves out the frames before `number` for a member.
    public func skip(_ member: Member, to number: Int) {
        slots[member.index].next = number
        member.hasSkipped = true
    }

    /// Sends a member one frame in the place of the one it is owed.
    ///
    /// - Returns: Whether it took it.
    public func send(_ frame: WebSocketFrame, inPlaceOfNextTo member: Member) -> Bool {
        guard case .written = member.connection.writeNow(frame) else { return false }
        slots[member.index].next += 1
        return true
    }

    /// Bytes of one write to a member that is behind. The connection copies the part that the socket does not take, and
    /// sends it before anything else.
    private static let catchUpBytesMax = 4096

    /// Sends a member the frames it is owed, as far as its socket takes them. Once it has all of them it keeps up
    /// again.
    ///
    /// - Returns: The frames and writes that the member was sent.
    public func catchUp(_ member: Member) -> Sent {
        var sent = Sent()
        while slots[member.index].next < ring.end {
            let next = slots[member.index].next
            guard next >= ring.first else { return sent }
            let run = ring.run(from: next, bytesMax: Self.catchUpBytesMax)
            switch member.connection.writeNow(run.start, run.count, messages: run.end - next) {
            case .written:
                slots[member.index].next = run.end
                sent.frames += run.end - next
                sent.writes += 1
            case .blocked:
                member.connection.requestWritable()
                return sent
            case .dead: return sent
            }
        }
        if member.behindSince != nil { forgetBehind(member) }
        refresh(member)
        return sent
    }

    /// Calls `body` with each member that keeps up and is sent frames.
    public func forEachSteady(_ body: (Member) -> Void) {
        for index in 0..<count where slots[index].isSteady && !slots[index].isBroken && slots[index].next != .max {
            body(slots[index].member.takeUnretainedValue())
        }
    }
}
