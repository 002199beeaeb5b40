internal import Glibc

/// A low sun with its rings over waves that come nearer.
struct TidalCover: CoverArt {
    private static let sky = [
        Paint.color(0x1A0F14), Paint.ember, Paint.color(0x6E2A1F), Paint.color(0xC9543B), Paint.coral,
        Paint.color(0xFFC3A8),
    ]
    private static let sea = [
        Paint.color(0xE9775B), Paint.color(0xB8503F), Paint.color(0x7F3638), Paint.color(0x4C2532),
        Paint.color(0x241522),
    ]
    private static let waves = 11
    private static let horizon: Float = 0.18
    private static let sun = SIMD2<Float>(0.12, -0.1)

    func color(at place: SIMD2<Float>, pixel: Float) -> SIMD3<Float> {
        var color = Paint.gradient(Self.sky, (place.y + 1) / (1 + Self.horizon))
        let distance = Paint.length(place - Self.sun)
        color = Paint.mix(color, Paint.cream, 0.5 * exp(-max(0, distance - 0.36) * 6))
        for ring in 1...4 {
            let line = Paint.line(distance - 0.36 - Float(ring) * 0.13, width: 0.012, pixel)
            color = Paint.mix(color, Paint.cream, line * (0.6 - 0.12 * Float(ring)))
        }
        let disc = Paint.mix(Paint.color(0xFFF6EC), Paint.color(0xFFC9A6), (place.y - Self.sun.y + 0.36) / 0.72)
        color = Paint.mix(color, disc, Paint.cover(distance - 0.36, pixel))
        for wave in 0..<Self.waves {
            let part = Float(wave) / Float(Self.waves - 1)
            let top = Self.edge(wave, place.x)
            let inside = Paint.cover(top - place.y, pixel)
            guard inside > 0 else { continue }
            // Each wave is lighter at its crest, and lightest under the sun.
            let depth = place.y - top
            var water = Paint.gradient(Self.sea, part)
            water = Paint.mix(water, Paint.coral, 0.28 * (1 - part) * exp(-depth * 9))
            let glitter = exp(-pow((place.x - Self.sun.x) / (0.16 + 0.22 * part), 2))
            let crest = Paint.line(depth - 0.012, width: 0.008 + 0.008 * part, pixel)
            water = Paint.mix(water, Paint.cream, crest * (0.10 + 0.8 * glitter))
            color = Paint.mix(color, water, inside)
        }
        return color
    }

    private static func edge(_ wave: Int, _ x: Float) -> Float {
        let part = Float(wave) / Float(waves - 1)
        let height = 0.004 + 0.06 * part
        let turn = Float(wave) * 2.4
        return horizon + 0.72 * pow(part, 1.35)
            + height * (sin(x * (9 - 5 * part) + turn) + 0.5 * sin(x * (15 - 7 * part) - turn * 1.7))
    }
}
