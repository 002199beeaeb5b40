internal import Glibc

/// Which backups stay when old ones are removed, in words: `7 daily, 4 weekly, 6 monthly`, or `10 last`.
///
/// Of each of the last so many days, weeks (from Monday) and months in which there is a backup, the newest one stays.
/// Days are those of UTC. The newest backup of all always stays.
package struct KeepRule: Sendable, Equatable {
    private enum Span: String, CaseIterable {
        case last, daily, weekly, monthly
    }

    package let text: String
    private let counts: [Span: Int]

    /// Two weeks of days, two months of weeks, a year of months.
    package static let standardText = "14 daily, 8 weekly, 12 monthly"

    /// - Returns: `nil` for text that is no rule.
    package init?(_ text: String) {
        var counts: [Span: Int] = [:]
        for part in text.split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2, let count = Int(words[0]), (1...1_000).contains(count),
                let span = Span(rawValue: String(words[1])), counts[span] == nil
            else { return nil }
            counts[span] = count
        }
        guard !counts.isEmpty else { return nil }
        self.text = text
        self.counts = counts
    }

    /// - Parameter names: Names of backups, in any order.
    /// - Returns: Those that go.
    package func superfluous(_ names: [String]) -> [String] {
        let newestFirst = names.sorted(by: >)
        var kept = Set(newestFirst.prefix(1))
        for (span, count) in counts {
            var seen = Set<String>()
            for name in newestFirst where seen.count < count {
                if seen.insert(Self.key(name, span)).inserted { kept.insert(name) }
            }
        }
        return newestFirst.filter { !kept.contains($0) }
    }

    /// Equal for backups of the same day, week or month.
    private static func key(_ name: String, _ span: Span) -> String {
        switch span {
        case .last: return name
        case .daily: return String(name.prefix(10))
        case .monthly: return String(name.prefix(7))
        case .weekly:
            let parts = name.prefix(10).split(separator: "-").compactMap { Int32($0) }
            guard parts.count == 3 else { return name }
            var date = tm()
            (date.tm_year, date.tm_mon, date.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
            // The first of January 1970 was a Thursday.
            return "\((timegm(&date) / 86_400 + 3) / 7)"
        }
    }
}

/// Removes old backups, and what no other backup needs.
package struct BackupPruning {
    private let place: any BackupPlace

    package init(_ place: any BackupPlace) { self.place = place }

    package struct Outcome: Sendable {
        package let removed: [String]
        package let kept: [String]
        /// Contents, and their bytes, that no backup needs any more.
        package let objects: Int
        package let bytes: Int64
    }

    /// - Parameters:
    ///   - isTrial: Nothing is removed; only told.
    ///   - isHeld: Whether `beginWriting` has been called.
    /// - Throws: `damaged` if a manifest that stays can't be read: nobody knows what it needs.
    package func run(_ rule: KeepRule, isTrial: Bool, isHeld: Bool = false) throws(BackupError) -> Outcome {
        if !isHeld { if isTrial { try place.beginReading() } else { try place.beginWriting() } }
        let names = try place.names()
        let superfluous = Set(rule.superfluous(names))
        let kept = names.filter { !superfluous.contains($0) }
        var needed = Set<String>()
        for name in kept { needed.formUnion(try place.backup(name).objects.keys) }
        let unneeded = try place.objects().filter { !needed.contains($0.key) }
        if !isTrial {
            // Manifests first: an end in between leaves objects that the next round removes.
            for name in superfluous.sorted() { try place.removeManifest(name) }
            try place.removeObjects(unneeded.keys.sorted())
        }
        return Outcome(
            removed: superfluous.sorted(), kept: kept, objects: unneeded.count,
            bytes: unneeded.values.reduce(0, +))
    }
}
