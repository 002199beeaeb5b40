package import SonaWire

/// A track as somebody asks for it: its description and, if known, its source.
///
/// It can only be made well-formed, so its holders never check it again. Copies share their contents: a queue is copied
/// at every change, and each of its entries then costs one reference.
package struct TrackReference: Sendable, Hashable {
    private final class Named: Sendable {
        let track: Track
        let source: TrackSource?
        let keys: [String]
        let bytes: Int

        init(_ track: Track, _ source: TrackSource?, keys: [String]) {
            self.track = track
            self.source = source
            self.keys = keys
            bytes = [track.title, track.artist, track.album, track.artwork, source?.text].reduce(0) {
                $0 + ($1?.utf8.count ?? 0)
            }
        }
    }

    private let named: Named

    package var track: Track { named.track }
    package var source: TrackSource? { named.source }
    /// Keys that identify the track. Two tracks are the same if they have one key in common, so neither another
    /// spelling nor another address gets round a rule about repeats. At least one key, at most two.
    package var keys: [String] { named.keys }
    /// Bytes of its texts.
    var bytes: Int { named.bytes }

    /// - Parameter source: An address, or an identifier in a library; see `TrackSource`.
    /// - Throws: `queue.invalid_track` if a text is longer than `Limits.trackTextBytes` or holds control characters, if
    ///   the duration is out of range, if source or artwork is invalid, or if neither title nor source is given.
    package init(_ track: Track, source: String? = nil) throws(PartyRefusal) {
        var track = track
        // What stands in a queue is no jingle, whatever a client calls it.
        track.jingle = nil
        let parsed = source.map(TrackSource.init)
        let texts = [track.title, track.artist, track.album].compactMap { $0 }
        let duration = track.durationMicroseconds ?? 0
        guard parsed.map({ $0 != nil }) ?? true, texts.allSatisfy(Self.isLine), 0...Limits.integerMax ~= duration,
            track.artwork.map(Track.isArtwork) ?? true
        else { throw PartyRefusal(.invalidTrack) }
        let keys = Self.keys(title: track.title, artist: track.artist, source: parsed ?? nil)
        guard !keys.isEmpty else { throw PartyRefusal(.invalidTrack) }
        named = Named(track, parsed ?? nil, keys: keys)
    }

    package static func == (left: Self, right: Self) -> Bool {
        // The keys follow from track and source.
        left.named === right.named || (left.track == right.track && left.source == right.source)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(track)
        hasher.combine(source)
    }

    package func isSame(as other: TrackReference) -> Bool { keys.contains(where: other.keys.contains) }

    // MARK: Keys

    /// A title identifies a track together with its artist, or alone if there is nothing better. "Intro" at two
    /// addresses is two tracks, unless the same artist made both.
    private static func keys(title: String?, artist: String?, source: TrackSource?) -> [String] {
        var keys: [String] = []
        if let source { keys.append(source.key) }
        let title = fold(title ?? "")
        let artist = fold(artist ?? "")
        if !title.isEmpty, !artist.isEmpty || source == nil { keys.append("n:\(title)\u{1F}\(artist)") }
        return keys
    }

    /// The words of a text without case and punctuation. A text of nothing but punctuation stands for itself.
    ///
    /// Upper case comes first, because there ß and ss become the same. Accents count. Precomposed or not, they compare
    /// alike, because strings compare that way.
    static func fold(_ text: String) -> String {
        var folded = ""
        var isBetweenWords = false
        for scalar in text.uppercased().lowercased().unicodeScalars where !Self.apostrophes.contains(scalar) {
            guard isPartOfWord(scalar) else {
                isBetweenWords = !folded.isEmpty
                continue
            }
            if isBetweenWords { folded.append(" ") }
            isBetweenWords = false
            folded.unicodeScalars.append(scalar)
        }
        if folded.isEmpty { return text.contains { !$0.isWhitespace } ? text : "" }
        return folded
    }

    /// Apostrophes join the letters around them: "Don't" is "Dont".
    private static let apostrophes: Set<Unicode.Scalar> = ["'", "\u{2019}", "\u{02BC}"]

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark: return true
        default: return false
        }
    }

    private static func isLine(_ text: String) -> Bool {
        Limits.trackTextBytes.contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.value {
                case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: false
                default: true
                }
            }
    }
}
