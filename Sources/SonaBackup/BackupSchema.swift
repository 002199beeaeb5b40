/// What a backup must know about the program that owns the data folder.
package struct BackupSchema: Sendable {
    package let applicationID: Int32
    /// The names of all migrations that this program knows, in their order.
    package let migrations: [String]
    /// The version of the program, for people.
    package let program: String

    package init(applicationID: Int32, migrations: [String], program: String) {
        self.applicationID = applicationID
        self.migrations = migrations
        self.program = program
    }
}
