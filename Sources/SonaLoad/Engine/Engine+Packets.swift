internal import CLoad
internal import Glibc
internal import SonaBase

extension Engine {
    // Bits of the flags, Protocol/spec/audio.md, "Flags".
    private static let discontinuity: UInt8 = 1
    private static let repetition: UInt8 = 2 | 16

    /// A binary message.
    @inline(__always)
    func message(_ slot: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int, _ now: UInt64) {
        let raw = UnsafeRawPointer(bytes)
        switch count > 0 ? bytes[0] : 0 {
        case 0x10:
            guard count > 20 else { return }
            let sequence = UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            packet(slot, bytes[1], sequence, raw + count, count - 20, now, isLive: bytes[1] & Self.repetition == 0)
        case 0x11: bundle(slot, raw, count, now)
        case 0x02: clockAnswer(slot, UnsafeRawBufferPointer(start: raw, count: count), now)
        default: break
        }
    }

    /// BUNDLE_DN: the packets with which a join or a return begins.
    private func bundle(_ slot: Int, _ bytes: UnsafeRawPointer, _ count: Int, _ now: UInt64) {
        guard count >= 17 else { return }
        let flags = bytes.load(fromByteOffset: 1, as: UInt8.self)
        let first = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        var at = 17
        for number in 0..<UInt32(bytes.load(fromByteOffset: 16, as: UInt8.self)) {
            guard count >= at + 6 else { return }
            let length = Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt16.self)))
            at += 6 + length
            guard count >= at else { return }
            // DISCONTINUITY is the first packet's alone.
            let own = number == 0 ? flags : flags & ~Self.discontinuity
            packet(slot, own, first &+ number, bytes + at, length, now, isLive: false)
        }
    }

    /// - Parameters:
    ///   - sequence: The server's number, which is used for resuming alone.
    ///   - end: The end of the Opus packet, which has `count` bytes.
    ///   - isLive: Whether it comes as it was sent, and so has a delay that says something.
    @inline(__always)
    private func packet(
        _ slot: Int, _ flags: UInt8, _ sequence: UInt32, _ end: UnsafeRawPointer, _ count: Int, _ now: UInt64,
        isLive: Bool
    ) {
        let client = clients + slot
        guard let stamp = PacketStamp(endingAt: end, count: count), stamp.run == run,
            stamp.room == UInt16(truncatingIfNeeded: client.pointee.room),
            // A packet that has not been sent yet is not ours, however it got its stamp.
            stamp.number < rooms[Int(client.pointee.room)].sent
        else { return counts.pointee.foreign &+= 1 }
        client.pointee.sequence = sequence
        client.pointee.hasSequence = true
        if !client.pointee.hasHeard { firstHeard(slot, now) }
        let tally = tallies + Int(client.pointee.reader.rawValue)
        let number = stamp.number
        if number == client.pointee.next && number < client.pointee.end && number >= client.pointee.first {
            client.pointee.next = number + 1
            if client.pointee.isReturning { returned(slot, now) }
        } else if !takeUnexpected(slot, flags, number, now, isLive: isLive) {
            return
        }
        tally.pointee.received &+= 1
        if !isLive {
            tally.pointee.replayed &+= 1
        } else if client.pointee.reader == .ordinary {
            delays.pointee.record(nanoseconds: now > stamp.due ? now - stamp.due : 0)
        }
    }

    /// A packet that is not the next one.
    ///
    /// - Returns: Whether it counts as received.
    private func takeUnexpected(_ slot: Int, _ flags: UInt8, _ number: UInt64, _ now: UInt64, isLive: Bool) -> Bool {
        let client = clients + slot
        let tally = tallies + Int(client.pointee.reader.rawValue)
        // Also before the span is known: then `first` is the greatest number.
        guard number >= client.pointee.first else {
            tally.pointee.before &+= 1
            return false
        }
        guard number < client.pointee.end else { return false }
        if number > client.pointee.next {
            let numbers = client.pointee.next..<number
            let isOwnFault = rooms[Int(client.pointee.room)].unsent.contains { $0.overlaps(numbers) }
            let cause: Gap.Cause =
                client.pointee.isReturning
                ? .away : flags & Self.discontinuity != 0 && !isOwnFault ? .skipped : .missing
            open(Gap(numbers: numbers, cause: cause), slot)
            client.pointee.next = number + 1
            if client.pointee.isReturning { returned(slot, now) }
            return true
        }
        guard client.pointee.hasGaps, fill(number, slot) else {
            if number < client.pointee.joinFloor { tally.pointee.before &+= 1 } else { tally.pointee.duplicates &+= 1 }
            return false
        }
        if isLive { tally.pointee.outOfOrder &+= 1 }
        return true
    }

    private func open(_ gap: Gap, _ slot: Int) {
        gaps[slot, default: []].append(gap)
        clients[slot].hasGaps = true
        count(gap.numbers.count, gap.cause, Int(clients[slot].reader.rawValue))
    }

    private func count(_ number: Int, _ cause: Gap.Cause, _ reader: Int) {
        switch cause {
        case .missing: tallies[reader].missing += number
        case .skipped: tallies[reader].skipped += number
        case .away: tallies[reader].away += number
        }
    }

    /// A packet that was missing has come.
    ///
    /// - Returns: Whether it was missing. The newest gaps are looked at first: that is where it lies, if anywhere.
    private func fill(_ number: UInt64, _ slot: Int) -> Bool {
        guard let place = gaps[slot]?.lastIndex(where: { $0.numbers.contains(number) }), let gap = gaps[slot]?[place]
        else {
            return false
        }
        let pieces = [gap.numbers.lowerBound..<number, (number + 1)..<gap.numbers.upperBound].filter { !$0.isEmpty }
        gaps[slot]?.replaceSubrange(place...place, with: pieces.map { Gap(numbers: $0, cause: gap.cause) })
        if gaps[slot]?.isEmpty == true {
            gaps[slot] = nil
            clients[slot].hasGaps = false
        }
        count(-1, gap.cause, Int(clients[slot].reader.rawValue))
        return true
    }

    private func firstHeard(_ slot: Int, _ now: UInt64) {
        let client = clients + slot
        client.pointee.hasHeard = true
        if client.pointee.reader == .ordinary {
            times.joins.record(nanoseconds: now > client.pointee.plannedAt ? now - client.pointee.plannedAt : 0)
        }
        switch client.pointee.reader {
        case .ordinary: break
        case .slow: break
        case .dead: watch(slot, Watch.endAlone, EPOLL_CTL_MOD)
        }
    }

    private func returned(_ slot: Int, _ now: UInt64) {
        let client = clients + slot
        client.pointee.isReturning = false
        times.reconnects.record(nanoseconds: now > client.pointee.lostAt ? now - client.pointee.lostAt : 0)
    }
}
