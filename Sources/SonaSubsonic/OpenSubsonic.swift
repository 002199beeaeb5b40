package import SonaLibrary
package import SonaModel
package import SonaWire

/// What the endpoints need of the server besides the library and the accounts.
package protocol SubsonicHost: Sendable {
    /// Sends a request of the server's own protocol in the name of an account, with its permissions and budgets.
    ///
    /// - Throws: The errors of the request.
    func call<Request: WireRequest>(_ request: Request, as account: Accounts.Account) async throws -> Request.Response

    /// Refuses an account that the server does not answer now.
    ///
    /// - Throws: `server.maintenance`.
    func admit(_ account: Accounts.Account) throws

    /// Takes one from the account's budget for such requests.
    func take(_ request: String, _ account: Accounts.Account) throws

    /// Whether a music folder is being scanned.
    var isScanning: Bool { get }
}

/// The OpenSubsonic API over the library: values in, values out. It knows neither sockets nor files.
///
/// Rights are those of the library: what an account may not see is in no list, and is not found.
///
/// Source: OpenSubsonic API 1.16.1, https://opensubsonic.netlify.app; deploy/subsonic.md.
package struct OpenSubsonic: Sendable {
    let library: Library
    let accounts: Accounts
    let host: any SubsonicHost
    let server: SubsonicServer
    let ends = PageEnds()

    package init(library: Library, accounts: Accounts, host: any SubsonicHost, server: SubsonicServer) {
        self.library = library
        self.accounts = accounts
        self.host = host
        self.server = server
    }

    /// The answer to a request.
    package enum Answer: Sendable {
        case reply(SubsonicReply)
        /// The sound of a track. Whoever sends it checks the right to it.
        case sound(SoundWanted)
        /// A cover of music, by its key.
        case cover(key: String, CoverSize)
        /// A photo of a person, a playlist or a room.
        case photo(PhotoID, PhotoSize)
    }

    /// The sound of a track as it was asked for.
    package struct SoundWanted: Sendable {
        package let track: MusicID
        package let account: Accounts.Account
        /// The file as it is, for keeping.
        package let isDownload: Bool
        /// Ogg Opus made by the server, in place of the file.
        package let asOpus: Bool
        /// From here on, as Opus; 0: all of it.
        package let offsetSeconds: Int
    }

    /// Answers a request, whatever comes. Off the loop.
    package func answer(_ request: SubsonicRequest) async -> Answer {
        do throws(any Error) {
            try Credentials.check(version: request.parameters.first("v"))
            // Extensions can be asked for before there is an account.
            if request.name == "getOpenSubsonicExtensions" { return .reply(reply(.success(Self.extensions), request)) }
            guard Self.names.contains(request.name) else { throw Self.unknown(request.name) }
            let account = try await account(of: request)
            try host.admit(account)
            let call = Call(
                service: self, account: account, listener: try await library.listener(for: account), request: request)
            if let media = Self.media[request.name] { return try await media(call) }
            guard let endpoint = Self.endpoints[request.name] else { throw Self.unknown(request.name) }
            return .reply(reply(.success(try await endpoint(call)), request))
        } catch {
            return .reply(failure(error, request))
        }
    }

    private static func unknown(_ name: String) -> SubsonicError {
        SubsonicError(.notFound, "This server has no \(name.prefix(40)).")
    }

    /// The document that tells of an error.
    package func failure(_ error: any Error, _ request: SubsonicRequest) -> SubsonicReply {
        reply(.failure(SubsonicError(error)), request)
    }

    private func reply(_ outcome: Result<Element, SubsonicError>, _ request: SubsonicRequest) -> SubsonicReply {
        server.reply(outcome, request.format)
    }

    private func account(of request: SubsonicRequest) async throws(SubsonicError) -> Accounts.Account {
        let proof = try Credentials.proof(request.parameters)
        let account: Accounts.Account
        do {
            account = try await accounts.signIn(
                proof, client: request.parameters.first("c"), address: request.address, from: request.from)
        } catch { throw Credentials.error(error, proof) }
        guard account.role.permissions.contains(.libraryListen) else {
            throw SubsonicError(.forbidden, "This account may not listen to the library.")
        }
        guard account.username != nil else {
            throw SubsonicError(.forbidden, "Choose a username at this server's page first.")
        }
        return account
    }
}

/// A request of a signed-in account, on its way through an endpoint.
struct Call: Sendable {
    let service: OpenSubsonic
    let account: Accounts.Account
    let listener: Listener
    let request: SubsonicRequest

    var parameters: Parameters { request.parameters }
    var library: Library { service.library }
    var finder: LibraryFinder { service.library.finder }
    var username: String { account.username?.rawValue ?? account.uid.rawValue }

    /// Sends a request of the server's own protocol.
    func ask<Request: WireRequest>(_ request: Request) async throws -> Request.Response {
        try await service.host.call(request, as: account)
    }

    /// The page that `offset` and a parameter for its size ask for.
    func page(size: String, usually: Int, offset: String = "offset") throws(SubsonicError) -> ShelfPage {
        ShelfPage(
            offset: try parameters.number(offset) ?? 0, limit: try parameters.number(size) ?? usually,
            folder: try parameters.number("musicFolderId").map(Int64.init))
    }
}
