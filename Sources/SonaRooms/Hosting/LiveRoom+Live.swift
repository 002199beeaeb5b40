internal import SonaAudio
package import SonaWire

/// The server's decision about a packet that the host has sent.
enum PacketFate: Sendable, Equatable {
    /// The packet has its place on the timeline.
    case taken
    /// Nobody hears the packet.
    case leftOut
    /// The packet begins a new epoch.
    case begins(at: Int64)
}

/// Follows a live host's sound card.
///
/// The timeline bends so that an undelayed packet comes a lead before it sounds. Bending does not suffice if the card
/// is off by more than a timeline may bend, if the host's clock or line leapt, or if it began too early. Then
/// the timeline is broken: later, with a pause, before the lead is used up; or earlier, with some sound left out,
/// before the room lives too far in the past.
struct LiveHosting: Sendable, Equatable {
    var clock = LiveClock()
    /// The last packet was silent.
    var isSilent = false
    /// Time since which packets have come too late.
    private var lateSince: Int64?
    private var lateAt: Int64?
    /// Packets before this sample position, in the host's count, are left out.
    private var skipsUntil: Int64?
    /// How much earlier than a lead before they sound packets have come from the start, µs. A host may begin early.
    private var usualAhead: Int64?
    private var settledAt: Int64?
    private var heldBackAt: Int64?

    /// Time over which a deviation is corrected, µs. With a shorter one the timeline would follow the network's jitter.
    private static let patience = 25_000_000.0
    /// Late packets further apart than this are unrelated, µs.
    private static let lateApart: Int64 = 1_000_000
    /// Seconds of packets that are needed before the timeline is bent, and before it is broken.
    private static let secondsBeforeBending: Int64 = 3
    private static let secondsBeforeBreaking: Int64 = 10

    var afterShift: LiveHosting {
        var next = self
        next.lateSince = nil
        next.skipsUntil = nil
        next.isSilent = false
        return next
    }

    /// How far the remaining lead may fall short before a pause restores it; `reserve` is what the pause adds on top,
    /// µs.
    static func shortfallMax(lead: Int64) -> Int64 { min(max(lead / 8, 20_000), 70_000) }
    static func reserve(lead: Int64) -> Int64 { min(lead / 6, 100_000) }

    /// Whether a packet at this position is left out.
    func skips(_ position: Int64) -> Bool { skipsUntil.map { position < $0 } ?? false }

    /// Stops leaving out packets. Returns whether packets were being left out.
    mutating func endSkipping() -> Bool {
        defer { skipsUntil = nil }
        return skipsUntil != nil
    }

    /// Whether a late packet is left out instead of moving the timeline: later packets may be in time again.
    mutating func leavesOut(isLate: Bool, now: Int64) -> Bool {
        guard isLate else {
            lateSince = nil
            return false
        }
        // Two late packets that are far apart are unrelated.
        let isAlone = lateAt.map { now - $0 > Self.lateApart } ?? true
        lateAt = now
        let since = isAlone ? now : lateSince ?? now
        lateSince = since
        return now - since <= Limits.liveLateMicroseconds
    }

    mutating func noteHoldBack(now: Int64) { heldBackAt = now }

    /// Once a second, looks at how early packets come and bends the timeline.
    ///
    /// - Parameters:
    ///   - end: One past the last sample of the packet that has come, in the host's count.
    ///   - sounds: The time at which that sample sounds on the present timeline.
    /// - Returns: The new stretch, millionths, and how much later (if negative, earlier) the next packet must be put,
    ///   µs; nil if it is not yet time.
    mutating func settle(
        end: Int64, sounds: Int64, lead: Int64, now: Int64
    ) -> (stretchPPM: Double, step: Int64)? {
        guard settledAt.map({ now - $0 >= 1_000_000 }) ?? true else { return nil }
        settledAt = now
        clock.settle(now: now)
        let seen = clock.observedSeconds(now: now)
        guard seen >= Self.secondsBeforeBending, let best = clock.expectedArrival(of: end, now: now) else { return nil }
        // A packet must be there a lead before its first sample sounds; `end` is its last sample.
        let wanted = lead + clock.packetMicroseconds(now: now)
        let missing = wanted - (sounds - best)
        // A card beyond the bending limit uses up the lead, or the surplus above it, by itself.
        let isFollowable = abs(clock.drift.ppm) < Double(Limits.liveStretchPPMMax)
        let stretch = clock.drift.ppm + (isFollowable ? Double(missing) / Self.patience * 1e6 : 0)
        guard seen >= Self.secondsBeforeBreaking else { return (stretch, 0) }
        if missing > Self.shortfallMax(lead: lead) { return (stretch, missing + Self.reserve(lead: lead)) }
        // A host that sends faster than any sound card is held back, not cut.
        let isHeldBack = heldBackAt.map { now - $0 < 15_000_000 } ?? false
        if !isHeldBack, let sure = clock.sureArrival(of: end, now: now) {
            let ahead = max(0, sounds - sure - wanted)
            let usual = min(ahead, usualAhead ?? Limits.liveEarlyMicrosecondsMax)
            usualAhead = usual
            if ahead - usual > Limits.liveAheadMicrosecondsMax { skipsUntil = end + (ahead - usual) * 6 / 125 }
        }
        return (stretch, 0)
    }
}

extension LiveRoom {
    /// Records a live host's packet and decides its fate.
    mutating func liveFate(of header: AudioUp, isLate: Bool, now: Int64) -> PacketFate {
        guard let stream, var live = stream.live else { return .taken }
        defer { self.stream?.live = live }
        let end = header.samplePosition + Int64(header.samples)
        live.clock.arrived(end: end, samples: Int64(header.samples), at: now)
        let hasBegun = stream.timeline.samples > 0
        if live.leavesOut(isLate: isLate && hasBegun, now: now) { return .leftOut }
        if isLate { return .begins(at: now + leadMicroseconds) }
        if live.skips(header.samplePosition) { return .leftOut }
        if live.endSkipping() {
            let edge = stream.timeline.edge
            return .begins(at: edge - now >= Limits.hostLateMicroseconds ? edge : now + leadMicroseconds)
        }
        let place = header.samplePosition - stream.hostOrigin
        let sounds = stream.timeline.time(ofSample: end - stream.hostOrigin)
        if sounds - now > leadMicroseconds + Limits.hostAheadMicrosecondsMax { live.noteHoldBack(now: now) }
        guard hasBegun,
            let settled = live.settle(end: end, sounds: sounds, lead: leadMicroseconds, now: now)
        else { return .taken }
        if settled.step > 0 { return .begins(at: stream.timeline.time(ofSample: place) + settled.step) }
        self.stream?.timeline.bend(ppm: settled.stretchPPM)
        return .taken
    }

    /// Records when the host, by its estimate of server time, captured a sample.
    ///
    /// - Throws: `host.not_host`, `audio.wrong_epoch`.
    package mutating func noteCapture(_ member: MemberID, _ frame: CaptureFrame, now: Int64) throws(WireError) {
        guard seat.member == member else { throw WireError(.hostNotHost) }
        guard let stream, stream.hostEpoch == frame.epoch else { throw WireError(.audioWrongEpoch) }
        // A host that keeps to the server's clock has no clock of its own.
        self.stream?.live?.clock.captured(
            sample: frame.samplePosition, at: frame.serverMicroseconds, error: frame.errorMicroseconds, now: now)
    }
}
