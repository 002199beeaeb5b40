internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `storage.usage`: the space of uploads.
struct StorageMethods: MethodArea {
    let library: Library

    static func area(of methods: Methods) -> StorageMethods { methods.storage }

    static var methods: [Method] { [signedIn(usage, .apart)] }

    /// - Parameter asker: `nil` for the operator.
    func usage(_ request: StorageUsage, _ asker: Asker?) async throws -> StorageUsageResult {
        guard let asker else { return try await library.uploads.usageOfAll() }
        let managesAll = asker.account.permissions.contains(.libraryManage)
        return try await library.uploads.usage(of: asker.uid, managesAll: managesAll)
    }
}
