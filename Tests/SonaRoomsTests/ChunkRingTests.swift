import SonaRooms
import SonaWire
import Testing

@Suite struct ChunkRingTests {
    private let ring = ChunkRing(microsecondsMax: 1_000_000)

    private func append(_ number: Int, playAt: Int64? = nil, bytes: Int = 10) {
        let header = AudioDown(
            epoch: 1, sequence: UInt32(number), playAtMicroseconds: playAt ?? Int64(number) * 20_000, samples: 960)
        let chunk = AudioChunk(
            header: header, packet: Packet.one(bytes: bytes - 1, mark: number), due: header.playAtMicroseconds)
        ring.append(chunk)
    }

    @Test func `a new ring is empty`() {
        #expect(ring.isEmpty)
        #expect(ring.numbers == 0..<0)
    }

    @Test func `chunks are numbered from 0 and come back unchanged`() {
        for number in 0..<40 { append(number) }
        #expect(ring.numbers == 0..<40)
        for number in ring.numbers {
            #expect(ring[number].header.sequence == UInt32(number))
            #expect(ring[number].packet == Packet.one(bytes: 9, mark: number))
            #expect(ring[number].end == Int64(number + 1) * 20_000)
        }
    }

    @Test func `a chunk at the ring's limit of age is kept, one a sixteenth older is dropped`() {
        append(0, playAt: 0)
        append(1, playAt: 1_000_000)
        #expect(ring.numbers == 0..<2)
        append(2, playAt: 1_062_500)
        #expect(ring.numbers == 0..<3)
        append(3, playAt: 1_062_501)
        #expect(ring.numbers == 1..<4)
    }

    @Test func `a ring of one second always holds a second of packets and at most three more`() {
        for number in 0..<10_000 {
            append(number)
            #expect(ring.end == number + 1)
            #expect(ring.first <= max(0, number - 50) && ring.first >= number - 53)
            #expect(ring[ring.first].header.sequence == UInt32(ring.first))
        }
    }

    @Test func `the ring grows for short packets`() {
        for number in 0..<1_000 { append(number, playAt: Int64(number) * 2_500) }
        #expect((574...599).contains(ring.first) && ring.end == 1_000)
        for number in ring.numbers { #expect(ring[number].header.sequence == UInt32(number)) }
    }

    @Test func `the ring grows while its numbers wrap around its storage`() {
        for number in 0..<60 { append(number, playAt: Int64(number) * 2_000) }
        for number in 60..<90 { append(number, playAt: 1_100_000) }
        #expect(ring.first == 50)
        for number in 90..<400 { append(number, playAt: 1_100_000) }
        #expect(ring.numbers == 50..<400)
        for number in ring.numbers { #expect(ring[number].header.sequence == UInt32(number)) }
    }

    @Test func `the ring never exceeds its limit of bytes`() {
        let bytes = 7_650
        // Two packets fit into a block of 16 KiB.
        let most = ChunkRing.bytesMax * 2 / (16_384 + 2 * ChunkRing.cost(0))
        for number in 0..<most { append(number, playAt: 0, bytes: bytes) }
        #expect(ring.numbers == 0..<most)
        for number in most..<most + 100 { append(number, playAt: 0, bytes: bytes) }
        #expect(abs(ring.first - 100) <= 2)
        for number in ring.numbers { #expect(ring[number].packet == Packet.one(bytes: bytes - 1, mark: number)) }
    }

    @Test func `packets of all lengths stay unchanged while others come and go`() {
        func bytes(_ number: Int) -> Int { 1 + number * 2_593 % Limits.packetBytesMax }
        for number in 0..<3_000 {
            append(number, playAt: Int64(number) * 7_000, bytes: bytes(number))
            for held in [ring.first, ring.first + ring.numbers.count / 2, number] {
                #expect(ring[held].packet == Packet.one(bytes: bytes(held) - 1, mark: held))
                #expect(ring.header(held) == ring[held].header)
                #expect(ring.due(held) == Int64(held) * 7_000)
            }
        }
    }

    @Test func `an emptied ring goes on counting`() {
        for number in 0..<100 { append(number) }
        ring.removeAll()
        #expect(ring.isEmpty)
        append(100)
        #expect(ring.numbers == 100..<101)
        #expect(ring[100].header.sequence == 100)
    }
}
