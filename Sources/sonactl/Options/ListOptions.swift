internal import ArgumentParser

/// How much of a list is wanted.
struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("At most so many.", valueName: "n")) var limit = 1000

    func validate() throws {
        guard 1...10_000 ~= limit else { throw ValidationError("--limit takes 1 to 10000.") }
    }

    /// Asks for page after page, and for one entry more than is wanted: a cursor alone does not say that there is one.
    ///
    /// - Parameter page: Asks for `limit` entries, from a cursor on; returns them, and the cursor to go on from.
    /// - Returns: The entries, and whether there are more than were wanted.
    func collect<Entry>(
        pageMax: Int, _ page: (_ limit: Int, _ cursor: String?) async throws -> ([Entry], String?)
    ) async throws -> (entries: [Entry], hasMore: Bool) {
        var entries: [Entry] = []
        var cursor: String?
        repeat {
            let (more, next) = try await page(min(pageMax, limit + 1 - entries.count), cursor)
            entries += more
            cursor = next
        } while cursor != nil && entries.count <= limit
        return (Array(entries.prefix(limit)), entries.count > limit)
    }

    func tell(hasMore: Bool) {
        if hasMore { Console.say("There are more; ask for them with --limit.") }
    }
}
