/// One step of a schema's history.
///
/// A timeline of migrations is append-only: a released migration is never edited, renamed or reordered, since existing
/// files have it applied.
public struct Migration: Sendable {
    /// Unique in its timeline; recorded in the file.
    public let name: String
    let body: @Sendable (inout WriteAccess) throws -> Void

    /// - Parameter body: Runs in one transaction with all other pending migrations. Foreign keys are off, so that a table
    ///   can be rebuilt, and are checked after the body.
    public init(_ name: String, _ body: @escaping @Sendable (inout WriteAccess) throws -> Void) {
        self.name = name
        self.body = body
    }
}
