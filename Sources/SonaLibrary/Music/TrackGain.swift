internal import Glibc
internal import SonaDatabase
internal import SonaWire

/// How much louder or softer music is played so that all of it is about as loud: hundredths of dB.
///
/// What is measured is the integrated loudness and the true peak of EBU R 128. The gain brings the loudness to −18 LUFS, as
/// ReplayGain 2.0 does, and leaves the true peak at −1 dBTP at most (EBU R 128, "Maximum Permitted True Peak Level").
enum TrackGain {
    /// Hundredths of LUFS and of dBTP.
    private static let (target, peakMax) = (-18_00, -1_00)
    /// What measures give for silence, hundredths of LUFS.
    private static let silence = -70_00

    /// - Parameters:
    ///   - loudness: Hundredths of LUFS.
    ///   - peak: Hundredths of dBTP.
    /// - Returns: `nil` for what was not measured, and for silence.
    static func of(loudness: Int?, peak: Int?) -> Int? {
        guard let loudness, let peak, loudness > silence else { return nil }
        return Limits.gain(min(target - loudness, peakMax - peak))
    }

    /// The gains of albums, by number: one for all tracks of an album, so that they keep their differences.
    ///
    /// The loudness of an album is taken as the mean of the powers of its tracks, by their lengths. Measured as one file it
    /// would be about the same: the gates of R 128 leave out silence and soft passages from both. Tracks that were not
    /// measured do not count.
    static func ofAlbums(
        _ albums: [Int64], in db: inout some DatabaseAccess & ~Copyable
    ) throws -> [Int64: Int] {
        var sums: [Int64: (power: Double, milliseconds: Double, peak: Int)] = [:]
        try db.forEach(
            """
            SELECT album, loudness, peak, duration_ms FROM tracks
            WHERE album IN (SELECT value FROM json_each(\(MusicObjects.list(albums))))
                AND loudness > \(silence) AND peak IS NOT NULL
            """
        ) { row in
            let (album, loudness, peak): (Int64, Int, Int) = (try row.next(), try row.next(), try row.next())
            let milliseconds = Double(max(1, try row.next(Int64.self)))
            let sum = sums[album] ?? (0, 0, peak)
            sums[album] = (
                sum.power + milliseconds * pow(10, Double(loudness) / 1000), sum.milliseconds + milliseconds,
                max(sum.peak, peak)
            )
            return true
        }
        return sums.compactMapValues { sum in
            of(loudness: Int((1000 * log10(sum.power / sum.milliseconds)).rounded()), peak: sum.peak)
        }
    }
}

extension TrackRecord {
    /// Whether it stands so many places after another on the same disc of the same album.
    func follows(_ other: TrackRecord, by distance: Int) -> Bool {
        guard let albumNumber, albumNumber == other.albumNumber, let place, let before = other.place else {
            return false
        }
        return (disc ?? 1) == (other.disc ?? 1) && place - before == distance
    }

    /// Hundredths of dB; `nil` until measured.
    var gain: Int? { TrackGain.of(loudness: loudness, peak: peak) }
}
