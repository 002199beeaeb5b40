import Glibc

extension Generator {
    /// Reads what a socket has, and takes out of it whatever is complete.
    ///
    /// - Parameter toTheEnd: The server has closed its side: there will be no other edge.
    func receive(_ index: Int, toTheEnd: Bool) {
        let connection = connections + index
        var more: Bool
        repeat {
            var have = connection.pointee.keptCount
            if have > 0 { memcpy(input, connection.pointee.kept!, have) }
            let space = Self.inputBytesMax - have
            let count =
                if let session = connection.pointee.session { Secure.read(session, input + have, space) } else {
                    recv(connection.pointee.descriptor, input + have, space, 0)
                }
            if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
            if count <= 0 { return lose(index, "closed by the server") }
            // epoll does not report bytes that OpenSSL has decrypted already.
            more = toTheEnd || count == space || connection.pointee.session != nil
            have += count
            let used = take(index, have, at: Clock.now)
            if connection.pointee.phase == .closed { return }
            keep(connection, from: used, have)
        } while more
    }

    private func keep(_ connection: UnsafeMutablePointer<Connection>, from used: Int, _ have: Int) {
        let rest = have - used
        if rest == 0 && connection.pointee.keptCount == 0 { return }
        connection.pointee.kept?.deallocate()
        connection.pointee.kept = nil
        connection.pointee.keptCount = rest
        if rest == 0 { return }
        let kept = UnsafeMutablePointer<UInt8>.allocate(capacity: rest)
        memcpy(kept, input + used, rest)
        connection.pointee.kept = kept
    }

    /// - Returns: How many bytes were used.
    private func take(_ index: Int, _ have: Int, at now: UInt64) -> Int {
        var used = 0
        if connections[index].phase == .upgrading {
            used = headBytes(have)
            if used == 0 || !upgraded(index, UnsafeBufferPointer(start: input, count: used)) { return used }
        }
        // A server's frame, RFC 6455 section 5.2: it is not masked, and so has 2, 4 or 10 bytes before its payload.
        while have - used >= 2 {
            let frame = input + used
            var length = Int(frame[1])
            var header = 2
            if length == 126 {
                if have - used < 4 { break }
                length = Int(frame[2]) << 8 | Int(frame[3])
                header = 4
            } else if length >= 127 {
                lose(index, "a frame that is masked or above 64 KiB")
                return used
            }
            if have - used < header + length { break }
            let opcode = frame[0]
            if opcode == 0x82 {
                packet(index, frame + header, length, now)
            } else {
                other(index, opcode, UnsafeBufferPointer(start: frame + header, count: length))
                if connections[index].phase == .closed { return used }
            }
            used += header + length
        }
        return used
    }

    private func headBytes(_ have: Int) -> Int {
        guard have >= 4 else { return 0 }
        for at in 0...(have - 4)
        where input[at] == 13 && input[at + 1] == 10 && input[at + 2] == 13 && input[at + 3] == 10 { return at + 4 }
        return 0
    }

    private func other(_ index: Int, _ opcode: UInt8, _ payload: UnsafeBufferPointer<UInt8>) {
        tallies[Int(roomSides[Int(connections[index].room)])].others &+= 1
        switch opcode {
        case 0x81: hear(index, payload)
        case 0x89: answerPing(index, payload)
        case 0x8A: break
        case 0x88:
            let code = payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : 0
            lose(index, "closed by the server with \(code)")
        default: lose(index, "a frame that begins with \(opcode)")
        }
    }

    @inline(__always)
    private func packet(_ index: Int, _ bytes: UnsafePointer<UInt8>, _ count: Int, _ now: UInt64) {
        let side = Int(roomSides[Int(connections[index].room)])
        let raw = UnsafeRawPointer(bytes)
        guard count >= AudioMessage.tailBytes else { return }
        if !isSona[side] {
            note(index, side, raw.loadUnaligned(fromByteOffset: count - 16, as: UInt64.self), raw + count, now)
        } else if bytes[0] == 0x10 {
            let sequence = UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            note(index, side, UInt64(sequence), raw + count, now)
        } else if bytes[0] == 0x11 {
            bundle(index, side, raw, count, now)
        }
    }

    private func bundle(_ index: Int, _ side: Int, _ bytes: UnsafeRawPointer, _ count: Int, _ now: UInt64) {
        guard count >= 17 else { return }
        let first = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        var at = 17
        for number in 0..<UInt32(bytes.load(fromByteOffset: 16, as: UInt8.self)) {
            guard count >= at + 6 else { return }
            at += 6 + Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt16.self)))
            guard count >= at else { return }
            note(index, side, UInt64(first + number), bytes + at, now)
        }
    }

    /// - Parameter end: The end of the packet. The eight bytes before it are its time of sending.
    @inline(__always)
    private func note(_ index: Int, _ side: Int, _ sequence: UInt64, _ end: UnsafeRawPointer, _ now: UInt64) {
        let connection = connections + index
        let tally = tallies + side
        if connection.pointee.received > 0 {
            if sequence < connection.pointee.expected {
                tally.pointee.disordered &+= 1
                return
            }
            tally.pointee.skipped &+= sequence - connection.pointee.expected
        }
        connection.pointee.expected = sequence + 1
        connection.pointee.received &+= 1
        tally.pointee.deliveries &+= 1
        let sent = (end - 8).loadUnaligned(as: UInt64.self)
        tally.pointee.delays.add(now > sent ? now - sent : 0)
    }
}
