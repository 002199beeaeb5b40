import SonaWire

/// Decides whether a packet is sent at once or together with those that follow.
struct Gathering {
    /// Ticks of a round that the loop asks for because it is busy; 1 if it is not.
    var pressed: Int
    /// Whether the loop passes on packets later than they arrive.
    var isLate: Bool

    /// Ticks of the round in which a room's listeners get this packet, one group each tick; `nil`: it is sent at once.
    ///
    /// A packet that is not worth gathering, or that has no time left, goes out at once, unless the loop is late. A
    /// late loop sends it together with all that is read until the next tick. A packet that is past its time anyway is
    /// sent with all of a round. Sent one by one, such packets would cost as much as if they had come in time, and the
    /// loop would stay late. (400 rooms of eight beside two busy processes, all on one core, 18 s: 99 % were heard
    /// within 0.44 s; sent one by one, 8 % had not been heard at the end, and others after more than 4 s.)
    func ticks(for chunk: RelayedChunk, now: Int64) -> Int? {
        let ticks = chunk.isGathered ? max(pressed, ServerTuning.gatherTicks) : pressed
        guard ticks > 1, !chunk.isLast else { return nil }
        let left = chunk.due - now
        if Self.isWorthwhile(ticks, chunk, left: left) { return ticks }
        if ticks > ServerTuning.gatherTicks, Self.isWorthwhile(ServerTuning.gatherTicks, chunk, left: left) {
            return ServerTuning.gatherTicks
        }
        guard pressed > 1, isLate else { return nil }
        if left < 0 { return pressed }
        return left > ServerTuning.gatherTickMicroseconds * 2 ? 1 : nil
    }

    /// Whether a round can gather several packets, and there is time left to hear them.
    private static func isWorthwhile(_ ticks: Int, _ chunk: RelayedChunk, left: Int64) -> Bool {
        let round = Int64(ticks) * ServerTuning.gatherTickMicroseconds
        return chunk.microseconds * 3 / 2 <= round && left >= round + ServerTuning.gatherMarginMicroseconds
    }
}
