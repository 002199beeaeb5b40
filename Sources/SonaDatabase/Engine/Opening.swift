/// The steps from a path to connections that may be used, in an order that changes nothing in a file that is refused.
struct Opening {
    let writer: Connection
    let readers: [Connection]

    /// On the writer's thread. Blocks on the disk, for seconds if a large file is checked.
    init(
        path: String, schema: SchemaTimeline, options: DatabaseOptions, hasReaders: Bool
    ) throws(DatabaseError) {
        let isInMemory = path == DatabaseQueue.memoryPath
        let wasLeftOpen = ConnectionSetup.wasLeftOpen(path)
        if !isInMemory { try ConnectionSetup.createFile(atPath: path) }
        let writer = try Connection(path: path, role: .writer, statementCacheSize: options.statementCacheSize)
        var readers: [Connection] = []
        do throws(DatabaseError) {
            try Self.prepare(writer, path, schema, options, wasLeftOpen: wasLeftOpen, isInMemory: isInMemory)
            for _ in 0..<(hasReaders ? max(1, options.readers) : 0) {
                let reader = try Connection(
                    path: path, role: .reader, statementCacheSize: options.statementCacheSize)
                readers.append(reader)
                try ConnectionSetup.prepareReader(reader, options: options)
            }
        } catch {
            // Closes before the error is thrown, since the caller may try again at once.
            for connection in readers + [writer] { connection.close() }
            throw error
        }
        self.writer = writer
        self.readers = readers
    }

    private static func prepare(
        _ writer: Connection, _ path: String, _ schema: SchemaTimeline, _ options: DatabaseOptions,
        wasLeftOpen: Bool, isInMemory: Bool
    ) throws(DatabaseError) {
        writer.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        // SQLite opens a file that may not be written to all the same, and says so when it is too late.
        guard !writer.isReadOnly else {
            throw DatabaseError(kind: .readOnly, detail: "the file may not be written to")
        }
        let migrator = Migrator(schema: schema, log: options.log)
        let state = try migrator.identify(writer)
        try ConnectionSetup.prepareWriter(writer, options: options, isInMemory: isInMemory)
        // The writer's lock now keeps the file in its place. Before, the file could have been replaced: the writer
        // would have the old file open, and a log under the name of the new one.
        if writer.hasMoved {
            throw DatabaseError(kind: .busy, hint: "the file was replaced while it was opened")
        }
        let bytes = ConnectionSetup.bytes(ofFile: path)
        if bytes <= (wasLeftOpen ? options.checkedBytesMax : options.alwaysCheckedBytesMax) {
            try ConnectionSetup.quickCheck(writer)
        }
        if wasLeftOpen {
            writer.setBusyTimeout(milliseconds: 0)
            try writer.rewriteLog()
            writer.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        }
        try migrator.migrate(writer, from: state)
    }
}
