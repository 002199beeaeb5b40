internal import CLoad
internal import Glibc
internal import SonaBase
internal import SonaWire

extension Engine {
    private static let ok = Array(#"{"type":"ok""#.utf8)
    private static let error = Array(#"{"type":"error""#.utf8)

    /// A text message: the answer to a step, to something the plan asked for, or an event.
    func hear(_ slot: Int, _ text: UnsafeBufferPointer<UInt8>, _ now: UInt64) {
        // Members come in any order. Once it is in, a client hears thousands of events and hardly a reply; until then
        // each message is parsed.
        let isIn = clients[slot].phase == .open || clients[slot].phase == .leaving
        if isIn && !text.starts(with: Self.ok) && !text.starts(with: Self.error) { return event(slot, text) }
        guard let message = try? ServerMessage(parsing: UnsafeRawBufferPointer(text)) else {
            return note("reply.unreadable", "A reply of the server can't be read.")
        }
        switch message {
        case .ok(let id, let data):
            if let (kind, microseconds) = RequestNumber.read(id) { return confirmed(kind, microseconds, now) }
            stepDone(slot, data)
        case .error(let id, let error):
            let isStep = id.map { RequestNumber.read($0) == nil } ?? false
            guard isStep, clients[slot].phase != .open, clients[slot].phase != .leaving else {
                return note(error.code.text, "\(error.message)")
            }
            if error.code.text.hasPrefix("auth.token") {
                // A guest's token lasts only for a while: a client that comes back later is a new guest.
                guestTokens[slot] = nil
                resumeTokens[slot] = nil
                if clients[slot].role == .host && !mayRenew(slot) {
                    return fail(
                        slot, error.code.text,
                        "\(error.message) The token of --token can't be renewed: without --token accounts are made, and it is."
                    )
                }
            }
            fail(slot, error.code.text, error.message)
        case .event: event(slot, text)
        }
    }

    private func confirmed(_ kind: RequestNumber.Kind, _ microseconds: Int64, _ now: UInt64) {
        switch kind {
        case .chat:
            counts.pointee.chatConfirmed += 1
            let elapsed = Int64((now - made) / 1000) - microseconds
            times.chat.record(microseconds: UInt64(max(0, elapsed)))
        case .reaction: counts.pointee.reactionsConfirmed += 1
        }
    }

    // MARK: Events

    /// Only the number of an event is of interest, for resuming; so it is not parsed, but looked through as far as `data`.
    private func event(_ slot: Int, _ text: UnsafeBufferPointer<UInt8>) {
        guard clients[slot].role == .listener, let base = text.baseAddress else { return }
        let length = min(text.count, 192)
        guard let seq = find(#","seq":"#, in: base, length) else { return }
        var number: Int64 = 0
        var at = seq
        while at < text.count, 0x30...0x39 ~= base[at] {
            number = number &* 10 &+ Int64(base[at] - 0x30)
            at += 1
        }
        if find(#","room":""#, in: base, seq) != nil {
            clients[slot].roomSequence = max(clients[slot].roomSequence, number)
        } else {
            clients[slot].sessionSequence = max(clients[slot].sessionSequence, number)
        }
    }

    /// - Returns: The place after the first occurrence.
    private func find(_ key: StaticString, in base: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let count = key.utf8CodeUnitCount
        guard let found = memmem(base, length, key.utf8Start, count) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base) + count
    }
}
