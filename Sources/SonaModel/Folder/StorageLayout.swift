package import SonaDatabase

/// The layout of the database in a data folder: the DAOs of all modules, and one timeline of all their migrations.
///
/// Only the server knows all modules. It opens the folder by one layout, and the model takes its part of it.
package struct StorageLayout<All: DAOs>: Sendable {
    let migrations: [Migration]
    /// Finds the DAOs of the model among all.
    let model: @Sendable (All) -> ModelDAOs

    /// - Parameter migrations: Of all modules, in the order in which they were released.
    package init(migrations: [Migration], model: @escaping @Sendable (All) -> ModelDAOs) {
        self.migrations = migrations
        self.model = model
    }
}
