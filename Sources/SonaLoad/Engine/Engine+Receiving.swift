internal import Glibc

extension Engine {
    /// Reads the bytes that a socket has, and handles every complete frame among them.
    ///
    /// - Parameters:
    ///   - toTheEnd: The server has closed its side: there will be no other edge.
    ///   - limit: Bytes to read at most.
    ///   - now: The moment that counts as the time of receipt.
    func receive(_ slot: Int, toTheEnd: Bool, limit: Int, _ now: UInt64) {
        let client = clients + slot
        let generation = client.pointee.generation
        var left = limit
        var more: Bool
        repeat {
            var have = Int(client.pointee.keptCount)
            if have > 0 { memcpy(input, client.pointee.kept!, have) }
            let space = min(Self.inputBytesMax - have, left)
            let count =
                if let session = client.pointee.session { SecureSessions.read(session, input + have, space) } else {
                    recv(client.pointee.descriptor, input + have, space, 0)
                }
            if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
            if count <= 0 { return lost(slot, closeCode: 0) }
            counts.pointee.bytesReceived &+= count
            left -= count
            // epoll does not report bytes that OpenSSL has decrypted already.
            more = left > 0 && (toTheEnd || count == space || client.pointee.session != nil)
            have += count
            let used = take(slot, have, at: now)
            if client.pointee.descriptor < 0 || client.pointee.generation != generation { return }
            keep(client, from: used, have)
            if client.pointee.phase == .leaving { leaveIfComplete(slot) }
            if client.pointee.descriptor < 0 { return }
        } while more
    }

    private func keep(_ client: UnsafeMutablePointer<LoadClient>, from used: Int, _ have: Int) {
        let rest = have - used
        if rest == 0 && client.pointee.keptCount == 0 { return }
        client.pointee.kept?.deallocate()
        client.pointee.kept = nil
        client.pointee.keptCount = Int32(rest)
        if rest == 0 { return }
        let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: rest)
        memcpy(kept, input + used, rest)
        client.pointee.kept = kept
    }

    /// - Returns: How many bytes were used.
    private func take(_ slot: Int, _ have: Int, at now: UInt64) -> Int {
        var used = 0
        if clients[slot].phase == .answering {
            takeSignUpAnswer(slot, UnsafeBufferPointer(start: input, count: have), now)
            return 0
        }
        if clients[slot].phase == .upgrading {
            guard let end = HTTPHead.end(UnsafeBufferPointer(start: input, count: have)) else { return 0 }
            used = end
            if !upgraded(slot, UnsafeBufferPointer(start: input, count: used)) { return used }
        }
        // A server's frame, RFC 6455 section 5.2: it is not masked, and so has 2, 4 or 10 bytes before its payload.
        while have - used >= 2 {
            let frame = input + used
            var length = Int(frame[1])
            var header = 2
            if frame[0] & 8 != 0 && 126...127 ~= length {
                // RFC 6455 section 5.5: no control frame is longer than 125 bytes.
                protocolError(slot, "a control frame of more than 125 bytes")
                return used
            }
            if length == 126 {
                if have - used < 4 { break }
                length = Int(frame[2]) << 8 | Int(frame[3])
                header = 4
            } else if length == 127 {
                if have - used < 10 { break }
                let long = UnsafeRawPointer(frame).loadUnaligned(fromByteOffset: 2, as: UInt64.self).bigEndian
                header = 10
                guard long < UInt64(Self.inputBytesMax - header) else {
                    protocolError(slot, "a frame of \(long) bytes")
                    return used
                }
                length = Int(long)
            } else if length > 127 {
                protocolError(slot, "a masked frame")
                return used
            }
            if have - used < header + length { break }
            if frame[0] == 0x82 {
                message(slot, frame + header, length, now)
            } else {
                other(slot, frame[0], UnsafeBufferPointer(start: frame + header, count: length), now)
                if clients[slot].descriptor < 0 { return used }
            }
            used += header + length
        }
        return used
    }

    private func protocolError(_ slot: Int, _ what: String) {
        note("frame.unexpected", "The server sent \(what).")
        // It comes back as after any other loss: that one message was broken says nothing of the next.
        lost(slot, closeCode: 0, isNoted: true)
    }

    private func other(_ slot: Int, _ first: UInt8, _ payload: UnsafeBufferPointer<UInt8>, _ now: UInt64) {
        switch first {
        case 0x81:
            counts.pointee.textMessages &+= 1
            hear(slot, payload, now)
        case 0x89: answerPing(slot, payload)
        case 0x8A: break
        case 0x88: lost(slot, closeCode: payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 1005)
        default: protocolError(slot, "a frame that begins with \(first)")
        }
    }

    // MARK: Those who read badly

    /// How often slow readers read.
    static let slowReadingInterval: UInt64 = 100_000_000

    /// Lets slow readers read half of the incoming data: an interval's share of half the room's rate.
    func readSlowly(_ now: UInt64) {
        agenda.add(.slowReading, at: now + Self.slowReadingInterval)
        let bytes = scenario.packetsPerSecond * (bank.bytesMean + 24) * Double(Self.slowReadingInterval) / 1e9 / 2
        for slot in slowSlots where clients[slot].phase == .open || clients[slot].phase == .leaving {
            clients[slot].allowance = min(clients[slot].allowance + Int32(bytes.rounded(.up)), Int32(bytes * 4) + 4096)
            let allowance = Int(clients[slot].allowance)
            guard allowance > 0 else { continue }
            let before = counts.pointee.bytesReceived
            receive(slot, toTheEnd: false, limit: allowance, LoadClock.now)
            clients[slot].allowance -= Int32(clamping: counts.pointee.bytesReceived - before)
        }
    }

    /// The server has ended a connection that is not read, or no longer.
    func laggardEnded(_ slot: Int, _ now: UInt64) {
        // Reads the last bytes it sent, as far as they got through.
        receive(slot, toTheEnd: true, limit: Self.inputBytesMax, now)
        if clients[slot].descriptor >= 0 { lost(slot, closeCode: 0) }
    }
}
