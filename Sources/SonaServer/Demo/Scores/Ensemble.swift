internal import Glibc

/// The instruments of the albums.
enum Ensemble {
    static let pad = WaveInstrument(
        harmonics: falling(24, 1.1), mellowness: 0.5, brightness: (0.1, 0.45, 3),
        envelope: Envelope(attack: 1.7, decay: 5, sustain: 0.75, release: 2.6), detune: [-7, 0.5, 6])
    static let glass = Bell(ratio: 3.5, depth: 1.3, depthDecay: 0.4, decay: 1.5)
    static let drops = Bell(ratio: 4, depth: 1.1, depthDecay: 0.06, decay: 0.42)
    static let electricPiano = Bell(ratio: 1, depth: 1.4, depthDecay: 0.8, decay: 1.5, release: 0.3)
    static let tine = Bell(ratio: 14, depth: 0.5, depthDecay: 0.06, decay: 0.12)
    static let deep = WaveInstrument(
        harmonics: [1, 0.22, 0.08, 0.03], brightness: (1, 0.8, 1),
        envelope: Envelope(attack: 0.25, decay: 4, sustain: 0.7, release: 1.2))
    static let voice = WaveInstrument(
        harmonics: [1, 0.62, 0.5, 0.26, 0.1, 0.08, 0.11, 0.07, 0.03], mellowness: 0.6, brightness: (0.3, 0.75, 0.6),
        envelope: Envelope(attack: 0.22, decay: 2, sustain: 0.85, release: 0.5), detune: [-4, 4], vibratoCents: 15,
        vibratoHertz: 4.8, breath: 0.1)

    static let bass = WaveInstrument(
        harmonics: falling(20, 1), mellowness: 0.4, brightness: (0.85, 0.12, 0.1),
        envelope: Envelope(attack: 0.004, decay: 0.3, sustain: 0.55, release: 0.06))
    static let stab = WaveInstrument(
        harmonics: falling(36, 0.95), mellowness: 0.42, brightness: (0.95, 0.12, 0.12),
        envelope: Envelope(attack: 0.004, decay: 0.16, sustain: 0.22, release: 0.16), detune: [-9, 0, 8])
    static let sequence = WaveInstrument(
        harmonics: falling(28, 1), mellowness: 0.45, brightness: (0.9, 0.1, 0.07),
        envelope: Envelope(attack: 0.003, decay: 0.14, sustain: 0.05, release: 0.12), detune: [-4, 4])
    static let whistle = WaveInstrument(
        harmonics: [1, 0.3, 0.2, 0.08, 0.04], brightness: (0.9, 0.5, 0.3),
        envelope: Envelope(attack: 0.02, decay: 0.5, sustain: 0.6, release: 0.2), detune: [-5, 5], vibratoCents: 12)

    static let piano = WaveInstrument(
        harmonics: falling(26, 0.85), mellowness: 0.5, brightness: (0.8, 0.05, 0.32),
        envelope: Envelope(attack: 0.003, decay: 1.1, sustain: 0, release: 0.25), detune: [-1.1, 0.9])
    static let harp = PluckedString(brightness: 0.42, ringing: 3.2, damped: 1.2)
    static let pizzicato = PluckedString(brightness: 0.3, ringing: 0.9, damped: 0.25, place: 0.13)
    static let flute = WaveInstrument(
        harmonics: [1, 0.45, 0.2, 0.07, 0.03], brightness: (0.5, 0.8, 0.2),
        envelope: Envelope(attack: 0.055, decay: 0.8, sustain: 0.85, release: 0.12), vibratoCents: 11, breath: 0.22)
    static let clarinet = WaveInstrument(
        harmonics: [1, 0.04, 0.6, 0.05, 0.34, 0.06, 0.17, 0.05, 0.09, 0.04, 0.05], mellowness: 0.72,
        brightness: (0.5, 0.7, 0.2), envelope: Envelope(attack: 0.035, decay: 0.7, sustain: 0.8, release: 0.08),
        vibratoCents: 3, breath: 0.06)
    static let cello = WaveInstrument(
        harmonics: zip(falling(26, 0.9), [1, 1.2, 1.1, 0.8, 1, 0.7, 0.5, 0.6] + [Double](repeating: 0.4, count: 18))
            .map { $0 * $1 },
        mellowness: 0.68, brightness: (0.25, 0.6, 0.25),
        envelope: Envelope(attack: 0.1, decay: 1, sustain: 0.85, release: 0.22), vibratoCents: 10, vibratoHertz: 5.4,
        breath: 0.08)

    /// Harmonics that fall off with a power of their number: 1 is a saw-tooth.
    private static func falling(_ count: Int, _ power: Double) -> [Double] {
        (1...count).map { pow(Double($0), -power) }
    }
}
