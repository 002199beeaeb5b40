import CTurboJPEG
import CWebP
import SonaBase
import SonaImages
import SonaTestSupport

/// A picture in memory for tests: 4 bytes a pixel, blue, green, red, alpha.
struct TestPicture {
    var width: Int
    var height: Int
    var bytes: [UInt8]

    init(_ width: Int, _ height: Int, _ color: (_ x: Int, _ y: Int) -> UInt32) {
        self.width = width
        self.height = height
        bytes = []
        bytes.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = color(x, y)
                bytes += [UInt8(pixel & 0xFF), UInt8(pixel >> 8 & 0xFF), UInt8(pixel >> 16 & 0xFF), UInt8(pixel >> 24)]
            }
        }
    }

    /// Red and green above, blue and yellow below: no two of the eight orientations look the same.
    static func quarters(_ width: Int = 48, _ height: Int = 32) -> TestPicture {
        TestPicture(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): Self.red
            case (false, true): Self.green
            case (true, false): Self.blue
            case (false, false): Self.yellow
            }
        }
    }

    static let red: UInt32 = 0xFFE0_2020
    static let green: UInt32 = 0xFF20_C020
    static let blue: UInt32 = 0xFF20_20E0
    static let yellow: UInt32 = 0xFFE0_E020

    /// Slopes with some noise, so that nothing compresses to nothing.
    static func slopes(_ width: Int, _ height: Int, alpha: UInt32 = 255, seed: UInt64 = 1) -> TestPicture {
        var generator = SeededGenerator(seed: seed)
        return TestPicture(width, height) { x, y in
            let noise = UInt32(truncatingIfNeeded: generator.next()) & 0x0F
            let red = UInt32(x * 200 / width) + noise
            let green = UInt32(y * 200 / height) + noise
            return alpha << 24 | red << 16 | green << 8 | 0x40
        }
    }

    /// As 0xAARRGGBB.
    subscript(x: Int, y: Int) -> UInt32 {
        let start = (y * width + x) * 4
        return UInt32(bytes[start + 3]) << 24 | UInt32(bytes[start + 2]) << 16 | UInt32(bytes[start + 1]) << 8
            | UInt32(bytes[start])
    }

    /// The colours in the middle of each quarter, from left to right, the upper two first.
    var middles: [UInt32] {
        [height / 4, height * 3 / 4].flatMap { y in [width / 4, width * 3 / 4].map { self[$0, y] } }
    }
}

/// Whether two colours differ by at most `tolerance` in each of the four channels.
func areClose(_ one: UInt32, _ two: UInt32, tolerance: Int = 24) -> Bool {
    [0, 8, 16, 24].allSatisfy { abs(Int(one >> $0 & 0xFF) - Int(two >> $0 & 0xFF)) <= tolerance }
}

extension TestPicture {
    /// Decodes what a photo came out as.
    init?(_ image: EncodedImage) {
        var (width, height): (Int32, Int32) = (0, 0)
        guard let decoded = WebPDecodeBGRA(image.bytes, image.bytes.count, &width, &height) else { return nil }
        defer { WebPFree(decoded) }
        self.width = Int(width)
        self.height = Int(height)
        bytes = Array(UnsafeBufferPointer(start: decoded, count: self.width * self.height * 4))
    }

    func webP(isLossless: Bool = false) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let (width, height, stride) = (Int32(width), Int32(height), Int32(width * 4))
        let count =
            isLossless
            ? WebPEncodeLosslessBGRA(bytes, width, height, stride, &output)
            : WebPEncodeBGRA(bytes, width, height, stride, 90, &output)
        defer { WebPFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: count))
    }

    func jpeg(
        _ subsampling: TJSAMP = TJSAMP_420, format: TJPF = TJPF_BGRX, isProgressive: Bool = false
    ) -> [UInt8] {
        guard let handle = tjInitCompress() else { return [] }
        defer { tjDestroy(handle) }
        var output: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let flags = isProgressive ? TJFLAG_PROGRESSIVE : 0
        tjCompress2(
            handle, bytes, Int32(width), 0, Int32(height), format.rawValue, &output, &count,
            Int32(subsampling.rawValue), 92, flags)
        defer { tjFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }

    /// Adobe's print colours: each channel the inverse of ink. The colours must be opaque.
    func printJPEG() -> [UInt8] {
        var copy = self
        for start in stride(from: 0, to: bytes.count, by: 4) {
            // With 255 of the inverse of black, cyan is red, magenta green and yellow blue.
            (copy.bytes[start], copy.bytes[start + 2]) = (bytes[start + 2], bytes[start])
            copy.bytes[start + 3] = 255
        }
        return copy.jpeg(TJSAMP_444, format: TJPF_CMYK)
    }

    func png() -> [UInt8] {
        var rows: [[UInt8]] = []
        for y in 0..<height {
            rows.append((0..<width).flatMap { x in PNGFixture.samples(self[x, y], 8) })
        }
        return PNGFixture(width: width, height: height, depth: 8, colorType: 6, rows: rows).file()
    }
}
