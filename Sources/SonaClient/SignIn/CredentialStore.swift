internal import Glibc
internal import SonaBase
internal import SonaWire

/// Why kept credentials could not be used. The sentence names the file.
package struct CredentialError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// The system refused to read, write or remove the file; `errno` says why.
        case io(errno: Int32)
        /// The file does not have the form that this program writes.
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

    static func io(_ attempted: String, _ path: String, errno number: Int32 = errno) -> CredentialError {
        CredentialError(
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
        // Credentials received over TLS must not go to a server that answers without it.
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
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes = try WholeFile.read(path, bytesMax: Self.bytesMax)
        } catch {
            switch error {
            case .system("open", ENOENT), .system("open", ENOTDIR): return nil
            case .system(let operation, let number): throw .io(operation, path, errno: number)
            case .tooLong: throw Self.malformed(path)
            }
        }
        guard let credentials = Self.decode(bytes, server) else { throw Self.malformed(path) }
        return credentials
    }

    /// Keeps credentials in place of those kept for the server.
    package func write(_ credentials: Credentials, for server: ServerAddress) throws(CredentialError) {
        try makeFolder()
        let path = self.path(server)
        do throws(SecretFile.Failure) {
            try SecretFile.replace(path, Self.encode(credentials, server))
        } catch {
            guard case .system(let operation, let number) = error else { throw Self.malformed(path) }
            throw .io(operation == "rename" ? "replace" : "write", path, errno: number)
        }
    }

    /// Forgets the credentials kept for the server.
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

    // MARK: Content

    private static func malformed(_ path: String) -> CredentialError {
        CredentialError(
            code: .malformed, description: "\(path) does not hold credentials; remove it and log in again.")
    }

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
