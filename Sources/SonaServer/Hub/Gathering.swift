import SonaWire

/// Whether a packet is sent at once or together with those that follow.
struct Gathering {
    /// Ticks of a round that the loop asks for, having much to do; 1 if it does not.
    var pressed: Int
    /// The loop passes on packets later than they come.
    var isLate: Bool

    /// How many ticks a round has in which all of a room's listeners get what has come since; `nil` for at once.
    ///
    /// A packet that is not worth gathering, or that there is no time left for, goes out at once, unless the loop is behind.
    /// Then it goes out with all that is read until the next tick, and one that comes too late in any case with all of
    /// a round: sent one by one they would cost as much as if they had come in time, and a loop that is behind would
    /// stay so. (400 rooms of eight beside two busy processes, all on one core, 18 s: 99 % were heard within 0.44 s;
    /// sent one by one 8 % had not been heard at the end, and others after more than 4 s.)
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

    /// Whether there is something to gather, and time left to hear it in.
    private static func isWorthwhile(_ ticks: Int, _ chunk: RelayedChunk, left: Int64) -> Bool {
        let round = Int64(ticks) * ServerTuning.gatherTickMicroseconds
        return chunk.microseconds * 3 / 2 <= round && left >= round + ServerTuning.gatherMarginMicroseconds
    }
}
