import SonaWire
import Testing

/// Runs the binary messages of Protocol/vectors through the module, decoding and encoding.
@Suite struct FrameConformanceTests {
    @Test func `every frame a client sends is read and written as its vector says`() throws {
        let vectors = try VectorFile.all { $0.message == "client_frame" }
        #expect(vectors.count >= 60)
        for vector in vectors {
            do throws(WireError) {
                let frame = try ClientFrame(parsing: vector.input)
                guard vector.result == .valid else {
                    Issue.record("\(vector) was accepted")
                    continue
                }
                let (fields, bytes) = described(frame, vector.input)
                expect(fields, vector)
                if let bytes, !vector.flags.contains("reserved") {
                    #expect(bytes == vector.input, "\(vector): encoded")
                }
            } catch {
                #expect(vector.result == .invalid && error.code.text == vector.code, "\(vector): \(error)")
            }
        }
    }

    @Test func `every frame a server sends is read and written as its vector says`() throws {
        let vectors = try VectorFile.all { $0.message == "server_frame" }
        #expect(vectors.count >= 60)
        for vector in vectors {
            do throws(WireError) {
                let frame = try ServerFrame(parsing: vector.input)
                guard vector.result == .valid else {
                    Issue.record("\(vector) was accepted")
                    continue
                }
                let (fields, bytes) = described(frame, vector)
                expect(fields, vector)
                if let bytes, !vector.flags.contains("reserved") {
                    #expect(bytes == vector.input, "\(vector): encoded")
                }
            } catch {
                #expect(vector.result == .invalid && error.code.text == vector.code, "\(vector): \(error)")
            }
        }
    }

    // MARK: Decoded frames in the words of the vectors

    private typealias Fields = [(String, JSON)]

    private func described(_ frame: ClientFrame, _ input: [UInt8]) -> (Fields, [UInt8]?) {
        switch frame {
        case .timeRequest(let time):
            let fields: Fields = [
                ("frame", .string("TIME_REQ")), ("probe_id", integer(time.probeID)), ("t1", wide(time.clientSend)),
            ]
            return (fields, time.encode())
        case .audioUp(let audio, let packet):
            let fields: Fields = [
                ("frame", .string("AUDIO_UP")), ("flags", integer(audio.flags.rawValue)),
                ("epoch", integer(audio.epoch)), ("seq", integer(audio.sequence)),
                ("sample_pos", integer(audio.samplePosition)), ("samples", integer(audio.samples)),
                ("packet", .string(Hex.text(input[packet]))),
            ]
            return (fields, AudioUp.encode(audio, packet: input[packet]))
        case .position(let position): return (described(position), position.encode())
        case .capture(let capture):
            let fields: Fields = [
                ("frame", .string("CAPTURE")), ("epoch", integer(capture.epoch)),
                ("sample_pos", integer(capture.samplePosition)), ("server_us", integer(capture.serverMicroseconds)),
                ("err_us", integer(capture.errorMicroseconds)),
            ]
            return (fields, capture.encode())
        case .ignorable(let type): return ([("frame", .string("ignorable")), ("type", integer(type))], nil)
        }
    }

    private func described(_ frame: ServerFrame, _ vector: Vector) -> (Fields, [UInt8]?) {
        let input = vector.input
        switch frame {
        case .timeResponse(let time):
            let arrival = vector.value["t4"]?.wide ?? 0
            let fields: Fields = [
                ("frame", .string("TIME_RSP")), ("probe_id", integer(time.probeID)), ("t1", wide(time.clientSend)),
                ("t2", integer(time.serverReceive)), ("t3", integer(time.serverSend)), ("t4", wide(arrival)),
                ("offset_us", wide(time.offset(clientReceive: arrival))),
                ("round_trip_us", wide(time.roundTrip(clientReceive: arrival))),
            ]
            return (fields, time.encode())
        case .audioDown(let audio, let packet):
            let fields = [("frame", .string("AUDIO_DN"))] + described(audio, input[packet])
            return (fields, AudioDown.encode(audio, packet: input[packet]))
        case .bundleDown(let bundle):
            let packets = bundle.packets.map { header, packet in
                object(described(header, input[packet]).filter { $0.0 != "epoch" })
            }
            let fields: Fields = [
                ("frame", .string("BUNDLE_DN")), ("flags", integer(bundle.flags.rawValue)),
                ("epoch", integer(bundle.epoch)), ("first_seq", integer(bundle.firstSequence)),
                ("play_at_us", integer(bundle.playAtMicroseconds)), ("packets", .array(packets)),
            ]
            let entries = bundle.entries.map { (samples: $0.samples, packet: input[$0.packet]) }
            return (fields, BundleDown.encode(bundle, packets: entries))
        case .position(let position): return (described(position), position.encode())
        case .ignorable(let type): return ([("frame", .string("ignorable")), ("type", integer(type))], nil)
        }
    }

    private func described(_ audio: AudioDown, _ packet: ArraySlice<UInt8>) -> Fields {
        [
            ("flags", integer(audio.flags.rawValue)), ("epoch", integer(audio.epoch)),
            ("seq", integer(audio.sequence)), ("play_at_us", integer(audio.playAtMicroseconds)),
            ("samples", integer(audio.samples)), ("packet", .string(Hex.text(packet))),
        ]
    }

    private func described(_ position: PositionFrame) -> Fields {
        let playback = position.playback
        return [
            ("frame", .string("POSITION")), ("state", integer(playback.state.rawValue)),
            ("epoch", integer(playback.epoch)), ("revision", integer(playback.revision)),
            ("anchor_us", integer(playback.anchorMicroseconds)),
            ("position_us", integer(playback.positionMicroseconds)), ("rate_ppm", integer(playback.ratePPM)),
            ("err_us", integer(position.errorMicroseconds)),
        ]
    }

    private func integer(_ value: some FixedWidthInteger) -> JSON { .integer(Int64(clamping: value)) }

    /// An integer, or its digits where JSON cannot carry it.
    private func wide(_ value: Int64) -> JSON {
        value.magnitude <= UInt64(Limits.integerMax) ? .integer(value) : .string(String(value))
    }

    private func object(_ fields: Fields) -> JSON { .object(fields.map { .init(key: $0.0, value: $0.1) }) }

    private func expect(_ fields: Fields, _ vector: Vector) {
        #expect(object(fields) == vector.value, "\(vector)")
    }
}
