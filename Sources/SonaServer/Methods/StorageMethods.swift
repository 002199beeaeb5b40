internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `storage.usage`: the space of uploads.
struct StorageMethods: MethodArea {
    let library: Library

    static func area(of methods: Methods) -> StorageMethods { methods.storage }

    static var methods: [Method] { [signedIn(usage, .apart)] }

    func usage(_ request: StorageUsage, _ asker: Asker) async throws -> StorageUsageResult {
        let managesAll = asker.account.permissions.contains(.libraryManage)
        return try await library.uploads.usage(of: asker.uid, managesAll: managesAll)
    }
}
