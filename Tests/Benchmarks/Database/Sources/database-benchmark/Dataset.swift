/// The rows and the typed texts, the same for every contender and every run: the generator is seeded.
struct Dataset: Sendable {
    let sizes: Sizes
    /// Ids 1, 2, …
    let notes: [RawNote]
    let articles: [RawArticle]
    /// Queries like those that people type: one or two words, the last one unfinished.
    let typed: [String]

    init(sizes: Sizes) {
        self.sizes = sizes
        var dice = Dice(state: 42)
        let words = Self.vocabulary(&dice)
        notes = (1...sizes.rows).map { Self.note(id: Int64($0), words, &dice) }
        articles = (1...sizes.articles).map { id in
            RawArticle(
                id: Int64(id), title: Self.text(words: 3, words, &dice), body: Self.text(words: 20, words, &dice))
        }
        typed = (0..<sizes.searches).map { number in
            let last = words[dice.skewed(words.count)].prefix(number % 3 == 0 ? 4 : 3)
            return number % 3 == 0 ? String(last) : "\(words[dice.skewed(words.count)]) \(last)"
        }
    }

    /// The row that carries `id`, for ids beyond the generated ones too.
    func note(_ id: Int64) -> RawNote { RawNote(notes[Int((id - 1) % Int64(notes.count))], id: id) }

    private static func note(id: Int64, _ words: [String], _ dice: inout Dice) -> RawNote {
        RawNote(
            id: id, title: text(words: 2 + dice.below(3), words, &dice),
            body: text(words: 4 + dice.below(3), words, &dice), author: text(words: 1 + dice.below(2), words, &dice),
            rank: dice.below(1_000), created: 1_700_000_000_000 + Int64(dice.below(1 << 30)),
            score: Double(dice.below(1_000_000)) / 1_000, parent: dice.below(4) == 0 ? nil : Int64(dice.below(1 << 20)))
    }

    private static func text(words count: Int, _ words: [String], _ dice: inout Dice) -> String {
        (0..<count).map { _ in words[dice.skewed(words.count)] }.joined(separator: " ")
    }

    /// Words of eight letters, one in four with a letter outside ASCII.
    ///
    /// All of one length, so that none is the beginning of another: GRDB's pattern makes every word a prefix, ours only
    /// the last, and both have to find the same rows.
    private static func vocabulary(_ dice: inout Dice) -> [String] {
        let consonants = Array("bcdfghklmnprstvz")
        let vowels = Array("aeiou")
        let foreign = Array("áéíöüß")
        return (0..<4_000).map { _ in
            var word = ""
            let accent = dice.below(16)
            for position in 0..<4 {
                word.append(consonants[dice.below(consonants.count)])
                // ß is left to the second half of a word: what is typed as a prefix stays what it was when folded.
                word.append(
                    position == accent ? foreign[dice.below(position < 2 ? 5 : 6)] : vowels[dice.below(vowels.count)])
            }
            return word
        }
    }
}

/// How much of everything. `quick` is for finding mistakes, not for numbers.
struct Sizes: Sendable {
    var rows = 100_000
    var articles = 50_000
    var searches = 300
    var commitsFull = 5_000
    var commitsNormal = 20_000
    var lookups = 100_000
    var recordLookups = 40_000
    var accesses = 50_000
    var fetchedRows = 200_000
    var fetchedAtOnce = 1_000
    var awaitedReadsPerTask = 1_000
    var tasks = 64
    var readers = 4
    var mixedSeconds = 2.0
    var awaitedWritesSeconds = 1.0

    static let quick = Sizes(
        rows: 20_000, articles: 5_000, searches: 60, commitsFull: 500, commitsNormal: 2_000, lookups: 20_000,
        recordLookups: 4_000, accesses: 5_000, fetchedRows: 40_000, awaitedReadsPerTask: 100, mixedSeconds: 0.3,
        awaitedWritesSeconds: 0.2)
}

/// A linear congruential generator: good enough to scatter, cheap enough to sit inside a measured loop.
struct Dice: Sendable {
    var state: UInt64

    @inline(__always)
    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: ((state >> 32) &* UInt64(limit)) >> 32)
    }

    /// An id from 1 through `rows`.
    @inline(__always)
    mutating func id(_ rows: Int) -> Int64 { Int64(below(rows)) + 1 }

    /// Low numbers more often, as common words are.
    mutating func skewed(_ limit: Int) -> Int { below(below(limit) + 1) }
}
