/// The state that a file has to reach: its application, the steps of its history, and the tables its program declares.
struct SchemaTimeline: Sendable {
    let applicationID: Int32
    /// Oldest first.
    let migrations: [Migration]
    /// Referenced tables before those that refer to them.
    var tables: [TableDefinition] = []
}
