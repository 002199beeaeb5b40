internal import CSQLite

/// The tokenizer `sona_words`: SQLite's `unicode61` with `remove_diacritics 2`, which gets a text in pieces.
///
/// A text is cut at every character that `Script` knows. Characters of scripts without spaces become tokens of their
/// own. The pieces between them go to `unicode61`, and the offsets it reports are shifted by the start of the piece. A
/// text without such characters goes to it as a whole.
///
/// Its tokens are part of every file: a delete takes the tokens of the old text out of the index. So nothing here may
/// depend on the Unicode tables of the Swift library, which change with it.
///
/// Source: sqlite.org/fts5.html, "Custom Tokenizers".
enum WordTokenizer {
    /// Makes the tokenizers known to a connection. Once more does nothing. About 4 µs.
    ///
    /// - Throws: `setting` if SQLite was built without FTS5.
    static func register(on connection: Connection) throws(DatabaseError) {
        guard let api = interface(of: connection.handle) else {
            throw DatabaseError(kind: .setting("SQLite was built without FTS5"))
        }
        var found = Tokenizer(base: fts5_tokenizer(), context: nil, database: connection.handle)
        guard api.pointee.xFindTokenizer(api, "sona_words", &found.context, &found.base) != SQLITE_OK else { return }
        guard api.pointee.xFindTokenizer(api, "unicode61", &found.context, &found.base) == SQLITE_OK else {
            throw DatabaseError(kind: .setting("SQLite has no tokenizer unicode61"))
        }
        var words = fts5_tokenizer(xCreate: createWords, xDelete: deleteWords, xTokenize: tokenizeWords)
        try add("sona_words", &words, found, to: api)
        // The same as before, but marked as fit for triggers.
        var plain = fts5_tokenizer(xCreate: createPlain, xDelete: found.base.xDelete, xTokenize: found.base.xTokenize)
        try add("unicode61", &plain, found, to: api)
    }

    private static func add(
        _ name: String, _ functions: inout fts5_tokenizer, _ tokenizer: Tokenizer,
        to api: UnsafeMutablePointer<fts5_api>
    ) throws(DatabaseError) {
        let context = UnsafeMutablePointer<Tokenizer>.allocate(capacity: 1)
        context.initialize(to: tokenizer)
        let code = api.pointee.xCreateTokenizer(api, name, context, &functions) { $0?.deallocate() }
        guard code == SQLITE_OK else {
            context.deallocate()
            throw DatabaseError(code: code, connection: tokenizer.database)
        }
    }

    /// Source: sqlite.org/fts5.html, "Extending FTS5".
    private static func interface(of database: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
        let type: StaticString = "fts5_api_ptr"
        var api: UnsafeMutablePointer<fts5_api>?
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, "SELECT fts5(?)", -1, &statement, nil) == SQLITE_OK else { return nil }
        defer { sqlite3_finalize(statement) }
        type.withUTF8Buffer { type in
            type.withMemoryRebound(to: CChar.self) { type in
                withUnsafeMutablePointer(to: &api) { api in
                    _ = sqlite3_bind_pointer(statement, 1, api, type.baseAddress, nil)
                    sqlite3_step(statement)
                }
            }
        }
        return api
    }
}

/// Our data that SQLite keeps with a registered tokenizer: the one it builds on.
private struct Tokenizer {
    var base: fts5_tokenizer
    var context: UnsafeMutableRawPointer?
    let database: OpaquePointer
}

/// A tokenizer at work for one table.
private struct Words {
    let base: fts5_tokenizer
    let tokenizer: OpaquePointer?
}

private typealias TokenFunction =
    @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
    ) -> Int32
private typealias Arguments = UnsafeMutablePointer<UnsafePointer<CChar>?>

// MARK: Called by FTS5

/// FTS5 creates its tokenizers while the table is being connected to, and only then this works; SQLite 3.40 refuses
/// FTS5 tables in triggers otherwise, while `trusted_schema` is off. Later versions mark them themselves.
private func markFitForTriggers(_ database: OpaquePointer) { _ = sona_sqlite_mark_innocuous(database) }

private func createPlain(
    _ context: UnsafeMutableRawPointer?, _ arguments: Arguments?, _ count: Int32,
    _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let registered = context?.assumingMemoryBound(to: Tokenizer.self).pointee else { return SQLITE_MISUSE }
    markFitForTriggers(registered.database)
    return registered.base.xCreate(registered.context, arguments, count, result)
}

/// Takes any arguments: a table of another version must be connected to before it can be dropped.
private func createWords(
    _ context: UnsafeMutableRawPointer?, _: Arguments?, _: Int32, _ result: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let registered = context?.assumingMemoryBound(to: Tokenizer.self).pointee else { return SQLITE_MISUSE }
    markFitForTriggers(registered.database)
    var base: OpaquePointer?
    let code = "remove_diacritics".withCString { name in
        "2".withCString { value in
            var arguments: [UnsafePointer<CChar>?] = [name, value]
            return registered.base.xCreate(registered.context, &arguments, 2, &base)
        }
    }
    guard code == SQLITE_OK else { return code }
    let words = UnsafeMutablePointer<Words>.allocate(capacity: 1)
    words.initialize(to: Words(base: registered.base, tokenizer: base))
    result?.pointee = OpaquePointer(words)
    return SQLITE_OK
}

private func deleteWords(_ words: OpaquePointer?) {
    guard let words = words.map(UnsafeMutablePointer<Words>.init) else { return }
    words.pointee.base.xDelete(words.pointee.tokenizer)
    words.deallocate()
}

private func tokenizeWords(
    _ words: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ text: UnsafePointer<CChar>?,
    _ count: Int32, _ token: TokenFunction?
) -> Int32 {
    guard let words = words.map(UnsafePointer<Words>.init)?.pointee, let token else { return SQLITE_MISUSE }
    guard let text, count > 0 else { return SQLITE_OK }
    var cut = Cut(words: words, flags: flags, text: text, count: Int(count), context: context, token: token)
    return cut.run()
}

/// A token of a piece, on its way to FTS5.
private func moveToken(
    _ cut: UnsafeMutableRawPointer?, _ flags: Int32, _ text: UnsafePointer<CChar>?, _ count: Int32, _ start: Int32,
    _ end: Int32
) -> Int32 {
    guard let cut = cut?.assumingMemoryBound(to: Cut.self) else { return SQLITE_MISUSE }
    let shift = Int32(cut.pointee.start)
    let code = cut.pointee.token(cut.pointee.context, flags, text, count, start + shift, end + shift)
    cut.pointee.code = code
    return code
}

/// One text on its way through the tokenizer.
private struct Cut {
    let words: Words
    let flags: Int32
    let text: UnsafePointer<CChar>
    let count: Int
    let context: UnsafeMutableRawPointer?
    let token: TokenFunction
    /// The start of the piece that was not handed over yet.
    var start = 0
    /// The last result code of FTS5. `unicode61` makes SQLITE_OK of the SQLITE_DONE that would end the whole text.
    var code = SQLITE_OK

    mutating func run() -> Int32 {
        var place = 0
        while place < count {
            let (script, length) = character(at: place)
            if script != .other {
                handOver(upTo: place)
                if code == SQLITE_OK, script == .withoutSpaces {
                    code = token(context, 0, text + place, Int32(length), Int32(place), Int32(place + length))
                }
                guard code == SQLITE_OK else { return code == SQLITE_DONE ? SQLITE_OK : code }
                start = place + length
            }
            place += length
        }
        handOver(upTo: count)
        return code == SQLITE_DONE ? SQLITE_OK : code
    }

    /// Gives `unicode61` the piece between characters of scripts without spaces.
    private mutating func handOver(upTo end: Int) {
        guard start < end else { return }
        let result = words.base.xTokenize(words.tokenizer, &self, flags, text + start, Int32(end - start), moveToken)
        if code == SQLITE_OK { code = result }
    }

    /// Reads the UTF-8 at a place. Bytes that are none are passed one by one, and left to `unicode61`.
    @inline(__always)
    private func character(at place: Int) -> (WordTokenizer.Script, length: Int) {
        let first = UInt8(bitPattern: text[place])
        // One byte, or the middle of a character; nor is there a script of ours before U+0600.
        guard first >= 0xD8 else { return (.other, 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard place + length <= count else { return (.other, 1) }
        var scalar = UInt32(first) & (0xFF >> UInt32(length + 1))
        for next in place + 1..<place + length {
            let byte = UInt8(bitPattern: text[next])
            guard byte & 0xC0 == 0x80 else { return (.other, 1) }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
        }
        return (WordTokenizer.Script(scalar), length)
    }
}
