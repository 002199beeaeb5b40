/// Keeps a live source in step with time, by comparing its frames with a clock.
///
/// When sound stops coming, silence replaces it, so that later sound is not late. Sound that was held up and arrives
/// after all is left out, as far as silence has taken its place. Frames are not taken much faster than time passes: a
/// source that could give more has to wait.
///
/// Pure; times are µs of one clock, frames are at 48 kHz.
struct LivePace: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// This many of the available frames may be taken.
        case take(Int)
        /// The source has stopped: send this many frames of silence instead.
        case silence(Int)
        /// This many frames that were held up must be left out.
        case leaveOut(Int)
        case wait
    }

    private var lastCame: Int64
    private var lastRead: Int64?
    /// The longest pause between two reads lately, which some sources always make.
    private var pause: Int64 = 0
    /// Frames of silence sent in place of sound that may still come.
    private(set) var debt = 0
    private var isSilent = false
    /// When sound came again.
    private var resumedAt: Int64 = 0
    /// When something came last before the silence, how long its pauses were then, and up to when silence has been made.
    private var stoppedAt: Int64 = 0
    private var pauseBefore: Int64 = 0
    private var silentUntil: Int64 = 0
    private var allowance: Double
    private var reckonedAt: Int64

    /// A source that pauses no longer than this has not stopped, µs; and for how many of its usual pauses.
    static let patience: Int64 = 250_000
    private static let patiencePauses: Int64 = 3
    /// Time within which all held-up sound has arrived, µs after the first of it.
    private static let arrears: Int64 = 1_000_000
    /// The longest pause that counts as usual for a source, µs.
    private static let pauseMax: Int64 = 600_000
    /// The sound that may be taken at once, and how much faster than the clock the rest may come: more than any sound
    /// card does.
    static let burstMicroseconds = 400_000.0
    private static let haste = 1.002

    init(now: Int64) {
        lastCame = now
        reckonedAt = now
        allowance = Self.burstMicroseconds
    }

    /// A new beginning with the same source.
    func restarted(now: Int64) -> LivePace {
        var next = LivePace(now: now)
        (next.pause, next.lastRead) = (pause, lastRead)
        return next
    }

    /// How long nothing may come.
    var patience: Int64 { max(Self.patience, Self.patiencePauses * pause) }

    /// Something was read at that time.
    mutating func read(at time: Int64) {
        if let lastRead, time - lastRead <= Self.pauseMax { pause = max(time - lastRead, pause - pause / 64) }
        lastRead = time
        lastCame = max(lastCame, time)
    }

    /// The next step, with `available` frames at hand and `packet` frames in a packet.
    mutating func next(available: Int, packet: Int, now: Int64) -> Step {
        allowance = min(Self.burstMicroseconds, allowance + Double(max(0, now - reckonedAt)) * Self.haste)
        reckonedAt = max(reckonedAt, now)
        if isSilent {
            guard lastCame > stoppedAt else { return silence(packet, now) }
            isSilent = false
            resumedAt = now
        }
        if debt > 0 {
            // The frames of one read are new; the rest was held up. The stop itself is no pause that the source always
            // makes.
            let fresh = Int(pauseBefore * 6 / 125) + packet
            if now - resumedAt > Self.arrears {
                debt = 0
            } else if available > fresh {
                let count = min(debt, available - fresh)
                debt -= count
                return .leaveOut(count)
            }
        }
        if available >= packet {
            let cost = Double(packet) * 125 / 6
            guard allowance >= cost else { return .wait }
            allowance -= cost
            return .take(packet)
        }
        guard now - lastCame > patience else { return .wait }
        isSilent = true
        stoppedAt = lastCame
        pauseBefore = pause
        silentUntil = lastCame
        return silence(packet, now)
    }

    private mutating func silence(_ packet: Int, _ now: Int64) -> Step {
        let end = silentUntil + Int64(packet) * 125 / 6
        guard end <= now else { return .wait }
        silentUntil = end
        debt = min(debt + packet, 48_000 * 60)
        return .silence(packet)
    }
}
