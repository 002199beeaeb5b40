import Testing

@testable import SonaTranscode

@Suite struct PeakGatheringTests {
    private func bytes(_ values: [Int16]) -> [UInt8] {
        values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    private func gathered(_ bytes: [UInt8], pieces: Int) -> PeakGathering {
        var gathering = PeakGathering()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            piece.withUnsafeBytes { gathering.take($0) }
            rest = rest.dropFirst(pieces)
        }
        return gathering
    }

    @Test func `the pieces that samples come in make no difference`() {
        let samples = bytes((0..<60_000).map { Int16(truncatingIfNeeded: $0 * 7_919) })
        let whole = gathered(samples, pieces: samples.count)
        #expect(whole.valueCount == 60_000)
        for pieces in [1, 2, 3, 127, 4_096, 65_535] {
            let some = gathered(samples, pieces: pieces)
            #expect(some.peaks(1000) == whole.peaks(1000) && some.valueCount == 60_000, "in pieces of \(pieces)")
        }
    }

    @Test(arguments: [1, 999, 1_000, 64_000, 300_000, 2_000_000])
    func `one loud sample shows in one place, however long the sound`(count: Int) {
        var samples = [Int16](repeating: 100, count: count)
        samples[count / 2] = -32_768
        let peaks = gathered(bytes(samples), pieces: 60_001).peaks(1000)
        #expect(peaks.count == 1000 && peaks.contains(255))
        if count >= 64_000 {
            #expect(peaks.count { $0 == 255 } <= 2)
            let place = peaks.firstIndex(of: 255) ?? 0
            #expect((495...505).contains(place), "\(place)")
            #expect(peaks.allSatisfy { $0 == 255 || $0 == 1 })
        }
    }

    @Test func `no sound has no peaks but zeros`() {
        #expect(PeakGathering().peaks(1000) == [UInt8](repeating: 0, count: 1000))
    }
}
