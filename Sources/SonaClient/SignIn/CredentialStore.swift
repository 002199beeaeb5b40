internal import Glibc
internal import SonaWire

/// Why kept credentials could not be used. The sentence names the file.
package struct CredentialError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// The system refused to read, write or remove the file; `errno` says why.
        case io(errno: Int32)
        /// The file does not hold what this program writes.
        case malformed
    }

    package var code: Code
    package var description: String

    package var exitCode: Int32 {
        switch code {
        case .io: 74
        case .malformed: 78
        }
    }

    static func io(_ attempted: String, _ path: String) -> CredentialError {
        let number = errno
        return CredentialError(
            code: .io(errno: number), description: "Cannot \(attempted) \(path): \(String(cString: strerror(number))).")
    }
}

/// Credentials on disk: a folder readable by its owner alone, with one file for each server.
///
/// Files are replaced whole, by renaming, so that a reader sees the old or the new one and never half of either.
package struct CredentialStore: Sendable {
    /// The folder, made when something is written first.
    package let folder: String

    package init(folder: String) { self.folder = folder }

    /// The folder of the user: `$XDG_CONFIG_HOME/sona`, by default `~/.config/sona` (XDG Base Directory Specification).
    ///
    /// - Returns: nil if the environment names neither.
    package init?(environment: [String: String]) {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") {
            folder = base + "/sona"
        } else if let home = environment["HOME"], !home.isEmpty {
            folder = home + "/.config/sona"
        } else {
            return nil
        }
    }

    /// The file for a server.
    package func path(_ server: ServerAddress) -> String {
        // What was given over TLS is not for whoever answers without it.
        let name = ((server.isSecure ? "https:" : "") + server.authority).unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "-": Character(scalar)
            default: Character("_")
            }
        }
        return "\(folder)/\(String(name)).json"
    }

    /// - Returns: nil if nothing is kept for this server.
    /// - Throws: `.io`; `.malformed` if the file was not written by this store.
    package func read(_ server: ServerAddress) throws(CredentialError) -> Credentials? {
        let path = self.path(server)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .io("open", path)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.bytesMax + 1)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return Glibc.read(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .io("read", path)
            }
            if count == 0 { break }
            filled += count
        }
        guard filled < bytes.count, let credentials = Self.decode(Array(bytes[..<filled]), server) else {
            throw CredentialError(
                code: .malformed, description: "\(path) does not hold credentials; remove it and log in again.")
        }
        return credentials
    }

    /// Keeps credentials in place of what was kept for the server.
    package func write(_ credentials: Credentials, for server: ServerAddress) throws(CredentialError) {
        try makeFolder()
        let path = self.path(server)
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .io("write", temporary) }
        do throws(CredentialError) {
            // The umask may have taken rights of ours away.
            guard fchmod(descriptor, 0o600) == 0 else { throw .io("protect", temporary) }
            try Self.writeAll(Self.encode(credentials, server), to: descriptor, temporary)
            guard fsync(descriptor) == 0 else { throw .io("write", temporary) }
            guard rename(temporary, path) == 0 else { throw .io("replace", path) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
    }

    /// Forgets what is kept for the server.
    package func remove(_ server: ServerAddress) throws(CredentialError) {
        let path = self.path(server)
        guard unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR else { throw .io("remove", path) }
        unlink(path + ".lock")
    }

    /// Runs `body` while no other program does the same for this server: a refresh token is good for one use, and a
    /// second use of it would sign everybody out.
    ///
    /// Waits up to 15 s for the others and then goes on regardless, since one of them may hang.
    package func exclusively<Result>(
        _ server: ServerAddress, _ body: () async throws(ClientError) -> Result
    ) async throws(ClientError) -> Result {
        do throws(CredentialError) { try makeFolder() } catch { throw .credentials(error) }
        let path = self.path(server) + ".lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .credentials(.io("lock", path)) }
        defer { close(descriptor) }
        var attempts = 300
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, attempts > 0 {
            attempts -= 1
            try? await Task.sleep(for: .milliseconds(50))
        }
        return try await body()
    }

    // MARK: Files

    private static let bytesMax = 64 * 1024

    private func makeFolder() throws(CredentialError) {
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/" + part
            let isLast = path == folder || path + "/" == folder
            guard mkdir(path, isLast ? 0o700 : 0o755) != 0 else {
                if isLast { chmod(path, 0o700) }
                continue
            }
            guard errno == EEXIST || errno == EISDIR || errno == EROFS else { throw .io("make", path) }
        }
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw .io("use", folder) }
        // Others may have made it with wider rights.
        if status.st_uid == geteuid(), status.st_mode & 0o077 != 0 { chmod(folder, 0o700) }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws(CredentialError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .io("write", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: Content

    private static func encode(_ credentials: Credentials, _ server: ServerAddress) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("server", server.description)
            writer.member("user", credentials.user)
            writer.member("access_token", credentials.accessToken)
            writer.member("expires_ms", credentials.expiresMilliseconds)
            writer.member("refresh_token", orNull: credentials.refreshToken)
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private static func decode(_ bytes: [UInt8], _ server: ServerAddress) -> Credentials? {
        guard let json = try? JSON.parse(bytes), json["server"]?.string == server.description,
            let user = json["user"].flatMap({ try? User($0) }), let access = json["access_token"]?.string,
            let expires = json["expires_ms"]?.integer
        else { return nil }
        let refresh = json["refresh_token"]?.string
        // Only a guest has none.
        guard refresh != nil || user.isGuest else { return nil }
        return Credentials(user: user, accessToken: access, expiresMilliseconds: expires, refreshToken: refresh)
    }
}
