internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// `jobs.*`: work that the server does in the background.
struct JobMethods: MethodArea {
    let library: Library

    static func area(of methods: Methods) -> JobMethods { methods.jobs }

    static var methods: [Method] { [signedIn(list, .apart), signedIn(get, .apart), signedIn(retry), signedIn(cancel)] }

    /// - Parameter asker: `nil` for the operator, here and below.
    func list(_ request: JobsList, _ asker: Asker?) async throws -> JobPage {
        try await library.jobs.list(request, for: asker?.uid)
    }

    func get(_ request: JobsGet, _ asker: Asker?) async throws -> JobResult {
        JobResult(job: try await library.jobs.get(request.id, for: asker?.uid))
    }

    func retry(_ request: JobsRetry, _ asker: Asker?) async throws -> JobResult {
        JobResult(job: try await library.jobs.retry(request.id, by: asker?.uid))
    }

    func cancel(_ request: JobsCancel, _ asker: Asker?) async throws -> JobResult {
        JobResult(job: try await library.jobs.cancel(request.id, by: asker?.uid))
    }
}
