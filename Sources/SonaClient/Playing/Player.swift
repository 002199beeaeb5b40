internal import Glibc
internal import SonaAudio
internal import SonaBase
internal import SonaEventLoop
internal import Synchronization

/// The reference player: a virtual sound device with a clock of its own, kept in step with the room.
///
/// Sound comes in with its server times (`insert`, called by the reader of the connection). A thread serves the device
/// every 10 ms by the device's clock. On request the output of the device is kept as a WAV file: its frame *i* left the
/// device `i / 48000 s` after its first one, by the device's clock, whatever happened in between. So recordings of two
/// players can be laid over each other, and missing sound is silence.
///
/// States: idle → running (`start`) → ended (`stop`).
///
/// Source: Protocol/spec/audio.md, "Rendering"; Protocol/spec/time.md, "From server time to sound".
package final class Player: Sendable {
    private struct State {
        var renderer = SoundRenderer()
        var statistics = PlayerStatistics()
        /// Errors since they were last asked for, and the last amount of buffered sound, ms.
        var recent: (errors: [Int64], bufferMilliseconds: Int?) = ([], nil)
        var pacing: DevicePacing
        /// Whether the output is kept, and the part of it that is not written yet.
        var isKept: Bool
        var unwritten: [Played] = []
        var failure: RecordingError?
        var isEnding = false
        /// How much the client's clock is ahead of the device's; another value means that it was set.
        var lag: Int64 = 0
        /// Since the clock was set: no estimate is believed that is not newer.
        var distrusted: (restarts: Int, until: Int64)?
    }

    private enum Device { case idle, running, ended }

    private enum Played {
        case silence(frames: Int)
        /// Interleaved stereo.
        case sound(ArraySlice<Float>)
    }

    private let clock: LocalClock
    private let estimate: @Sendable () -> ClockFilter
    private let whenClockIsSet: @Sendable () -> Void
    private let state: Mutex<State>
    /// Used by the device's thread, and by `stop` when that has ended: writing may take its time, and nobody else waits
    /// for it.
    private let recording: Mutex<WAVRecording?>
    private let device = Monitor(Device.idle)

    /// A client's clock that differs by this much from the device's was set, µs.
    private static let stepMicroseconds: Int64 = 1_000
    /// How long to wait for the estimate of a clock that was set, µs.
    private static let distrustMicroseconds: Int64 = 3_000_000
    /// While the filter has fewer samples than this, the first bursts are still coming in (`ClientWire.startClock`).
    private static let settledSamples = 4
    /// A minute's blocks are about so many.
    private static let recentMax = 6000

    /// - Parameters:
    ///   - clock: The client's; the device counts on the same, but is never set.
    ///   - recording: Where to keep what was played, from the first sound on.
    ///   - estimate: The server's clock as it is known at the moment.
    ///   - whenClockIsSet: Called from the device's thread when the client's clock jumped, to have it estimated anew.
    package init(
        clock: LocalClock, recording: sending WAVRecording? = nil, estimate: @escaping @Sendable () -> ClockFilter,
        whenClockIsSet: @escaping @Sendable () -> Void = {}
    ) {
        self.clock = clock
        self.estimate = estimate
        self.whenClockIsSet = whenClockIsSet
        state = Mutex(State(pacing: DevicePacing(start: clock.unset.now()), isKept: recording != nil))
        self.recording = Mutex(recording)
    }

    // MARK: From the connection

    /// Takes in a piece of sound to play.
    package func insert(_ piece: SoundPiece) {
        state.withLock { $0.renderer.insert(piece) }
    }

    /// Sound is missing that never came: there was silence in its place.
    package func noteGap() {
        state.withLock { if $0.statistics.first != nil { $0.statistics.underruns += 1 } }
    }

    package var statistics: PlayerStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.underruns += state.renderer.starvations
            statistics.resyncs += state.renderer.jumps
            return statistics
        }
    }

    /// The timing error of the sound in each block since the last call, µs, with its sign, at most the newest
    /// thousands; and the amount of buffered sound, ms.
    package func takeRecent() -> (errors: [Int64], bufferMilliseconds: Int?) {
        state.withLock { state in
            defer { state.recent = ([], nil) }
            return state.recent
        }
    }

    /// Why the recording could not be written; the device plays on without it.
    package var failure: RecordingError? { state.withLock { $0.failure } }

    /// Server time up to which the device has been given frames, µs.
    package var renderedUntil: Int64? { state.withLock { $0.renderer.renderedUntil } }

    // MARK: The device

    /// Starts the device, which holds on to the player until `stop`. Once.
    package func start() {
        device.withLock { device in
            precondition(device == .idle, "A player starts once.")
            device = .running
        }
        let isStarted = WorkerThread.start("sound device") { [self] in
            serve()
            device.notify { $0 = .ended }
        }
        precondition(isStarted, "No thread could be started for the sound device.")
    }

    /// Stops the device and ends the recording. A second call does nothing.
    package func stop() throws(RecordingError) {
        endThread()
        let failure = recording.withLock { recording -> RecordingError? in
            defer { recording = nil }
            do throws(RecordingError) { try recording?.finish() } catch { return error }
            return nil
        }
        if let failure = state.withLock({ $0.failure }) ?? failure { throw failure }
    }

    private func endThread() {
        state.withLock { $0.isEnding = true }
        device.wait { $0 == .running ? nil : () }
    }

    /// Serves the device until the end.
    private func serve() {
        while let pause = step() {
            var rest = timespec(tv_sec: Int(pause / 1_000_000), tv_nsec: Int(pause % 1_000_000) * 1000)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, nil)
        }
    }

    /// Gives the device the frames it asks for. Returns how long to sleep, µs; nil at the end.
    private func step() -> Int64? {
        while true {
            let filter = estimate()
            let (wasSet, pause) = state.withLock { state -> (Bool, Int64?) in
                guard !state.isEnding else { return (false, nil) }
                let real = MonotonicClock.nowMicroseconds()
                let now = clock.unset.reading(atMonotonic: real)
                let wasSet = compareClocks(&state, clock.reading(atMonotonic: real) - now, filter, now)
                miss(&state, now, filter)
                guard state.pacing.wantsBlock(at: now) else {
                    return (wasSet, max(500, state.pacing.nextBlock - now))
                }
                render(&state, filter, now)
                return (wasSet, 0)
            }
            if wasSet { whenClockIsSet() }
            write()
            guard let pause else { return nil }
            if pause > 0 { return min(pause, 100_000) }
        }
    }

    /// Notices when the client's clock is set: until it has been estimated anew, the sound goes on by the device's.
    private func compareClocks(_ state: inout State, _ lag: Int64, _ filter: ClockFilter, _ now: Int64) -> Bool {
        let wasSet = abs(lag - state.lag) > Self.stepMicroseconds
        state.lag = lag
        if wasSet {
            state.statistics.clockSteps += 1
            state.distrusted = (filter.restarts, now + Self.distrustMicroseconds)
        } else if let distrusted = state.distrusted,
            filter.restarts != distrusted.restarts || now > distrusted.until
        {
            state.distrusted = nil
        }
        return wasSet
    }

    /// Counts the frames that the device had to do without.
    private func miss(_ state: inout State, _ now: Int64, _ filter: ClockFilter) {
        let missed = state.pacing.missed(at: now)
        guard missed > 0 else { return }
        state.statistics.missedFrames += missed
        state.statistics.frames += missed
        if state.statistics.first != nil {
            state.statistics.underruns += 1
            if Double(missed) / 0.048 > RateController.jumpMicroseconds { state.statistics.resyncs += 1 }
        }
        state.renderer.interrupt()
        if state.isKept, state.statistics.first != nil { state.unwritten.append(.silence(frames: missed)) }
    }

    private func render(_ state: inout State, _ filter: ClockFilter, _ now: Int64) {
        let frames = DevicePacing.blockFrames
        let frame = state.pacing.written
        let local = state.pacing.time(ofFrame: frame) + state.lag
        let server: Int64
        if state.distrusted != nil, let renderedUntil = state.renderer.renderedUntil {
            server = renderedUntil
        } else {
            server = filter.serverTime(fromLocal: local)
        }
        let block = state.renderer.render(
            frames, at: server, drift: filter.driftPPM / 1e6, isSettling: filter.count < Self.settledSamples)
        state.pacing.wrote(frames)
        state.statistics.frames += frames
        if let error = block.error {
            state.statistics.lastError = error
            state.statistics.errors.record(UInt64(abs(error).rounded()))
            if state.recent.errors.count >= Self.recentMax { state.recent.errors.removeFirst(Self.recentMax / 2) }
            state.recent.errors.append(Int64(error.rounded()))
        }
        if let ahead = block.aheadMicroseconds {
            state.statistics.buffer.record(UInt64(max(0, ahead / 1000)))
            state.recent.bufferMilliseconds = Int(ahead / 1000)
        }
        var from = 0
        if state.statistics.first == nil {
            guard let audible = block.firstAudible else { return }
            from = audible
            let device = state.pacing.time(ofFrame: frame + audible)
            state.statistics.first = PlayerStatistics.First(
                local: device + state.lag, server: filter.serverTime(fromLocal: device + state.lag),
                monotonic: clock.unset.monotonic(ofReading: device))
        }
        if state.isKept { state.unwritten.append(.sound(block.samples[(2 * from)...])) }
    }

    /// Writes the sound that has been played. Runs on the device's thread, so a slow reader of a pipe makes it miss
    /// blocks: like a sound card, the device does not wait.
    ///
    /// A full disk is reported at the end; the device plays on.
    private func write() {
        let (pieces, first) = state.withLock { state in
            defer { state.unwritten = [] }
            return (state.unwritten, state.statistics.first?.server ?? 0)
        }
        guard !pieces.isEmpty else { return }
        let failure = recording.withLock { recording -> RecordingError? in
            guard let kept = recording else { return nil }
            do throws(RecordingError) {
                for piece in pieces {
                    switch piece {
                    case .sound(let samples): try kept.append(samples, firstSample: first) { self.isEnding }
                    case .silence(let frames):
                        if !kept.isStream { try kept.appendSilence(frames: frames, firstSample: first) }
                    }
                }
                return nil
            } catch {
                recording = nil
                return error
            }
        }
        guard let failure else { return }
        state.withLock { state in
            state.failure = state.failure ?? failure
            state.isKept = false
        }
    }

    private var isEnding: Bool { state.withLock { $0.isEnding } }
}
