internal import SonaModel
internal import SonaWire

/// `words.*`: the filter of words, by administrators and the operator.
struct WordMethods: MethodArea {
    let words: WordGuard

    static func area(of methods: Methods) -> WordMethods { methods.words }

    static var methods: [Method] { [signedIn(list), signedIn(add), signedIn(remove)] }

    /// - Parameter asker: `nil` for the operator, here and below.
    func list(_ request: WordsList, _ asker: Asker?) async throws -> FilteredWordPage {
        let found = try await words.page(after: request.after, limit: request.limit)
        return FilteredWordPage(words: found, nextAfter: found.count == request.limit ? found.last?.word : nil)
    }

    func add(_ request: WordsAdd, _ asker: Asker?) async throws -> FilteredWordResult {
        FilteredWordResult(word: try await words.add(request.word, request.action, by: asker?.uid))
    }

    func remove(_ request: WordsRemove, _ asker: Asker?) async throws -> Empty {
        try await words.remove(request.word, by: asker?.uid)
        return Empty()
    }
}

/// Texts of one request on their way through the filter of words. The administrators are told once of all of them.
struct FilteredTexts: Sendable {
    private let words: WordGuard
    /// Words that the administrators are to be told of.
    private(set) var flagged: [String] = []

    init(_ words: WordGuard) { self.words = words }

    /// - Returns: The text as it may be stored.
    /// - Throws: `content.refused`.
    mutating func take(_ text: String, _ field: String) throws -> String {
        let checked = try words.check(text, field)
        note(checked.flagged)
        return checked.text
    }

    mutating func take(ifPresent text: String?, _ field: String) throws -> String? {
        guard let text else { return nil }
        return try take(text, field)
    }

    /// - Throws: `content.refused`.
    mutating func takeName(_ name: String?, _ field: String) throws {
        if let name { note(try words.checkName(name, field)) }
    }

    /// - Throws: `content.refused`.
    mutating func take(_ track: Track, _ field: String) throws -> Track {
        var track = track
        track.title = try take(ifPresent: track.title, "\(field).title")
        track.artist = try take(ifPresent: track.artist, "\(field).artist")
        track.album = try take(ifPresent: track.album, "\(field).album")
        return track
    }

    /// The track of a host, in which words are masked that would be refused elsewhere: the music goes on.
    mutating func mask(_ track: Track) -> Track {
        var track = track
        for text in [\Track.title, \Track.artist, \Track.album] {
            guard let whole = track[keyPath: text] else { continue }
            let masked = words.masked(whole)
            note(masked.flagged)
            track[keyPath: text] = masked.text
        }
        return track
    }

    private mutating func note(_ words: [String]) {
        for word in words where !flagged.contains(word) { flagged.append(word) }
    }
}

extension Track {
    /// What people read of it, a line each, for a report.
    var names: String { [artist, title, album].compactMap { $0 }.joined(separator: "\n") }
}
