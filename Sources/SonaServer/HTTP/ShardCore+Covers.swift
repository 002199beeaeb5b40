internal import SonaEventLoop
internal import SonaLibrary
internal import SonaModel
internal import SonaWire

/// Covers of music: `GET /v1/covers/KEY/SIZE`. The key is the right to it, so that `<img>` can show one.
///
/// Source: Protocol/spec/tracks.md, "Covers".
extension ShardCore {
    func showCover(_ request: HTTPRequest, _ exchange: ExchangeLink) {
        let parts = request.path.dropFirst(Limits.coversPathPrefix.count).split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = CoverSize(rawValue: String(parts[1])) else {
            return exchange.respond(.error(WireError(.trackNoCover)))
        }
        let (key, covers, meter) = (String(parts[0]), services.library.covers, services.mediaMeters.covers)
        respond(exchange, headers: { _ in [(name: "cache-control", value: "no-store")] }) { _ in
            var response = HTTPResponse(try await covers.cover(key, size), to: request)
            response.meter = meter
            return response
        }
    }
}

extension HTTPResponse {
    /// A cover, cacheable for ever: another picture has another key. Not for caches that people share, as it may be of
    /// somebody's own music.
    init(_ cover: CoverStore.Cover, to request: HTTPRequest) {
        let isKnown = request.knows(cover.tag)
        self.init(
            status: isKnown ? 304 : 200, contentType: "image/webp", body: isKnown ? [] : cover.bytes,
            headers: [
                (name: "etag", value: cover.tag),
                (name: "cache-control", value: cover.isLasting ? "private, max-age=31536000, immutable" : "no-store"),
                (name: "x-content-type-options", value: "nosniff"),
                (name: "content-security-policy", value: "default-src 'none'"),
                (name: "cross-origin-resource-policy", value: "same-origin"),
            ])
    }
}
