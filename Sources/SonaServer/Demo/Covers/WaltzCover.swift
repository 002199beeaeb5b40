internal import Glibc

/// Three discs that turn around each other, and the ring that thirty-six circles leave on paper.
struct WaltzCover: CoverArt {
    private static let discs: [(turn: Float, color: SIMD3<Float>)] = [
        (-0.25, Paint.color(0xF58A72)), (0.0833, Paint.color(0xF3CB7E)), (0.4167, Paint.color(0xA9C6F7)),
    ]
    private static let circles = 36
    private static let turns: [SIMD2<Float>] = (0..<circles).map { index in
        let angle = 2 * Float.pi * Float(index) / Float(circles)
        return SIMD2(cos(angle), sin(angle))
    }

    func color(at place: SIMD2<Float>, pixel: Float) -> SIMD3<Float> {
        let middle = Paint.length(place)
        var color = Paint.mix(Paint.paper, Paint.color(0xF3E7DF), middle * 0.7)
        // Like ink, discs darken each other.
        for disc in Self.discs {
            let angle = 2 * Float.pi * disc.turn
            let inside = Paint.cover(Paint.length(place - 0.3 * SIMD2(cos(angle), sin(angle))) - 0.42, pixel)
            color *= Paint.mix(SIMD3(repeating: 1), disc.color, inside)
        }
        var lines: Float = 0
        for turn in Self.turns {
            lines = max(lines, Paint.line(Paint.length(place - 0.46 * turn) - 0.37, width: 0.0055, pixel))
        }
        let ink = Paint.mix(Paint.color(0x5A1A10), Paint.brick, (middle - 0.1) / 0.7)
        color = Paint.mix(color, ink, lines * 0.85)
        return color
    }
}
