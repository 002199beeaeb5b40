internal import SonaBackup
internal import SonaEventLoop
internal import SonaWire

/// Whether the server can do its work, for supervisors and load balancers: `/readyz`.
struct Readiness: Sendable {
    /// Why people should be sent elsewhere; empty if the server is ready.
    private(set) var reasons: [String] = []
    /// Problems that do not stop the server. An operator should look at them.
    private(set) var warnings: [String] = []

    /// On the first loop.
    init(_ core: ShardCore) {
        let services = core.services
        self.init(
            isDraining: core.isDraining, storage: services.storage, configuration: services.configuration,
            nowSeconds: Int(MonotonicClock.wallMilliseconds() / 1000), backups: services.backups.figures)
    }

    init(
        isDraining: Bool, storage: StorageWatch, configuration: ServerConfiguration, nowSeconds: Int,
        backups: BackupWatch.Figures = BackupWatch.Figures()
    ) {
        if isDraining { reasons.append("the server is stopping") }
        if let fault = storage.fault { reasons.append(fault.reason) }
        if let free = storage.freeBytes, free < StorageWatch.freeBytesMin {
            warnings.append("only \(free >> 20) MiB of disk are free")
        }
        switch CertificateAge(configuration.identity, nowSeconds: nowSeconds) {
        case .expired: reasons.append("the certificate has expired")
        case .expiring(let days): warnings.append("the certificate expires in \(days) days")
        case .fine, nil: break
        }
        if !configuration.mailing.isOn { warnings.append("no mail is sent") }
        if backups.last?.isSuccess == false { warnings.append("the last backup failed") }
    }

    /// The same as one JSON object: `ready`, `reasons` and `warnings`.
    private var json: HTTPResponse {
        func texts(_ sentences: [String]) -> JSON { .array(sentences.map { .string($0) }) }
        let object = JSON.object([
            JSON.Member(key: "ready", value: .bool(reasons.isEmpty)),
            JSON.Member(key: "reasons", value: texts(reasons)),
            JSON.Member(key: "warnings", value: texts(warnings)),
        ])
        return HTTPResponse(
            status: reasons.isEmpty ? 200 : 503, contentType: "application/json", body: object.encoded(),
            headers: [(name: "cache-control", value: "no-store")])
    }

    /// - Parameter accept: The request's `Accept`: JSON goes to whoever names it.
    func response(accept: String?) -> HTTPResponse {
        accept?.lowercased().contains("application/json") == true ? json : response
    }

    /// 200 `ready` or 503 `not ready: …`; a line for each warning follows.
    var response: HTTPResponse {
        let first = reasons.isEmpty ? "ready" : "not ready: " + reasons.joined(separator: "; ")
        return .text(reasons.isEmpty ? 200 : 503, ([first] + warnings.map { "warning: \($0)" }).joined(separator: "\n"))
    }
}

/// How long a certificate is still good.
enum CertificateAge: Equatable {
    case fine
    case expiring(days: Int)
    case expired

    /// Days before its end from which an operator is warned: ACME clients renew 30 days before.
    private static let warningDays = 14

    /// - Returns: `nil` without a certificate.
    init?(_ identity: TLSIdentity?, nowSeconds: Int) {
        guard let end = identity?.endsAtSeconds else { return nil }
        self.init(endSeconds: end, nowSeconds: nowSeconds)
    }

    init(endSeconds: Int, nowSeconds: Int) {
        let left = endSeconds - nowSeconds
        if left <= 0 {
            self = .expired
        } else if left < Self.warningDays * 86_400 {
            self = .expiring(days: left / 86_400)
        } else {
            self = .fine
        }
    }
}
