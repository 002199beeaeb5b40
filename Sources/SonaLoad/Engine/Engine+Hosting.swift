internal import Glibc
internal import SonaBase
internal import SonaWire

extension Engine {
    var period: UInt64 { UInt64((scenario.frameMilliseconds * 1e6).rounded()) }

    /// The host has its seat, for the first time or again.
    func hostStarted(_ slot: Int, _ started: HostStarted) {
        let number = Int(clients[slot].room)
        let room = rooms[number]
        let isFirst = room.start == 0
        opening -= 1
        clients[slot].phase = .open
        clients[slot].inSince = LoadClock.now
        room.epoch = started.epoch
        room.epochFirst = room.sent
        room.isPlaying = true
        if clients[slot].isReturning {
            clients[slot].isReturning = false
            counts.pointee.reconnects += 1
        }
        guard isFirst else { return }
        // A packet should be with the server a lead before it sounds, and the first epoch begins later than that.
        let now = LoadClock.now
        let wait = started.startMicroseconds &- started.leadMicroseconds &- (Int64(now / 1000) &+ clockOffset)
        let host = plan.hosts[number]
        room.firstPacket = host.firstPacket
        room.start = now + UInt64(min(max(wait, 0), 5_000_000)) * 1000 + host.phase
        agenda.add(.packet, number, at: room.start)
    }

    /// One packet of a room's host. The next is due a period after this one *was due*, however late it is: a late host
    /// catches up and leaves nothing out.
    func sendPacket(_ number: Int, due: UInt64, _ now: UInt64) {
        guard !hostsAreDone else { return }
        let room = rooms[number]
        let packetNumber = room.sent
        room.sent += 1
        agenda.add(.packet, number, at: room.start + room.sent * period)
        if began > 0 { times.sendLateness.record(nanoseconds: now - due) }
        let packet = bank.packets[(room.firstPacket + Int(packetNumber)) % bank.packets.count]
        let payload = AudioUp.headerBytes + packet.count
        let header = WebSocketFrames.headerBytes(payload)
        let start = room.message
        WebSocketFrames.writeHeader(WebSocketFrames.binary, payload: payload, to: start)
        let own = packetNumber - room.epochFirst
        let audio = start + header
        // AUDIO_UP, Protocol/spec/hosting.md.
        audio.storeBytes(of: 0x20, as: UInt8.self)
        audio.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
        audio.storeBytes(of: room.epoch.bigEndian, toByteOffset: 2, as: UInt16.self)
        audio.storeBytes(of: UInt32(truncatingIfNeeded: own).bigEndian, toByteOffset: 4, as: UInt32.self)
        storeUnaligned((own * UInt64(bank.samples)).bigEndian, audio + 8)
        audio.storeBytes(of: UInt32(bank.samples).bigEndian, toByteOffset: 16, as: UInt32.self)
        packet.withUnsafeBytes { _ = memcpy(audio + AudioUp.headerBytes, $0.baseAddress!, $0.count) }
        var stamp = [UInt8](repeating: 0, count: PacketStamp.bytes)
        stamp.withUnsafeMutableBytes { bytes in
            PacketStamp(run: run, room: UInt16(truncatingIfNeeded: number), number: packetNumber, due: due)
                .write(endingAt: bytes.baseAddress! + bytes.count)
            _ = memcpy(audio + payload - PacketStamp.bytes, bytes.baseAddress!, bytes.count)
        }
        if room.isPlaying && transmit(number, start, header + payload) {
            counts.pointee.packetsSent += 1
        } else {
            missed(room, packetNumber)
        }
    }

    private func storeUnaligned(_ value: UInt64, _ place: UnsafeMutableRawPointer) {
        withUnsafeBytes(of: value) { _ = memcpy(place, $0.baseAddress!, $0.count) }
    }

    private func missed(_ room: LoadRoom, _ number: UInt64) {
        counts.pointee.unsent += 1
        note("host.unsent", "The server did not take a host's packet when it was due.")
        if let last = room.unsent.last, last.upperBound == number {
            room.unsent[room.unsent.count - 1] = last.lowerBound..<(number + 1)
        } else {
            room.unsent.append(number..<(number + 1))
        }
    }
}
