internal import Glibc
internal import SonaBase

/// A net of rails at night: quarter circles on tiles that are turned at random, so that lines go on from tile to tile.
struct TramCover: CoverArt {
    private static let tiles = 5
    /// Colours of the rails, from the inner one to the outer one and back: both ends of a tile match.
    private static let rails = [Paint.coral, Paint.amber, Paint.cream, Paint.amber, Paint.coral]
    private let turned: [Bool]

    init() {
        var dice = SeededGenerator(seed: 12)
        turned = (0..<Self.tiles * Self.tiles).map { _ in dice.fraction() < 0.5 }
    }

    func color(at place: SIMD2<Float>, pixel: Float) -> SIMD3<Float> {
        let scaled = (place + 1) * (Float(Self.tiles) / 2)
        let size = pixel * Float(Self.tiles) / 2
        let (column, row) = (min(Self.tiles - 1, Int(scaled.x)), min(Self.tiles - 1, Int(scaled.y)))
        let isTurned = turned[row * Self.tiles + column]
        var inTile = scaled - SIMD2(Float(column), Float(row))
        if isTurned { inTile.x = 1 - inTile.x }
        let glow = exp(-Paint.length(place - SIMD2(0.35, -0.4)) * 1.6)
        let ground = Paint.mix(Paint.night, Paint.color(0x4A2019), glow)
        // Light comes from the upper right: far rails are dimmer and bluer.
        let light = 0.62 + 0.38 * exp(-Paint.length(place - SIMD2(0.35, -0.4)) * 0.9)
        var color = ground
        // The arc around the second corner lies above the first.
        for corner in [SIMD2<Float>(0, 0), SIMD2(1, 1)] {
            let distance = Paint.length(inTile - corner)
            color = Paint.mix(color, ground, Paint.cover(abs(distance - 0.5) - 0.4, size))
            for (index, rail) in Self.rails.enumerated() {
                let radius = 0.5 + Float(index - 2) * 0.15
                let cold = Paint.mix(Paint.sky, rail, light * 1.1)
                let width: Float = index == 2 ? 0.075 : 0.05
                color = Paint.mix(
                    color, Paint.mix(ground, cold, light), Paint.line(distance - radius, width: width, size))
            }
        }
        return color
    }
}
