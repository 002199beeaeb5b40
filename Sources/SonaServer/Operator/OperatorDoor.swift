internal import Glibc
package import SonaModel
internal import SonaTransfer
package import SonaWire

/// The operator's access to the accounts: through the Unix socket of the server that holds the data folder, or, if no
/// server does, into the folder itself.
package struct OperatorDoor: Sendable {
    /// The part of the path before a request's type, on the Unix socket.
    static let pathPrefix = "/v1/operator/"

    private let dataFolder: String
    private let publicAddress: String?
    private let notice: (@Sendable (String) -> Void)?

    /// - Parameters:
    ///   - publicAddress: The beginning of links; a running server uses its own.
    ///   - notice: Told in sentences what an operator should know about the folder.
    package init(dataFolder: String, publicAddress: String?, notice: (@Sendable (String) -> Void)? = nil) {
        self.dataFolder = dataFolder
        self.publicAddress = publicAddress
        self.notice = notice
    }

    static func socketPath(dataFolder: String) -> String { dataFolder + "/admin.sock" }

    static func removeSocket(dataFolder: String) { unlink(socketPath(dataFolder: dataFolder)) }

    /// Reasons why a request failed.
    package enum Failure: Error {
        case refused(WireError)
        case model(ModelError)
        /// The running server did not answer: one sentence.
        case unanswered(String)

        /// One sentence for the operator, and the exit code of a server that does not start for the same reason.
        package var modelEnding: (sentence: String, exitCode: Int32)? {
            guard case .model(let error) = self else { return nil }
            return (error.sentence, ServerError.model(error).exitCode)
        }
    }

    /// Whether there is a data folder.
    package var hasFolder: Bool { access(dataFolder, F_OK) == 0 }

    /// Sends a request and waits for the answer.
    package func call<Request: WireRequest>(_ request: Request) async throws(Failure) -> Request.Response {
        // A server that is just starting, or ending, holds the folder without listening.
        for _ in 0..<20 {
            if let answer = try await askServer(request) { return answer }
            if let storage = try await openStorage() { return try await ask(storage, request) }
            try? await Task.sleep(for: .milliseconds(250))
        }
        throw .model(.folderInUse(path: dataFolder))
    }

    /// - Returns: `nil` if no server listens.
    private func askServer<Request: WireRequest>(_ request: Request) async throws(Failure) -> Request.Response? {
        let answer: (status: Int, body: [UInt8])
        do throws(TransferError) {
            answer = try await UnixSocketHTTP.post(
                socketPath: Self.socketPath(dataFolder: dataFolder), path: Self.pathPrefix + Request.type,
                body: request.encoded(), contentType: "application/json", timeout: .seconds(60))
        } catch {
            // No server can listen at a path that is too long for a socket.
            if error.code == .nobodyListens || error.code == .badInput { return nil }
            throw .unanswered("The running server could not be asked: \(error)")
        }
        guard let json = try? JSON.parse(answer.body) else {
            throw .unanswered("The running server answered with status \(answer.status)")
        }
        do throws(WireError) {
            if let error = json["error"] { throw try WireError(error) }
            return try Request.Response(json["data"] ?? .emptyObject)
        } catch {
            throw .refused(error)
        }
    }

    /// - Returns: `nil` if another process holds the folder.
    private func openStorage() async throws(Failure) -> Storage? {
        do throws(ModelError) {
            var options = Model.Options()
            options.notice = { [notice] in notice?("\($0).") }
            return try await Storage.open(dataFolder: dataFolder, options)
        } catch {
            if case .folderInUse = error { return nil }
            throw .model(error)
        }
    }

    private func ask<Request: WireRequest>(
        _ storage: Storage, _ request: Request
    ) async throws(Failure) -> Request.Response {
        let methods = OperatorMethods(model: storage.model, publicAddress: publicAddress)
        let result: Result<any WireObject, WireError>
        do throws(WireError) {
            // Parsed again as if it had come through the socket, so that it is checked in the same way.
            guard let data = try? JSON.parse(request.encoded()) else { throw WireError(.serverInternal) }
            result = .success(try await methods.call(Request.type, data))
        } catch {
            result = .failure(error)
        }
        await storage.close()
        switch result {
        case .failure(let error): throw .refused(error)
        case .success(let object):
            guard let response = object as? Request.Response else { throw .refused(WireError(.serverInternal)) }
            return response
        }
    }
}
