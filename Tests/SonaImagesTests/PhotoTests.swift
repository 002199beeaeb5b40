import Testing

@testable import SonaImages

@Suite struct PhotoTests {
    static let quarters = TestPicture.quarters()
    static let files: [(name: String, bytes: [UInt8])] = [
        ("PNG", quarters.png()), ("JPEG", quarters.jpeg()), ("progressive JPEG", quarters.jpeg(isProgressive: true)),
        ("lossy WebP", quarters.webP()), ("lossless WebP", quarters.webP(isLossless: true)),
    ]

    @Test(arguments: files.indices)
    func `each format comes out upright in its own size, as WebP`(index: Int) throws {
        let (name, bytes) = Self.files[index]
        let photo = try Photo(bytes)
        #expect(photo.full.width == 48 && photo.full.height == 32, "\(name)")
        #expect(photo.full.contentType == "image/webp" && ImageKind(sniffing: photo.full.bytes) == .webP)
        let picture = try #require(TestPicture(photo.full))
        #expect(picture.width == 48 && picture.height == 32)
        for (found, wanted) in zip(picture.middles, Self.quarters.middles) {
            #expect(areClose(found, wanted), "\(name): \(String(found, radix: 16))")
        }
        #expect(photo.squares.map(\.width) == [32, 64] && photo.squares.map(\.height) == [32, 64])
        for square in photo.squares {
            let picture = try #require(TestPicture(square))
            #expect(picture.width == square.width && picture.height == square.height)
            for (found, wanted) in zip(picture.middles, Self.quarters.middles) {
                #expect(areClose(found, wanted), "\(name): \(String(found, radix: 16))")
            }
        }
        #expect(photo.color.contrast(with: photo.foreground) >= 4.5)
    }

    @Test func `the same bytes give the same photo`() throws {
        let bytes = TestPicture.slopes(300, 200).jpeg()
        #expect(try Photo(bytes) == Photo(bytes))
    }

    @Test(arguments: [64, 100, 2048, 4096])
    func `the longest side is shrunk to the limit, and one pixel less is left alone`(side: Int) throws {
        for longest in [side - 1, side, side + 1] {
            let picture = TestPicture(longest, 8) { x, _ in x < longest / 2 ? TestPicture.red : TestPicture.blue }
            let upright = TestPicture(8, longest) { _, y in y < longest / 2 ? TestPicture.red : TestPicture.blue }
            for file in [picture.png(), picture.jpeg(), picture.webP()] {
                let full = try Photo(file, longestSideMax: side).full
                #expect(full.width == min(longest, side) && full.height == 8)
            }
            let full = try Photo(upright.jpeg(), longestSideMax: side).full
            #expect(full.width == 8 && full.height == min(longest, side))
        }
    }

    @Test func `a shape is kept, by each decoder's own way of shrinking`() throws {
        let picture = TestPicture.quarters(1201, 799)
        for file in [picture.png(), picture.jpeg(), picture.webP(), picture.webP(isLossless: true)] {
            let full = try Photo(file, longestSideMax: 300).full
            #expect(full.width == 300 && full.height == 200)
            let small = try #require(TestPicture(full))
            for (found, wanted) in zip(small.middles, picture.middles) { #expect(areClose(found, wanted)) }
        }
    }

    @Test func `a line stays a line of one pixel`() throws {
        for (width, height) in [(5000, 1), (1, 5000)] {
            let picture = TestPicture(width, height) { _, _ in TestPicture.green }
            for file in [picture.png(), picture.jpeg(), picture.webP()] {
                let photo = try Photo(file)
                #expect(photo.full.width == min(width, 2048) && photo.full.height == min(height, 2048))
                #expect(photo.squares.map(\.width) == [32, 64])
                #expect(areClose(try #require(TestPicture(photo.squares[1]))[63, 63], TestPicture.green))
            }
        }
    }

    @Test func `one pixel makes a whole photo`() throws {
        for file in [TestPicture(1, 1) { _, _ in TestPicture.blue }].flatMap({ [$0.png(), $0.jpeg(), $0.webP()] }) {
            let photo = try Photo(file)
            #expect(photo.full.width == 1 && photo.full.height == 1)
            let square = try #require(TestPicture(photo.squares[1]))
            #expect(areClose(square[0, 0], TestPicture.blue) && areClose(square[63, 63], TestPicture.blue))
        }
    }

    @Test func `squares show the middle`() throws {
        // Red, a green square, blue: only the green is in the middle.
        let wide = TestPicture(300, 100) { x, _ in
            x < 100 ? TestPicture.red : x < 200 ? TestPicture.green : TestPicture.blue
        }
        let high = TestPicture(100, 300) { _, y in
            y < 100 ? TestPicture.red : y < 200 ? TestPicture.green : TestPicture.blue
        }
        for picture in [wide, high] {
            for square in try Photo(picture.png()).squares {
                let small = try #require(TestPicture(square))
                let last = square.width - 2
                for (x, y) in [(1, 1), (last, 1), (1, last), (last, last), (last / 2, last / 2)] {
                    #expect(areClose(small[x, y], TestPicture.green))
                }
            }
        }
    }

    @Test func `a fine pattern becomes its mean, not one of its colours`() throws {
        let board = TestPicture(640, 640) { x, y in (x + y) % 2 == 0 ? 0xFF00_0000 : 0xFFFF_FFFF }
        let square = try #require(TestPicture(try Photo(board.png()).squares[0]))
        for position in [3, 10, 16, 30] { #expect(areClose(square[position, position], 0xFF80_8080, tolerance: 8)) }
    }

    @Test func `transparency is kept, and does not darken what is beside it`() throws {
        // Opaque red on the left; on the right, black that is not to be seen.
        let picture = TestPicture(640, 640) { x, _ in x < 335 ? TestPicture.red : 0 }
        for file in [picture.png(), picture.webP(isLossless: true)] {
            let photo = try Photo(file)
            let full = try #require(TestPicture(photo.full))
            #expect(areClose(full[100, 320], TestPicture.red) && full[600, 320] >> 24 == 0)
            let square = try #require(TestPicture(photo.squares[1]))
            #expect(areClose(square[10, 32], TestPicture.red) && square[60, 32] >> 24 == 0)
            // The border lies in the middle of column 33 of 64: half transparent, and still red.
            let border = try #require(TestPicture(try Photo(file, longestSideMax: 64).full))[33, 32]
            #expect((100...155).contains(border >> 24))
            #expect(areClose(border | 0xFF00_0000, TestPicture.red, tolerance: 48), "\(String(border, radix: 16))")
            #expect(areClose(0xFF00_0000 | photo.color.packed, TestPicture.red))
        }
    }
}

extension RGB {
    var packed: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }
}
