import SonaClient
import SonaRooms
import SonaWire
import Testing

/// Runs the vectors of computed values: the clock, the playback in force, the place of samples, a joiner's packets.
///
/// They were computed from the prose by Tests/OtherClients/timing_checks.
@Suite struct TimingConformanceTests {
    // MARK: The clock

    @Test func `the clock filter has the expected state after each sample`() throws {
        for vector in try vectors("clock", "clock_filter") {
            var filter = ClockFilter()
            for (step, expected) in try pairs(steps(vector), vector.value["steps"]?.array) {
                if let text = step["clock_id"]?.string {
                    filter.begin(clockID: try #require(UInt64(text, radix: 16)))
                } else {
                    filter.add(try sample(step))
                }
                try compare(filter, expected, "\(vector), after \(step)")
            }
        }
    }

    private func compare(_ filter: ClockFilter, _ expected: JSON, _ place: Comment) throws {
        #expect(filter.count == expected["count"]?.integer.map { Int($0) }, place)
        #expect(filter.isUsable == (expected["offset_us"] != nil), place)
        if filter.isUsable {
            let offset = try #require(expected["offset_us"]?.wide128)
            // An offset beyond 64 bits is clamped.
            let held = Int64(clamping: offset)
            #expect(isNear(filter.offsetMicroseconds, held), place)
            #expect(filter.roundTripMicroseconds == expected["rtt_us"]?.wide, place)
            #expect(isNear(filter.errorMicroseconds, try #require(expected["error_us"]?.wide)), place)
            #expect(isNear(filter.sigmaMicroseconds, try #require(expected["sigma_us"]?.double)), place)
            #expect(isNear(filter.driftPPM, try #require(expected["drift_ppm"]?.double)), place)
        }
        for time in expected["times"]?.array ?? [] {
            let local = try #require(time["local_us"]?.wide)
            let server = try #require(time["server_us"]?.wide)
            #expect(isNear(filter.serverTime(fromLocal: local), server), "\(place): at \(local)")
            #expect(
                isNear(filter.localTime(fromServer: server), try #require(time["back_us"]?.wide)),
                "\(place): back from \(server)")
        }
    }

    private func isNear(_ value: Int64, _ other: Int64) -> Bool { abs(Int128(value) - Int128(other)) <= 1 }

    private func isNear(_ value: Double, _ other: Double) -> Bool {
        abs(value - other) <= max(1e-9, 1e-6 * max(abs(value), abs(other)))
    }

    @Test func `a burst of probes sends, ignores and chooses as its vector says`() throws {
        for vector in try vectors("clock", "probe_burst") {
            var burst = ProbeBurst()
            // Compared by the order of sending: the page leaves the probes' numbers open.
            var numbers: [UInt16] = []
            func described(_ step: ProbeBurst.Step) -> JSON {
                switch step {
                case .send(let number):
                    numbers.append(number)
                    return word("send")
                case .done(let sample): return best(sample)
                case .ignore: return word("ignore")
                }
            }
            for (step, expected) in try pairs(steps(vector), vector.value["steps"]?.array) {
                let done: JSON
                if step["begin"] != nil {
                    done = described(.send(burst.begin()))
                } else if step["give_up"] != nil {
                    done = burst.giveUp().map(best) ?? word("ignore")
                } else {
                    let order = Int(try #require(step["answer"]?.integer))
                    let number = numbers.indices.contains(order - 1) ? numbers[order - 1] : 60_000
                    let sample = try sample(step)
                    let response = TimeResponse(
                        probeID: number, clientSend: sample.clientSend, serverReceive: sample.serverReceive,
                        serverSend: sample.serverSend)
                    done = described(burst.take(response, receivedAt: sample.clientReceive))
                }
                #expect(done == expected, "\(vector), after \(step)")
            }
        }
    }

    private func word(_ word: String) -> JSON { .object([.init(key: "do", value: .string(word))]) }

    private func best(_ sample: ClockFilter.Sample) -> JSON {
        let times = [sample.clientSend, sample.serverReceive, sample.serverSend, sample.clientReceive]
        return .object([.init(key: "best", value: .array(times.map { .integer($0) }))])
    }

    private func sample(_ json: JSON) throws -> ClockFilter.Sample {
        let times = try ["t1", "t2", "t3", "t4"].map { try #require(json[$0]?.wide) }
        return .init(clientSend: times[0], serverReceive: times[1], serverSend: times[2], clientReceive: times[3])
    }

    /// Inputs beside what is expected of each.
    private func pairs(_ given: [JSON]?, _ expected: [JSON]?) throws -> Zip2Sequence<[JSON], [JSON]> {
        let (given, expected) = (try #require(given), try #require(expected))
        try #require(given.count == expected.count)
        return zip(given, expected)
    }

    private func steps(_ vector: Vector) throws -> [JSON] {
        try #require(try JSON.parse(vector.input, depthMax: 64)["steps"]?.array)
    }

    // MARK: Playback

    @Test func `the playback in force and its position are those of the vector`() throws {
        for vector in try vectors("playback_views", "playback_view") {
            let given = try JSON.parse(vector.input)
            let upcoming = try #require(given["upcoming"]?.array).map { try Playback($0) }
            var view = PlaybackView(try Playback(try #require(given["playback"])), upcoming: upcoming)
            var expected = try #require(vector.value["steps"]?.array)
            try look(view, expected.removeFirst(), vector)
            for (step, expected) in try pairs(given["then"]?.array, expected) {
                view.apply(
                    try Playback(try #require(step["playback"])), now: try #require(step["now_us"]?.integer))
                try look(view, expected, vector)
            }
        }
    }

    private func look(_ view: PlaybackView, _ expected: JSON, _ vector: Vector) throws {
        for look in try #require(expected["looks"]?.array) {
            let time = try #require(look["at_us"]?.integer)
            let playback = view.playback(at: time)
            #expect(view.position(at: time) == look["position_us"]?.integer, "\(vector) at \(time)")
            #expect(Int64(playback.state.rawValue) == look["state"]?.integer, "\(vector) at \(time)")
            #expect(Int64(playback.revision) == look["revision"]?.integer, "\(vector) at \(time)")
        }
    }

    // MARK: Audio

    @Test func `packets are placed and rendered as their vector says`() throws {
        for vector in try vectors("timeline", "timeline") {
            let given = try JSON.parse(vector.input)
            let stream = try StreamInfo(try #require(given["stream"]))
            let timeline = Timeline(start: stream.startMicroseconds, preSkip: stream.preSkip, position: 0)
            let packets = try #require(given["packets"]?.array)
            for (packet, expected) in try pairs(packets, vector.value["packets"]?.array) {
                let position = try #require(packet["sample_pos"]?.integer)
                let samples = UInt32(try #require(packet["samples"]?.integer))
                let header = AudioDown(
                    flags: [], epoch: stream.epoch, sequence: 0,
                    playAtMicroseconds: timeline.time(ofSample: position), samples: samples)
                #expect(header.playAtMicroseconds == expected["play_at_us"]?.wide, "\(vector) at \(position)")
                let chunk = AudioChunk(header: header, packet: [], due: header.playAtMicroseconds)
                #expect(chunk.end == expected["end_us"]?.wide, "\(vector) at \(position)")
                let skip = stream.unheardSamples(of: header)
                #expect(Int64(skip) == expected["skip"]?.integer, "\(vector) at \(position)")
                #expect(Int64(samples - skip) == expected["render"]?.integer, "\(vector) at \(position)")
            }
        }
    }

    @Test func `a bundle's packets sound one after the other`() throws {
        for vector in try vectors("timeline", "bundle_times") {
            let given = try JSON.parse(vector.input)
            let samples = try #require(given["samples"]?.array?.compactMap { $0.integer.map { UInt32($0) } })
            let head = BundleDown(
                epoch: 0, firstSequence: 0, playAtMicroseconds: try #require(given["play_at_us"]?.wide))
            let message = BundleDown.encode(head, packets: samples.map { (samples: $0, packet: [0xFC]) })
            let bundle = try message.withUnsafeBytes { bytes throws in try BundleDown(parsing: bytes) }
            #expect(
                bundle.packets.map { $0.header.playAtMicroseconds }
                    == vector.value["play_at_us"]?.array?.compactMap(\.wide), "\(vector)")
        }
    }

    @Test func `a joiner is sent the packets its vector lists`() throws {
        for vector in try vectors("join_planning", "join_plan") {
            let given = try JSON.parse(vector.input)
            let ring = ChunkRing(microsecondsMax: 60_000_000)
            for packet in try #require(given["ring"]?.array) {
                let header = AudioDown(
                    flags: AudioFlags(rawValue: UInt8(try #require(packet["flags"]?.integer))),
                    epoch: UInt16(try #require(packet["epoch"]?.integer)),
                    sequence: UInt32(try #require(packet["seq"]?.integer)),
                    playAtMicroseconds: try #require(packet["play_at_us"]?.integer),
                    samples: UInt32(try #require(packet["samples"]?.integer)))
                let bytes = Int(try #require(packet["bytes"]?.integer))
                ring.append(
                    AudioChunk(
                        header: header, packet: Array(repeating: 0xFC, count: bytes),
                        due: max(header.playAtMicroseconds, try #require(packet["start_us"]?.integer))))
            }
            let messages = JoinPlan(ring, now: try #require(given["now_us"]?.integer)).messages(ring)
            #expect(messages.allSatisfy { $0.count <= Limits.binaryDownBytesMax }, "\(vector)")
            let sent = try messages.flatMap { message in
                try message.withUnsafeBytes { bytes throws in try BundleDown(parsing: bytes) }.packets.map(\.header)
            }
            let expected = try #require(vector.value["packets"]?.array)
            #expect(sent.map(described) == expected.map(\.sorted), "\(vector)")
        }
    }

    private func described(_ header: AudioDown) -> JSON {
        JSON.object([
            .init(key: "seq", value: .integer(Int64(header.sequence))),
            .init(key: "epoch", value: .integer(Int64(header.epoch))),
            .init(key: "flags", value: .integer(Int64(header.flags.rawValue))),
            .init(key: "play_at_us", value: .integer(header.playAtMicroseconds)),
            .init(key: "samples", value: .integer(Int64(header.samples))),
        ]).sorted
    }

    // MARK: Helpers

    private func vectors(_ family: String, _ message: String) throws -> [Vector] {
        let vectors = try VectorFile.vectors(family).filter { $0.message == message }
        try #require(!vectors.isEmpty)
        return vectors
    }
}

extension JSON {
    fileprivate var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    fileprivate var wide128: Int128? { integer.map { Int128($0) } ?? string.flatMap { Int128($0) } }
}
