internal import SonaEventLoop
package import SonaWire

extension SignIn {
    /// Makes an image the photo of whoever is signed in.
    ///
    /// Over HTTP, since a photo is larger than a message may be.
    /// - Parameter image: PNG, JPEG or WebP; the server takes up to `Limits.photoUploadBytesMax` bytes.
    /// - Returns: The profile with its new photo.
    /// - Throws: As `open(.account)`; `.refused` with `photo.…`; `.timeout` after 30 s without any progress.
    ///
    /// Source: Protocol/spec/people.md, "Photos".
    package func upload(photo image: [UInt8]) async throws(ClientError) -> Profile {
        let token = try await goodToken()
        let loop = try Self.startLoop()
        defer { loop.stop() }
        let exchange = HTTPPost(
            address: address, path: Limits.photoUploadPath, token: token, agent: "\(program.name)/\(program.version)",
            body: image)
        let result: Result<HTTPPost.Answer, ClientError> = await withCheckedContinuation { continuation in
            // The exchange blocks its thread; this loop has nothing else to do.
            loop.post { continuation.resume(returning: exchange.run()) }
        }
        return try Self.profile(try result.get())
    }

    /// An access token that the server has just taken.
    private func goodToken() async throws(ClientError) -> String {
        let client = try await open(.account)
        await client.close()
        if let token { return token }
        // Signed out by another program since.
        guard let kept = try kept() else { throw .refused(WireError(.authRequired)) }
        return kept.accessToken
    }

    private static func startLoop() throws(ClientError) -> EventLoop {
        var options = EventLoop.Options()
        options.name = "upload"
        options.backend = .poll
        let loop = EventLoop(options)
        do { try loop.start() } catch { throw ClientError(.unreachable, "\(error.detail).") }
        return loop
    }

    private static func profile(_ answer: HTTPPost.Answer) throws(ClientError) -> Profile {
        let json: JSON
        do {
            json = try JSON.parse(answer.body)
        } catch {
            throw ClientError(.protocolViolation, "The server answered the photo with HTTP status \(answer.status).")
        }
        do throws(WireError) {
            if let error = json["error"] { throw try WireError(error) }
            return try ProfileResult(json["data"] ?? .null).profile
        } catch {
            guard answer.status != 200 else { throw .violation("the answer to a photo is unusable, \(error)") }
            throw .refused(error)
        }
    }
}
