import Testing

@testable import SonaImages

@Suite struct PNGEncoderTests {
    // Noise does not shrink: the largest file for its size.
    @Test(arguments: [(1, 1), (7, 3), (300, 200)])
    func `pixels come out of a file as they went in`(width: Int, height: Int) throws {
        var state: UInt32 = 7
        let rgb = (0..<width * height * 3).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let file = try PNGEncoder.encode(rgb: rgb, width: width, height: height)
        #expect(ImageKind(sniffing: file) == .png)
        let pixels = try PNGDecoder.decode(PNGChunks(file))
        #expect(pixels.size == PixelSize(width: width, height: height))
        let read = pixels.withPixels { pixels in
            pixels.flatMap { [UInt8($0 >> 16 & 0xFF), UInt8($0 >> 8 & 0xFF), UInt8($0 & 0xFF)] }
        }
        #expect(read == rgb)
        #expect(try PNGEncoder.encode(rgb: rgb, width: width, height: height) == file)
    }
}
