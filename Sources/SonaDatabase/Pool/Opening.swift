/// The steps from a path to connections that may be used, in an order that changes nothing in a file that is refused.
struct Opening {
    let writer: Connection
    let readers: [Connection]

    /// On the writer's thread. Blocks on the disk, for seconds if a large file is checked.
    init(
        path: String, applicationID: Int32, migrations: [Migration], options: DatabasePool.Options
    ) throws(DatabaseError) {
        let wasLeftOpen = ConnectionSetup.wasLeftOpen(path)
        try ConnectionSetup.createFile(atPath: path)
        let writer = try Connection(path: path, role: .writer, statementCacheSize: options.statementCacheSize)
        writer.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        let migrator = Migrator(applicationID: applicationID, migrations: migrations)
        let state = try migrator.identify(writer)
        try ConnectionSetup.prepareWriter(writer, options: options)
        let bytes = ConnectionSetup.bytes(ofFile: path)
        if bytes <= (wasLeftOpen ? options.checkedBytesMax : options.alwaysCheckedBytesMax) {
            try ConnectionSetup.quickCheck(writer)
        }
        try migrator.migrate(writer, from: state)
        var readers: [Connection] = []
        for _ in 0..<max(1, options.readers) {
            let reader = try Connection(path: path, role: .reader, statementCacheSize: options.statementCacheSize)
            try ConnectionSetup.prepareReader(reader, options: options)
            readers.append(reader)
        }
        self.writer = writer
        self.readers = readers
    }
}
