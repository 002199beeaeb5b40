internal import SonaEventLoop
internal import SonaWire

/// Limits on what a connection sends, applied where it arrives: before it crosses to the session's loop, and before it
/// is parsed. All on the connection's loop.
///
/// Source: Protocol/spec/connection.md, "Silence and haste".
extension ClientLink {
    /// Bytes that a text message counts besides its own: reading and answering the smallest costs as much as parsing
    /// these.
    private static let textCost = 1_024
    /// How far an address may overdraw its allowance before its connections are closed, as time to refill, µs.
    private static let overdraftMax: Int64 = 4_000_000
    private static let overdraftPause: Int64 = 500_000
    private static let refusalInterval: Int64 = 1_000_000

    /// Counts the bytes of a text message. A connection that has sent too many is not read from until half a second's
    /// worth is available again. It is closed at the twentieth time within a minute.
    ///
    /// An address that has sent too many over all its connections is not read from either. That alone closes no
    /// connection, because other people may use the same address. But text that arrives by ever new connections would
    /// be read in any case, so connections are closed when their address has overdrawn too far.
    ///
    /// - Returns: Whether the message is to be processed.
    func isTextAllowed(_ count: Int, now: Int64) -> Bool {
        let cost = count + Self.textCost
        let own = text.use(cost, of: .connection, now: now)
        let shared = limitedAddress.map { hub.noteText(cost, of: $0, now: now) } ?? 0
        guard own > 0 || shared > 0 else { return true }
        if shared > Self.overdraftMax || own > 0 && ensureBacklog().overdrafts.add(now: now) {
            end(.text, "too many bytes of text")
            return false
        }
        holdBack(until: now + max(own, shared) + Self.overdraftPause)
        return true
    }

    /// Whether a binary message goes to the session.
    ///
    /// A host's message from a connection that is not the host is refused here. Only one such message a second goes to
    /// the session, which answers it.
    func isHeard(_ bytes: UnsafeRawBufferPointer, now: Int64) -> Bool {
        if ClientFrame.isIgnorable(bytes) {
            // A newer client may send many; a connection that floods is closed.
            if ensureBacklog().ignored.add(now: now, .ignored) {
                end(.frames, "too many messages of types that are unknown")
            }
            return false
        }
        guard ClientFrame.isForHosts(bytes), backlog?.isSeated != true else { return true }
        // A malformed message goes to the session each time: it is answered, and counts as malformed.
        do throws(WireError) { _ = try ClientFrame(parsing: bytes) } catch {
            if error.code == .frameMalformed { return true }
        }
        hub.figures.conduct.count(.notHost)
        let backlog = ensureBacklog()
        let isLate = now <= backlog.lostSeatUntil && !backlog.late.add(now: now, .late)
        if !isLate, backlog.floods.add(now: now) {
            end(.frames, "too many frames of somebody who is not the host")
            return false
        }
        guard now - backlog.refusedAt >= Self.refusalInterval else { return false }
        backlog.refusedAt = now
        return true
    }

    /// Whether a time probe is answered. A connection that goes on sending more is closed.
    func mayProbe(now: Int64) -> Bool {
        guard probes.add(now: now, .probes) else { return true }
        hub.figures.conduct.count(.probe)
        if ensureBacklog().floods.add(now: now) { end(.frames, "too many time probes") }
        return false
    }

    private func end(_ end: ConductEnd, _ reason: String) {
        if isOpen { hub.figures.conduct.count(end) }
        close(CloseCode.flood.rawValue, reason)
    }

    /// Notes whether its session has a host seat. From anywhere.
    func setSeated(_ isSeated: Bool) {
        mailbox.tell { [self] _ in
            if !isSeated, backlog?.isSeated == true {
                backlog?.lostSeatUntil = MonotonicClock.nowMicroseconds() + FloodCounter.lateMicroseconds
            }
            if isSeated || backlog != nil { ensureBacklog().isSeated = isSeated }
        }
    }
}
