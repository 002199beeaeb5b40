extension UsernameRules {
    /// Names to have in place of one that is taken or not allowed.
    ///
    /// ```swift
    /// rules.suggestions(for: "alice", count: 3, using: &dice) { !taken.contains($0.key) }
    /// // alice_radio, alice7, dj_alice
    /// ```
    ///
    /// All of them pass these rules, so none is reserved, and no two have the same key. They keep the typed text as far
    /// as the rules allow: under those for ASCII, Алиса! gives names with Alisa. The same dice give the same names.
    ///
    /// - Parameters:
    ///   - typed: Anything; its first 64 Unicode scalars are looked at.
    ///   - count: How many to find. `isFree` is asked about 8 times as many at most.
    ///   - isFree: Whether nobody has the name. To ask a database once, see `candidates(for:count:using:)`.
    public func suggestions<Failure: Error>(
        for typed: String, count: Int, using dice: inout some RandomNumberGenerator,
        isFree: (CanonicalName) throws(Failure) -> Bool
    ) throws(Failure) -> [CanonicalName] {
        var free: [CanonicalName] = []
        for candidate in candidates(for: typed, count: count * 8, using: &dice) {
            guard free.count < count else { break }
            if try isFree(candidate) { free.append(candidate) }
        }
        return free
    }

    /// Names like `typed`, best first, of which nobody has asked yet whether they are free. At most `count`; fewer if
    /// the rules leave no room for more.
    ///
    /// About 12 µs for each. A typed text that is not ASCII takes 15 ms more once, and 1 ms for each script it comes
    /// in.
    public func candidates(
        for typed: String, count: Int, using dice: inout some RandomNumberGenerator
    ) -> [CanonicalName] {
        let typed = String(String.UnicodeScalarView(typed.unicodeScalars.prefix(Self.typedScalarsMax)))
        let stem = stem(of: typed)
        var seen: Set<NameKey> = [NameKey(typed), NameKey(stem)]
        var found: [CanonicalName] = []
        var words = Self.words.shuffled(using: &dice)
        // Some are turned down, and the short forms run out soon.
        for attempt in 0..<max(0, count) * 4 {
            guard found.count < count else { break }
            let text = Self.variation(attempt, of: stem, words: &words, longest: characters.upperBound, using: &dice)
            guard let name = try? check(text), seen.insert(name.key).inserted else { continue }
            found.append(name)
        }
        return found
    }

    private static let typedScalarsMax = 64
    /// The suggestion for a name in which nothing can be used.
    private static let fallback = "melody"
    private static let words = ["beats", "club", "fm", "live", "mix", "music", "radio", "sounds", "tunes", "vinyl"]

    /// The beginning of every suggestion: `typed` if its only fault is its length, else the part of it that ASCII can
    /// express. `fallback` if that is empty or reserved.
    private func stem(of typed: String) -> String {
        var lenient = self
        lenient.characters = 1...Self.typedScalarsMax
        lenient.bytesMax = Self.typedScalarsMax * 4
        lenient.reserved = .none
        let stem = (try? lenient.check(typed))?.display ?? Self.asciiName(typed)
        guard !stem.isEmpty, !reserved.contains(NameKey(stem)) else { return Self.fallback }
        return stem
    }

    /// `typed` by its sound. Characters that are not letters or digits become one underscore between words.
    private static func asciiName(_ typed: String) -> String {
        var latin = typed
        if !typed.utf8.allSatisfy({ $0 < 0x80 }) {
            latin = String(units: Transliterator.anyToASCII(ICU.nfc(Array(typed.utf16))))
        }
        return latin.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "_")
    }

    /// The forms take turns. Digits are 2 to 9: 0 and 1 look like letters and would have their keys.
    private static func variation(
        _ attempt: Int, of stem: String, words: inout [String], longest: Int,
        using dice: inout some RandomNumberGenerator
    ) -> String {
        func digits(_ count: Int) -> String {
            (0..<count).map { _ in String(Int.random(in: 2...9, using: &dice)) }.joined()
        }
        func cut(_ affix: String) -> String {
            var rest = stem.prefix(max(0, longest - affix.count))
            while let last = rest.last, "_.-".contains(last) { rest.removeLast() }
            return String(rest)
        }
        if attempt == 2 { return "dj_" + cut("dj_") }
        let affix: String
        if attempt.isMultiple(of: 2), let word = words.popLast() {
            affix = "_" + word
        } else {
            // More of them the longer it takes.
            affix = digits(min(1 + attempt / 4, 6))
        }
        return cut(affix) + affix
    }
}
