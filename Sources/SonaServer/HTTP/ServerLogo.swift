package import SonaBase
internal import SonaCrypto
internal import SonaEventLoop

/// The picture that an operator shows beside the server's name, read whole.
package struct ServerLogo: Sendable {
    private static let bytesMax = 256 << 10
    static let path = "/logo"

    private let bytes: [UInt8]
    private let contentType: String
    /// A strong entity tag, without its quotation marks.
    private let tag: String

    /// Why a file is no logo.
    package enum Failure: Error {
        case unreadable(WholeFile.Failure)
        case noPicture

        /// The end of a sentence about the file.
        package var reason: String {
            switch self {
            case .unreadable(let failure): "can't be read: \(failure)"
            case .noPicture: "is not a PNG, JPEG, WebP or SVG"
            }
        }
    }

    /// - Throws: `unreadable`, also for a file of more than 256 KiB; `noPicture`.
    package init(file: String) throws(Failure) {
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(file, bytesMax: Self.bytesMax)
        } catch { throw .unreadable(error) }
        guard let type = Self.contentType(bytes) else { throw .noPicture }
        contentType = type
        tag = Base64.encode(Digest.sha256(bytes).prefix(9))
    }

    /// Where it is served. Another picture has another address, so that it may be kept.
    var address: String { "\(Self.path)?v=\(tag)" }

    /// The operator's own file is served as it is. As an SVG it may hold scripts, which this policy keeps from running.
    func response(to request: HTTPRequest) -> HTTPResponse {
        let isKnown = request.knows("\"\(tag)\"")
        return HTTPResponse(
            status: isKnown ? 304 : 200, contentType: contentType, body: isKnown ? [] : bytes,
            headers: [
                (name: "etag", value: "\"\(tag)\""), (name: "cache-control", value: "public, max-age=86400"),
                (name: "x-content-type-options", value: "nosniff"),
                (name: "content-security-policy", value: "default-src 'none'; style-src 'unsafe-inline'"),
            ])
    }

    private static func contentType(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return "image/webp"
        }
        let beginning = String(decoding: bytes.prefix(1024), as: UTF8.self)
        return beginning.contains("<svg") ? "image/svg+xml" : nil
    }
}
