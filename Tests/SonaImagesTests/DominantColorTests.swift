import Testing

@testable import SonaImages

@Suite struct DominantColorTests {
    private func color(_ picture: TestPicture) throws -> RGB { try Photo(picture.png()).color }

    @Test func `a colour is written as CSS has it`() {
        #expect(RGB(red: 0x0A, green: 0, blue: 0xFF).description == "#0a00ff")
        #expect(RGB.white.description == "#ffffff" && RGB.black.description == "#000000")
    }

    @Test func `one colour is itself, to the last bit`() throws {
        for pixel: UInt32 in [0xFF00_0000, 0xFFFF_FFFF, 0xFF10_2030, 0xFFE0_2020, 0xFF7F_8081] {
            #expect(try color(TestPicture(40, 30) { _, _ in pixel }).packed == pixel & 0xFF_FFFF)
        }
    }

    @Test func `the larger part wins`() throws {
        let picture = TestPicture(64, 64) { x, _ in x < 26 ? TestPicture.red : TestPicture.blue }
        #expect(try color(picture).packed == TestPicture.blue & 0xFF_FFFF)
    }

    @Test func `a shaded colour wins over a smaller even one`() throws {
        // Six tenths blue in 40 shades, four tenths one red.
        let picture = TestPicture(60, 60) { x, y in
            x < 36 ? 0xFF00_0000 | UInt32(30 + y % 30) << 8 | UInt32(170 + x) : TestPicture.red
        }
        let found = try color(picture)
        #expect(found.blue > 150 && found.red < 60)
    }

    @Test func `transparent pixels do not count`() throws {
        let picture = TestPicture(64, 64) { x, _ in x < 10 ? TestPicture.green : 0x00FF_0000 }
        #expect(areClose(0xFF00_0000 | (try color(picture).packed), TestPicture.green, tolerance: 2))
        #expect(try color(TestPicture(8, 8) { _, _ in 0 }) == DominantColor.ofNothing)
    }

    @Test func `luminance and contrast are those of WCAG`() {
        #expect(abs(RGB.black.contrast(with: .white) - 21) < 1e-9)
        #expect(RGB.white.contrast(with: .white) == 1)
        // Known pairs: #767676 is the lightest grey that passes on white, #777777 does not.
        #expect(RGB(red: 0x76, green: 0x76, blue: 0x76).contrast(with: .white) >= 4.5)
        #expect(RGB(red: 0x77, green: 0x77, blue: 0x77).contrast(with: .white) < 4.5)
        #expect(abs(RGB(red: 255, green: 0, blue: 0).relativeLuminance - 0.2126) < 1e-9)
    }

    @Test func `the foreground can be read on every colour`() {
        var least = Double.infinity
        for red in stride(from: UInt8(0), through: 255, by: 5) {
            for green in stride(from: UInt8(0), through: 255, by: 5) {
                for blue in stride(from: UInt8(0), through: 255, by: 5) {
                    let color = RGB(red: red, green: green, blue: blue)
                    least = min(least, color.contrast(with: color.foreground))
                }
            }
        }
        #expect(least >= 4.5)
        #expect(RGB.white.foreground == .black && RGB.black.foreground == .white)
    }
}
