import Testing

@testable import SonaEventLoop

@Suite struct FrameRingTests {
    private func payload(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
    }

    private func header(_ count: Int) -> [UInt8] {
        count < 126
            ? [0x82, UInt8(count)]
            : count < 65536
                ? [0x82, 126, UInt8(count >> 8), UInt8(count & 0xFF)]
                : [0x82, 127, 0, 0, 0, 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    }

    @Test func `frames keep their bytes while others come and go`() {
        var dice = SystemRandomNumberGenerator()
        for first in [0, 7, 1 << 40] {
            var ring = FrameRing(from: first)
            var model: [(number: Int, frame: [UInt8])] = []
            for step in 0..<1000 {
                let number = first + step
                let count = [0, 1, 20, 125, 126, 300, 1275, 7650].randomElement(using: &dice) ?? 0
                let bytes = payload(number, count)
                let onWire = ring.append(binary: bytes, due: Int64(number))
                model.append((number, header(count) + bytes))
                #expect(onWire == model[model.count - 1].frame.count)
                if step % 500 < 250, Int.random(in: 0..<4, using: &dice) > 0 {
                    model.removeFirst(min(model.count, Int.random(in: 0...3, using: &dice)))
                    ring.drop(dueBefore: Int64(model.first?.number ?? ring.end), bytesMax: .max)
                }
                #expect(ring.end == number + 1)
                #expect(ring.first == model.first?.number ?? ring.end)
                #expect(ring.usedBytes == model.reduce(0) { $0 + $1.frame.count })
                guard let (kept, frame) = model.randomElement(using: &dice) else { continue }
                #expect(Array(ring.frame(kept)) == frame)
                #expect(ring.due(kept) == Int64(kept))
            }
            for (number, frame) in model { #expect(Array(ring.frame(number)) == frame) }
        }
    }

    @Test func `a run is whole frames in their order and never more than one write takes`() {
        var ring = FrameRing(from: 0)
        for number in 0..<200 { ring.append(binary: payload(number, 900), due: 0) }
        var number = 0
        var runs = 0
        while number < ring.end {
            let run = ring.run(from: number)
            let expected = (number..<run.end).flatMap { header(900) + payload($0, 900) }
            #expect(Array(UnsafeBufferPointer(start: run.start, count: run.count)) == expected)
            #expect(run.count <= FrameRing.runBytesMax && run.end > number)
            number = run.end
            runs += 1
        }
        #expect(runs <= 32, "neighbours go together")
    }

    @Test func `a frame larger than a write is a run by itself`() {
        var ring = FrameRing(from: 0)
        ring.append(binary: payload(0, 70_000), due: 0)
        ring.append(binary: payload(1, 10), due: 0)
        #expect(ring.run(from: 0).end == 1)
        #expect(Array(ring.frame(0)) == header(70_000) + payload(0, 70_000))
    }

    @Test func `late frames are dropped first, then those beyond the limit`() {
        var ring = FrameRing(from: 0)
        for number in 0..<10 { ring.append(binary: payload(number, 100), due: Int64(number) * 20) }
        ring.drop(dueBefore: 40, bytesMax: .max)
        #expect(ring.first == 2, "a frame that is due right now is kept")
        ring.drop(dueBefore: 0, bytesMax: 3 * 102 + 101)
        #expect(ring.first == 7)
        #expect(ring.usedBytes == 3 * 102)
        ring.drop(dueBefore: 1_000, bytesMax: .max)
        #expect(ring.first == 10 && ring.usedBytes == 0)
    }
}
