internal import Glibc
internal import SonaImages

/// A square picture, drawn pixel by pixel, in any size.
protocol CoverArt: Sendable {
    /// The colour at a place, as red, green and blue in 0…1.
    ///
    /// - Parameters:
    ///   - place: −1…1 in both directions; x to the right, y downwards.
    ///   - pixel: Width of a pixel in the same measure. Edges are soft over this width.
    func color(at place: SIMD2<Float>, pixel: Float) -> SIMD3<Float>
}

extension CoverArt {
    /// A PNG of the picture. Off the loop; 0.2 s for half a megapixel.
    func png(side: Int) throws(ImageError) -> [UInt8] {
        let pixel = 2 / Float(side)
        var rgb: [UInt8] = []
        rgb.reserveCapacity(side * side * 3)
        for row in 0..<side {
            for column in 0..<side {
                let place = SIMD2((Float(column) + 0.5) * pixel - 1, (Float(row) + 0.5) * pixel - 1)
                let color = color(at: place, pixel: pixel)
                for channel in 0..<3 { rgb.append(UInt8(max(0, min(255, (color[channel] * 255).rounded())))) }
            }
        }
        return try PNGEncoder.encode(rgb: rgb, width: side, height: side)
    }
}

/// Colours and edges.
enum Paint {
    static let night = color(0x131011)
    static let ember = color(0x2B1512)
    static let brick = color(0xB5361F)
    static let coral = color(0xFF9076)
    static let cream = color(0xFBE9E1)
    static let paper = color(0xF8F5F3)
    static let amber = color(0xF0C168)
    static let leaf = color(0x7FD3A4)
    static let sky = color(0x9CC0FF)
    static let ink = color(0x1B57C9)

    static func color(_ hex: UInt32) -> SIMD3<Float> {
        SIMD3(Float(hex >> 16 & 255), Float(hex >> 8 & 255), Float(hex & 255)) / 255
    }

    static func mix(_ one: SIMD3<Float>, _ other: SIMD3<Float>, _ part: Float) -> SIMD3<Float> {
        one + (other - one) * max(0, min(1, part))
    }

    /// A colour from a row of them: 0 is the first, 1 the last.
    static func gradient(_ colors: [SIMD3<Float>], _ part: Float) -> SIMD3<Float> {
        let place = max(0, min(1, part)) * Float(colors.count - 1)
        let index = min(colors.count - 2, Int(place))
        return mix(colors[index], colors[index + 1], place - Float(index))
    }

    /// How much of a pixel a shape covers.
    ///
    /// - Parameter distance: To the edge, negative inside.
    static func cover(_ distance: Float, _ pixel: Float) -> Float { max(0, min(1, 0.5 - distance / pixel)) }

    /// The same for a line along an edge.
    static func line(_ distance: Float, width: Float, _ pixel: Float) -> Float {
        cover(abs(distance) - width / 2, pixel)
    }

    static func length(_ place: SIMD2<Float>) -> Float { (place * place).sum().squareRoot() }
}
