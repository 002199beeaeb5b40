internal import SonaBase
internal import SonaDatabase
internal import SonaText
package import SonaWire

/// The filter of words that the operator does not want: stored, and in memory for every text that is written.
package final class WordGuard: Sendable {
    /// A text that may be stored.
    package struct Checked: Sendable, Equatable {
        /// The text, with the words that are masked.
        package let text: String
        /// Words that the administrators are to be told of.
        package let flagged: [String]
    }

    private struct State {
        var filter = WordFilter([])
        var words: [FilteredWord] = []
        var changeNumber: Int64 = 0
    }

    private let dao: WordDAO
    private let journal: Journal
    private let clock: WallClock
    private let changes = ChangeCounter()
    private let state = Monitor(State())

    init(_ dao: WordDAO, journal: Journal, clock: WallClock) {
        self.dao = dao
        self.journal = journal
        self.clock = clock
    }

    // MARK: Texts

    /// Checks a text that somebody wants others to see. Any thread; no disk. A microsecond or two for a message.
    ///
    /// - Parameter field: The field of the request that holds the text.
    /// - Throws: `contentRefused`.
    package func check(_ text: String, _ field: String) throws(Refusal) -> Checked {
        let (filter, words) = state.withLock { ($0.filter, $0.words) }
        let matches = filter.matches(in: text)
        guard !matches.isEmpty else { return Checked(text: text, flagged: []) }
        var flagged: [String] = []
        var masked: [Range<Int>] = []
        for match in matches {
            let word = words[match.pattern]
            switch word.action {
            case .refuse: throw Refusal(.contentRefused, field: field)
            case .mask: masked.append(match.range)
            case .flag: if !flagged.contains(word.word) { flagged.append(word.word) }
            }
        }
        return Checked(text: Self.mask(masked, in: text), flagged: flagged)
    }

    /// The text with all words masked that are refused or masked elsewhere. Any thread; no disk.
    package func masked(_ text: String) -> Checked {
        let (filter, words) = state.withLock { ($0.filter, $0.words) }
        let matches = filter.matches(in: text)
        let flagged = matches.filter { words[$0.pattern].action == .flag }
        let masked = matches.filter { words[$0.pattern].action != .flag }.map(\.range)
        return Checked(text: Self.mask(masked, in: text), flagged: flagged.map { words[$0.pattern].word })
    }

    /// The same for a name, in which nothing can be masked: a word that would be masked is refused.
    ///
    /// - Returns: Words that the administrators are to be told of.
    /// - Throws: `contentRefused`.
    package func checkName(_ name: String, _ field: String) throws(Refusal) -> [String] {
        let checked = try check(name, field)
        guard checked.text == name else { throw Refusal(.contentRefused, field: field) }
        return checked.flagged
    }

    /// Puts a `*` in the place of each character that a range touches, spaces left as they are.
    private static func mask(_ ranges: [Range<Int>], in text: String) -> String {
        guard !ranges.isEmpty else { return text }
        var masked = ""
        var offset = 0
        for character in text {
            let end = offset + character.utf8.count
            let isMasked = ranges.contains { $0.lowerBound < end && offset < $0.upperBound }
            masked.append(isMasked && !character.isWhitespace ? "*" : character)
            offset = end
        }
        return masked
    }

    // MARK: The list

    /// Reads the stored words. Call it once, before texts are written.
    ///
    /// - Throws: `busy`, `storage`.
    func load() async throws(Refusal) {
        let changes = self.changes
        let (records, changeNumber) = try await dao.write { db in
            (try db.all(FilteredWordRecord.self, "ORDER BY word"), changes.next())
        }
        take(records, changeNumber)
    }

    /// A page of words, in the order of their letters.
    ///
    /// - Throws: `busy`, `storage`.
    package func page(after word: String?, limit: Int) async throws(Refusal) -> [FilteredWord] {
        let limit = min(max(limit, 1), Int(Limits.wordPageCount.upperBound))
        return try await dao.read { db in
            try db.all(FilteredWordRecord.self, "WHERE word > \(word ?? "") ORDER BY word LIMIT \(limit)")
                .map(FilteredWord.init)
        }
    }

    /// Adds a word. One that finds the same takes its place.
    ///
    /// - Parameter actor: The administrator. `nil`: the operator, here and below.
    /// - Throws: `invalid` for what is no word, and if there are too many; `forbidden`, `banned` or `tokenInvalid` for
    ///   the administrator; `busy`, `storage`.
    package func add(_ typed: String, _ action: WordAction, by actor: UserID?) async throws(Refusal) -> FilteredWord {
        guard let pattern = WordPattern(typed) else {
            throw Refusal(
                .requestInvalid,
                "A word has a letter or a digit, with * two, and * only at its beginning or end.", field: "data.word")
        }
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        let record = FilteredWordRecord(word: pattern.text, action: action, createdMilliseconds: now, by: actor)
        let (records, changeNumber) = try await dao.write { db in
            try AdminRights.require(.wordsManage, of: actor, now: now, in: &db)
            let known = try db.all(FilteredWordRecord.self, "ORDER BY word")
            for same in known where WordPattern(same.word) == pattern {
                _ = try db.delete(FilteredWordRecord.self, key: same.word)
            }
            try db.insert(record)
            let records = try db.all(FilteredWordRecord.self, "ORDER BY word")
            guard records.count <= Limits.filteredWordsMax else {
                throw Refusal(.requestInvalid, "There are \(Limits.filteredWordsMax) words: remove some first.")
            }
            try journal.append(JournalEntry(.wordAdded, actor: actor, ["action": .text(action.rawValue)]), in: &db)
            return (records, changes.next())
        }
        take(records, changeNumber)
        return FilteredWord(record)
    }

    /// Takes a word out, or the one that finds the same. None is no error.
    ///
    /// - Throws: `forbidden`, `banned` or `tokenInvalid` for the administrator; `busy`, `storage`.
    package func remove(_ typed: String, by actor: UserID?) async throws(Refusal) {
        let pattern = WordPattern(typed)
        let (now, journal, changes) = (clock.nowMilliseconds(), self.journal, self.changes)
        let (records, changeNumber) = try await dao.write { db in
            try AdminRights.require(.wordsManage, of: actor, now: now, in: &db)
            for same in try db.all(FilteredWordRecord.self, "ORDER BY word") where WordPattern(same.word) == pattern {
                _ = try db.delete(FilteredWordRecord.self, key: same.word)
                try journal.append(JournalEntry(.wordRemoved, actor: actor), in: &db)
            }
            return (try db.all(FilteredWordRecord.self, "ORDER BY word"), changes.next())
        }
        take(records, changeNumber)
    }

    /// Goes by other words from now on, unless a later change is known.
    private func take(_ records: [FilteredWordRecord], _ changeNumber: Int64) {
        let usable = records.compactMap { record in WordPattern(record.word).map { (record, $0) } }
        let filter = WordFilter(usable.map(\.1))
        let words = usable.map { FilteredWord($0.0) }
        state.withLock { state in
            guard changeNumber > state.changeNumber else { return }
            state = State(filter: filter, words: words, changeNumber: changeNumber)
        }
    }
}
