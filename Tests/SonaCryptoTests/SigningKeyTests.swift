import Glibc
import SonaTestSupport
import Testing

@testable import SonaCrypto

struct SigningKeyTests {
    /// RFC 8037, appendix A, in the PKCS #8 form of RFC 8410.
    private static func rfc8037Key() -> SigningKey? {
        let secret = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        let base64 = Base64.encode(hex("302e020100300506032b657004220420") + secret, .standard)
        return SigningKey(pem: Array("-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n".utf8))
    }

    @Test func `key set entry, identifier and signature are those of RFC 8037`() throws {
        let key = try #require(Self.rfc8037Key())
        #expect(key.keyID == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        #expect(key.publicJWK.contains(#""x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#))
        let message = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        let signature = key.sign(message)
        #expect(
            Base64.encode(signature)
                == "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg")
        #expect(key.verifies(signature, of: message))
    }

    @Test func `one changed bit anywhere makes a signature worthless`() {
        let key = SigningKey()
        let message = Array("room".utf8)
        let signature = key.sign(message)
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!key.verifies(changed, of: message))
        }
        #expect(!key.verifies(signature, of: Array("rook".utf8)))
        #expect(!key.verifies([], of: message))
        #expect(!key.verifies(signature + [0], of: message))
        #expect(!SigningKey().verifies(signature, of: message))
    }

    @Test func `a key is made once and read ever after, mode 0600 under any umask`() throws {
        let folder = TemporaryFolder()
        let path = folder.file("signing.pem")
        let made = try SigningKey.loadOrCreate(atPath: path)
        #expect(TemporaryFolder.mode(ofFile: path) == 0o600)
        let read = try SigningKey.loadOrCreate(atPath: path)
        #expect(read.keyID == made.keyID)
        #expect(made.verifies(read.sign([1, 2, 3]), of: [1, 2, 3]))
        #expect(TemporaryFolder.bytes(ofFile: path) == made.pem)
        let other = try SigningKey.loadOrCreate(atPath: folder.file("other.pem"))
        #expect(other.keyID != made.keyID)
    }

    @Test func `callers that make the key at the same time all get the same one`() async throws {
        let folder = TemporaryFolder()
        let path = folder.file("signing.pem")
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 { group.addTask { try SigningKey.loadOrCreate(atPath: path).keyID } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o666, 0o610] as [mode_t])
    func `a key that others may touch is refused`(mode: mode_t) {
        let folder = TemporaryFolder()
        let path = folder.file("signing.pem")
        TemporaryFolder.write(SigningKey().pem, toFile: path, mode: mode)
        #expect(throws: SigningKey.FileError.permissionsTooOpen(mode: UInt32(mode))) {
            try SigningKey.loadOrCreate(atPath: path)
        }
    }

    @Test func `a file that is not an Ed25519 key is refused and left unchanged`() {
        let folder = TemporaryFolder()
        let rsaLike = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n"
        let encrypted = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgZ
            -----END ENCRYPTED PRIVATE KEY-----
            """
        // An X25519 key: the same form, another algorithm.
        let x25519 = Base64.encode(
            hex("302e020100300506032b656e04220420") + [UInt8](repeating: 7, count: 32), .standard)
        let contents = [
            "", "\0\0\0", rsaLike, encrypted, String(repeating: "A", count: 10_000),
            "-----BEGIN PRIVATE KEY-----\n\(x25519)\n-----END PRIVATE KEY-----\n",
        ]
        for (index, content) in contents.enumerated() {
            let path = folder.file("\(index).pem")
            TemporaryFolder.write(Array(content.utf8), toFile: path)
            #expect(throws: SigningKey.FileError.notAKey) { try SigningKey.loadOrCreate(atPath: path) }
            #expect(TemporaryFolder.bytes(ofFile: path) == Array(content.utf8))
        }
        #expect(throws: SigningKey.FileError.notAKey) { try SigningKey.loadOrCreate(atPath: folder.path) }
    }

    @Test func `a folder that is not there is an error with its errno`() {
        #expect(throws: SigningKey.FileError.system(operation: "open", errno: ENOENT)) {
            try SigningKey.loadOrCreate(atPath: "/tmp/sona-no-such-folder/signing.pem")
        }
    }
}
