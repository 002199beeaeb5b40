import SonaBase
import SonaClient
import SonaWire
import Testing

@testable import SonaLoad

/// An engine that is connected to nothing: its listener's messages are handed to it.
final class TestEngine {
    let engine: Engine
    let bank: PacketBank
    /// The only listener.
    let slot = 1

    /// A room whose host has sent `sent` packets, and a listener who has just been let in.
    init(sent: UInt64 = 100, reader: LoadPlan.Reader = .ordinary) throws {
        var scenario = Scenario()
        var phase = Scenario.Phase(name: "steady", seconds: 10)
        phase.listeners = 1
        phase.slow = reader == .slow ? 1 : 0
        scenario.phases = [phase]
        bank = try PacketBank(frameMilliseconds: 20, kilobits: 32, seed: 1)
        let room = try #require(RoomID("k2Vb7nQx0ZrT5mLp9sWd"))
        engine = try Engine(
            target: try Target(.standard, mayBeRemote: false), scenario: scenario, plan: LoadPlan(scenario, packets: 1),
            bank: bank, rooms: [Engine.Room(id: room, token: "token")], stop: StopFlag())
        engine.rooms[0].sent = sent
        engine.clients[slot].phase = .open
        engine.clients[slot].descriptor = -1
        engine.begin()
    }

    var client: LoadClient { engine.clients[slot] }
    var tally: Tally { engine.tally(.ordinary) }

    /// The Opus packet of this number, as the room's host would send it.
    private func packet(_ number: UInt64, due: UInt64, room: UInt16 = 0, run: UInt16? = nil) -> [UInt8] {
        var packet = bank.packets[0]
        packet.withUnsafeMutableBytes { bytes in
            PacketStamp(run: run ?? engine.run, room: room, number: number, due: due)
                .write(endingAt: bytes.baseAddress! + bytes.count)
        }
        return packet
    }

    /// A packet comes.
    func hear(
        _ number: UInt64, _ flags: AudioFlags = [], due: UInt64 = 0, at now: UInt64 = 0, room: UInt16 = 0,
        run: UInt16? = nil
    ) {
        let header = AudioDown(
            flags: flags, epoch: 1, sequence: UInt32(truncatingIfNeeded: number &+ 5), playAtMicroseconds: 0,
            samples: 960)
        let bytes = AudioDown.encode(header, packet: packet(number, due: due, room: room, run: run))
        bytes.withUnsafeBufferPointer { engine.message(slot, $0.baseAddress!, $0.count, now) }
    }

    /// The room's host sends up to this number.
    func sent(_ count: UInt64) { engine.rooms[0].sent = count }

    /// The run is over.
    func settle() {
        engine.clients[slot].end = engine.rooms[0].sent
        engine.settle()
    }
}
