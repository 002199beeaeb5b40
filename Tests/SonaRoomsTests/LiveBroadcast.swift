import SonaBase
import SonaRooms
import SonaTestSupport
import SonaWire
import Testing

/// A live host with its sound card, clock and network, played against a room, and the packets that a listener gets.
///
/// The card takes 48 000 × (1 + `cardPPM`/10⁶) samples in a second of server time. A packet leaves when its last sample
/// is taken and arrives after a delay, after the packet before it, as on TCP.
struct LiveBroadcast {
    var studio: Studio
    var cardPPM: Double
    /// Network delays, µs: the fixed delay of each packet, and the mean of an exponentially distributed one on top.
    var delay: Double = 2_000
    var jitter: Double = 0
    /// Times at which nothing gets through, from the beginning of capture on, with their durations, µs.
    var stalls: [(at: Int64, for: Int64)] = []
    /// The error of the host's estimate of server time at a moment (µs after the beginning of capture), if it sends
    /// CAPTURE.
    var clockError: ((Int64) -> Int64)?
    /// The largest error that the host claims, µs.
    var claimedError: UInt32 = 500
    var packet: (bytes: [UInt8], samples: UInt32) = (Packet.one(), 960)
    /// Samples that the card loses at a moment without counting them (an overrun), µs after the beginning.
    var losses: [(at: Int64, for: Int64)] = []

    private(set) var chunks: [(chunk: AudioChunk, arrivedAt: Int64)] = []
    private(set) var starts: [StreamInfo] = []
    private(set) var states: [PlaybackState] = []
    /// Largest difference between a packet's time and the end of the one before, in millionths of that one's duration,
    /// within an epoch and apart from the microsecond of rounding.
    private(set) var stretchMax = 0.0
    private(set) var leftOut = 0

    private var generator: SeededGenerator
    private var beganAt: Int64 = 0
    private var captured: Int64 = 0
    private var lastArrival: Int64 = .min
    private var capturedFrames: Int64 = 0
    private var lost: Double = 0

    init(cardPPM: Double, leadMilliseconds: Int = 600, seed: UInt64 = 1) throws {
        studio = try Studio(leadMilliseconds: leadMilliseconds)
        self.cardPPM = cardPPM
        generator = SeededGenerator(seed: seed)
    }

    /// - Parameter early: How much sooner than a good host it begins to capture, µs.
    mutating func begin(early: Int64 = 0) throws {
        let started = try studio.start(preSkip: 0, pacing: .live).result
        let lead = studio.room.leadMicroseconds
        beganAt = started.startMicroseconds - lead - Int64(packet.samples) * 125 / 6 - early
        captured = 0
        capturedFrames = 0
        lost = 0
        lastArrival = .min
    }

    /// Server time at which a sample is captured.
    private func time(ofSample sample: Int64) -> Double {
        let nominal = Double(sample) / 48_000 * 1e6 / (1 + cardPPM * 1e-6)
        return Double(beganAt) + nominal + lost
    }

    /// The host goes on for a while.
    mutating func run(seconds: Double) throws {
        let end = time(ofSample: captured) + seconds * 1e6
        while true {
            let next = captured + Int64(packet.samples)
            let elapsed = time(ofSample: next) - Double(beganAt)
            lost += losses.reduce(0) { Double($1.at) <= elapsed ? $0 + Double($1.for) : $0 }
            losses.removeAll { Double($0.at) <= elapsed }
            let taken = time(ofSample: next)
            guard taken <= end else { return }
            try tellCapture(next, taken)
            try send(takenAt: taken)
            captured = next
        }
    }

    /// The host goes on capturing and sends nothing.
    mutating func keepSilent(seconds: Double) {
        let packets = Int64(seconds * 48_000) / Int64(packet.samples)
        captured += packets * Int64(packet.samples)
    }

    private mutating func tellCapture(_ sample: Int64, _ taken: Double) throws {
        guard let clockError, Double(capturedFrames) * 1e6 <= taken - Double(beganAt) else { return }
        capturedFrames += 1
        let off = clockError(Int64(taken) - beganAt)
        let frame = CaptureFrame(
            epoch: studio.epoch, samplePosition: sample, serverMicroseconds: Int64(taken) + off,
            errorMicroseconds: claimedError)
        let now = max(studio.now, Int64(taken + delay))
        try studio.room.noteCapture(Studio.host, frame, now: now)
    }

    private mutating func send(takenAt taken: Double) throws {
        var arrival = taken + delay
        if jitter > 0 { arrival -= jitter * logarithm(Double.random(in: 0.000001..<1, using: &generator)) }
        for stall in stalls {
            let from = Double(beganAt + stall.at)
            if arrival >= from, arrival < from + Double(stall.for) { arrival = from + Double(stall.for) }
        }
        let at = max(Int64(arrival), lastArrival, studio.now)
        lastArrival = at
        take(studio.wait(at - studio.now))
        let ingest = try studio.send(packet.bytes, samples: packet.samples, at: captured)
        if ingest.effects.chunks.isEmpty { leftOut += 1 }
        take(ingest.effects)
    }

    private mutating func take(_ effects: [RoomEffect]) {
        for effect in effects {
            switch effect {
            case .chunk(let chunk):
                note(chunk)
                chunks.append((chunk, studio.now))
            case .event(let event): if let started = event as? StreamStarted { starts.append(started.stream) }
            case .position(let playback): states.append(playback.state)
            default: break
            }
        }
    }

    private mutating func note(_ chunk: AudioChunk) {
        guard let last = chunks.last?.chunk, last.header.epoch == chunk.header.epoch,
            !chunk.header.flags.contains(.discontinuity)
        else { return }
        let duration = Double(last.header.samples) * 125 / 6
        let off = abs(Double(chunk.header.playAtMicroseconds - last.header.playAtMicroseconds) - duration)
        stretchMax = max(stretchMax, max(0, off - 1) / duration * 1e6)
    }

    /// How long before it sounds the best packet of the last seconds came, µs.
    func bestMargin(last seconds: Double) -> Int64 { margins(last: seconds).max() ?? 0 }
    func worstMargin(last seconds: Double) -> Int64 { margins(last: seconds).min() ?? 0 }

    private func margins(last seconds: Double) -> [Int64] {
        let from = studio.now - Int64(seconds * 1e6)
        return chunks.lazy.filter { $0.arrivedAt >= from }.map { $0.chunk.header.playAtMicroseconds - $0.arrivedAt }
    }
}

/// Natural logarithm; tests of pure parts import no library for it. ln x = 2 artanh((x − 1)/(x + 1)) after halving into
/// 0.5…1.
private func logarithm(_ value: Double) -> Double {
    let half = value.significand / 2
    let ratio = (half - 1) / (half + 1)
    var (term, sum) = (ratio, 0.0)
    for odd in stride(from: 1.0, through: 41, by: 2) {
        sum += term / odd
        term *= ratio * ratio
    }
    return 2 * sum + Double(value.exponent + 1) * 0.693_147_180_559_945_3
}
