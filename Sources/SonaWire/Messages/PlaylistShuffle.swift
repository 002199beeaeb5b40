/// The shuffled order of a playlist for a seed: the same for everybody who knows seed and entries.
///
/// Each entry has a number of 64 bits, made of the seed and its identifier alone; entries are played in the order of
/// these numbers, equal ones in that of their identifiers. So an entry that comes or goes leaves the others where they
/// were.
///
/// Source: Protocol/spec/playlists.md, "playlist.shuffle". The hash is FNV-1a (Fowler, Noll and Vo), the mixing
/// SplitMix64 (Steele, Lea and Flood, 2014).
public enum PlaylistShuffle {
    /// The number by which an entry is ordered.
    public static func number(of entry: MusicID, seed: Int64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in entry.rawValue.utf8 {
            hash ^= UInt64(byte)
            hash &*= 0x0000_0100_0000_01B3
        }
        var mixed = (hash ^ UInt64(bitPattern: seed)) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// The entries in the order for a seed. O(n log n).
    public static func order(_ entries: [MusicID], seed: Int64) -> [MusicID] {
        entries.map { (number: number(of: $0, seed: seed), id: $0) }
            .sorted { ($0.number, $0.id.rawValue) < ($1.number, $1.id.rawValue) }
            .map(\.id)
    }
}
