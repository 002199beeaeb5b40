import Testing

@testable import SonaRooms

/// MP3 with ICY metadata.
struct ICYStreamTests {
    /// Frames of 4 bytes, numbered.
    private func frames(_ numbers: Range<Int>) -> [UInt8] { numbers.flatMap { [0xFF, 0xFB, UInt8($0), 0] } }

    private func stream(_ hasMetadata: Bool = true) -> ICYStream {
        ICYStream(frameBytes: 4, hasMetadata: hasMetadata, title: "A - One", burstMicroseconds: 4 * 48_000)
    }

    private static func metadata(_ text: String) -> [UInt8] {
        let bytes = Array("StreamTitle='\(text)';".utf8)
        let units = (bytes.count + 15) / 16
        return [UInt8(units)] + bytes + [UInt8](repeating: 0, count: units * 16 - bytes.count)
    }

    @Test func `a title is told once, after the block in which it has changed`() {
        var icy = stream()
        #expect(icy.metaint == 8)
        #expect(icy.take(frames(0..<3)).map(\.bytes) == [frames(0..<2) + Self.metadata("A - One")])
        icy.change(to: "B - Two")
        #expect(icy.take(frames(3..<4)).map(\.bytes) == [frames(2..<4) + Self.metadata("B - Two")])
        #expect(icy.take(frames(4..<6)).map(\.bytes) == [frames(4..<6) + [0]])
    }

    @Test func `somebody who comes in begins with a whole block and is told the title at once`() {
        var icy = stream()
        _ = icy.take(frames(0..<20))
        #expect(
            icy.burst == frames(12..<14) + Self.metadata("A - One") + frames(14..<16) + [0] + frames(16..<18) + [0]
                + frames(18..<20) + [0])
    }

    @Test func `the end of a title can't be in one`() {
        var icy = stream()
        icy.change(to: "It';s")
        #expect(icy.take(frames(0..<2)).map(\.bytes) == [frames(0..<2) + Self.metadata("It’;s")])
    }

    @Test func `without metadata there are frames alone`() {
        var plain = stream(false)
        #expect(plain.take(frames(0..<5)).flatMap(\.bytes) == frames(0..<4))
    }
}
