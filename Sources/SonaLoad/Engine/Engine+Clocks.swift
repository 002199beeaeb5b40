internal import SonaBase
internal import SonaClient
internal import SonaWire

extension Engine {
    /// How many listeners compare their clocks: enough to see a spread, few enough not to be a load.
    static let probersMax = 16

    /// Samples older than this say more of how well drift is known than of the server's clock: two bursts and a half.
    private static let probeAgeMax: UInt64 = 25_000_000_000

    /// Keeps a sample of the ordinary listeners who are in their rooms, evenly from all.
    func chooseProbers(_ now: UInt64) {
        // A client that leaves or is closed for good does not come back.
        for slot in probers.keys where clients[slot].phase == .leaving || clients[slot].phase == .closed {
            probers[slot] = nil
        }
        guard probers.count < min(Self.probersMax, present) else { return }
        let open = (rooms.count..<clientCount).filter {
            clients[$0].role == .listener && clients[$0].reader == .ordinary && clients[$0].phase == .open
                && probers[$0] == nil
        }
        let count = min(Self.probersMax - probers.count, open.count)
        for number in 0..<count {
            let slot = open[number * open.count / count]
            probers[slot] = Prober()
            // Apart from one another, so that they do not wait for each other's answers.
            agenda.add(.probe, slot, at: now + UInt64(number) * 31_000_000)
        }
    }

    func probe(_ slot: Int, _ now: UInt64) {
        guard let prober = probers[slot] else { return }
        guard clients[slot].phase == .open else {
            // It is coming back.
            return agenda.add(.probe, slot, at: now + 1_000_000_000)
        }
        let (number, seconds) = prober.begin()
        agenda.add(.probe, slot, at: now + seconds * 1_000_000_000)
        send(probe: number, slot)
    }

    private func send(probe number: UInt16, _ slot: Int) {
        guard clients[slot].phase == .open else { return }
        let request = TimeRequest(probeID: number, clientSend: Int64(LoadClock.now / 1000))
        transmit(slot, WebSocketFrames.frame(WebSocketFrames.binary, request.encode()))
    }

    func clockAnswer(_ slot: Int, _ bytes: UnsafeRawBufferPointer, _ now: UInt64) {
        guard let prober = probers[slot], case .timeResponse(let response)? = try? ServerFrame(parsing: bytes) else {
            return
        }
        if let next = prober.take(response, receivedAt: Int64(now / 1000)) { send(probe: next, slot) }
    }

    /// All listeners here have the same clock, so they should have the same estimate of the server's. Any deviation
    /// from the median is error.
    func compareClocks() {
        let now = LoadClock.now
        let fresh = probers.values.filter { $0.filter.isUsable && now < $0.fedAt + Self.probeAgeMax }
        let times = fresh.map { $0.filter.serverTime(fromLocal: Int64(now / 1000)) }.sorted()
        guard times.count > 1 else { return }
        let median = times[times.count / 2]
        for time in times { self.times.syncErrors.record(microseconds: (time &- median).magnitude) }
    }
}
