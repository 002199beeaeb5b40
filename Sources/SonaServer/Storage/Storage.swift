internal import SonaLibrary
internal import SonaModel

/// What a server keeps on disk: the model and the library, in one database.
struct Storage: Sendable {
    let model: Model
    let library: Library

    /// Opens the data folder.
    ///
    /// - Throws: Every case of `ModelError`.
    static func open(
        dataFolder: String, _ options: Model.Options = Model.Options(), library: Library.Options = Library.Options()
    ) async throws(ModelError) -> Storage {
        let (model, daos) = try await Model.open(dataFolder: dataFolder, as: StorageTimeline.layout, options)
        do throws(Refusal) {
            return Storage(model: model, library: try await Library(daos.library, model, library))
        } catch {
            await model.close()
            throw ModelError(error)
        }
    }

    func close() async {
        await library.close()
        await model.close()
    }
}
