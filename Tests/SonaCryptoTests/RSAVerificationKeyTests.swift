import COpenSSL
import Testing

@testable import SonaCrypto

struct RSAVerificationKeyTests {
    private static let message = Array("eyJhbGciOiJSUzI1NiJ9.e30".utf8)

    private static func key(_ pair: TestKeyPair) throws(RSAVerificationKey.KeyError) -> RSAVerificationKey {
        try RSAVerificationKey(modulus: pair.modulus, exponent: pair.exponent)
    }

    // MARK: Verifying

    @Test func `the example of RFC 7515, appendix A.2, verifies`() throws {
        let key = try RSAVerificationKey(
            modulus: """
                ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yR\
                T-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXB\
                dQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9ia\
                GNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
                """,
            exponent: "AQAB")
        let header = "eyJhbGciOiJSUzI1NiJ9"
        let payload =
            "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try #require(
            Base64.decode(
                """
                cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9\
                uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB\
                _eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rq\
                Vt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
                """))
        #expect(key.verifies(signature, of: Array("\(header).\(payload)".utf8)))
        #expect(!key.verifies(signature, of: Array("\(header).\(payload)A".utf8)))
    }

    @Test func `a key from JSON, from a public key and from a certificate is the same`() throws {
        let pair = TestKeyPair.rsa
        let signature = pair.sign(Self.message)
        let keys = [
            try Self.key(pair), try RSAVerificationKey(pem: pair.publicKeyPEM),
            try RSAVerificationKey(pem: pair.certificatePEM(issuer: .otherRSA)),
        ]
        for key in keys {
            #expect(key.verifies(signature, of: Self.message))
            #expect(!key.verifies(signature, of: Self.message + [0]))
            #expect(!key.verifies(TestKeyPair.otherRSA.sign(Self.message), of: Self.message))
        }
        #expect(try !Self.key(.otherRSA).verifies(signature, of: Self.message))
        // The issuer of a certificate is not whom it is about.
        #expect(!keys[2].verifies(TestKeyPair.otherRSA.sign(Self.message), of: Self.message))
    }

    @Test func `one changed bit anywhere makes a signature worthless`() throws {
        let key = try Self.key(.rsa)
        let signature = TestKeyPair.rsa.sign(Self.message)
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.verifies(changed, of: Self.message))
        }
    }

    @Test func `a signature has the modulus's length`() throws {
        let key = try Self.key(.rsa)
        let signature = TestKeyPair.rsa.sign(Self.message)
        for other in [[], [0], [0] + signature, signature + [0], Array(signature.dropLast()), signature + signature] {
            #expect(!key.verifies(other, of: Self.message))
        }
        #expect(!key.verifies([UInt8](repeating: 0, count: 256), of: Self.message))
        #expect(!key.verifies([UInt8](repeating: 0, count: 255) + [1], of: Self.message))
        #expect(!key.verifies([UInt8](repeating: 0xFF, count: 256), of: Self.message))
        #expect(key.verifies(TestKeyPair.rsa.sign([]), of: []))
    }

    @Test func `another hash or padding is another algorithm`() throws {
        let key = try Self.key(.rsa)
        for hash in [EVP_sha1(), EVP_sha384(), EVP_sha512(), EVP_sha3_256()] {
            #expect(!key.verifies(TestKeyPair.rsa.sign(Self.message, hash: hash), of: Self.message))
        }
        #expect(!key.verifies(TestKeyPair.rsa.sign(Self.message, padding: RSA_PKCS1_PSS_PADDING), of: Self.message))
    }

    /// The blocks are made by hand and signed with the real key, so that only what is inside can be wrong. The first
    /// one is right, which shows that the way is.
    @Test(arguments: [TestKeyPair.rsa, TestKeyPair.rsaExponent3])
    func `padding is looked at to the last byte`(pair: TestKeyPair) throws {
        let key = try Self.key(pair)
        let algorithm = hex("3031300d060960864801650304020105000420")
        let hash = Digest.sha256(Self.message)
        func block(_ start: [UInt8], filling: UInt8 = 0xFF, _ end: [UInt8]) -> [UInt8] {
            start + [UInt8](repeating: filling, count: 256 - start.count - end.count - 1) + [0] + end
        }
        func verifies(_ block: [UInt8]) -> Bool { key.verifies(pair.apply(toBlock: block), of: Self.message) }

        #expect(verifies(block([0, 1], algorithm + hash)))
        #expect(!verifies(block([0, 2], algorithm + hash)))
        #expect(!verifies(block([0, 0], filling: 0, algorithm + hash)))
        #expect(!verifies(block([0, 1], filling: 0xFE, algorithm + hash)))
        // Bleichenbacher's forgery of 2006: short padding, and garbage where nobody looks.
        let garbage = [UInt8](repeating: 0x5A, count: 256 - 11 - algorithm.count - hash.count)
        #expect(!verifies([0, 1] + [UInt8](repeating: 0xFF, count: 8) + [0] + algorithm + hash + garbage))
        // Garbage inside the ASN.1, as parameters of the hash.
        #expect(!verifies(block([0, 1], hex("3035301106096086480165030402010504DEADBEEF0420") + hash)))
        // Without the NULL, with another hash's name, without any name, and with a hash of another message.
        #expect(!verifies(block([0, 1], hex("302f300b0609608648016503040201" + "0420") + hash)))
        #expect(!verifies(block([0, 1], hex("3031300d060960864801650304020305000420") + hash)))
        #expect(!verifies(block([0, 1], hash)))
        #expect(!verifies(block([0, 1], algorithm + Digest.sha256([]))))
        #expect(!verifies(block([0, 1], algorithm + hash + [0])))
    }

    // MARK: Keys

    @Test func `keys have 2048 to 8192 bits`() throws {
        func refusal(bits: Int, isOdd: Bool = true) -> RSAVerificationKey.KeyError? {
            var bytes = [UInt8](repeating: 0x5B, count: (bits + 7) / 8)
            bytes[0] = 1 << UInt8((bits - 1) % 8)
            if !isOdd { bytes[bytes.count - 1] = 0x5A }
            let text = Base64.encode(bytes)
            return Self.refusal { () throws(RSAVerificationKey.KeyError) in
                let key = try RSAVerificationKey(modulus: text, exponent: "AQAB")
                #expect(!key.verifies([UInt8](repeating: 1, count: bytes.count), of: Self.message))
            }
        }
        for bits in [2048, 2049, 4096, 8191, 8192] { #expect(refusal(bits: bits) == nil) }
        for bits in [8, 512, 1024, 2047, 8193, 8200, 16_384, 100_000] { #expect(refusal(bits: bits) == .unusable) }
        #expect(refusal(bits: 2048, isOdd: false) == .unusable)
        let weak = TestKeyPair(rsaBits: 1024)
        #expect(Self.refusal { () throws(RSAVerificationKey.KeyError) in try Self.key(weak) } == .unusable)
        for pem in [weak.publicKeyPEM, weak.certificatePEM(issuer: .rsa)] {
            #expect(
                Self.refusal { () throws(RSAVerificationKey.KeyError) in try RSAVerificationKey(pem: pem) }
                    == .unusable)
        }
    }

    @Test func `exponents are odd, 3 to 2^32`() {
        func refusal(_ exponent: [UInt8]) -> RSAVerificationKey.KeyError? {
            Self.refusal { () throws(RSAVerificationKey.KeyError) in
                try RSAVerificationKey(modulus: TestKeyPair.rsa.modulus, exponent: Base64.encode(exponent))
            }
        }
        for good: [UInt8] in [[3], [5], [1, 0, 1], [0xFF, 0xFF, 0xFF, 0xFF]] { #expect(refusal(good) == nil) }
        let bad: [[UInt8]] = [
            [1], [2], [4], [1, 0, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 0, 0, 0, 0, 0, 3],
            [UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0xFF, count: 256),
        ]
        for exponent in bad { #expect(refusal(exponent) == .unusable, "\(exponent)") }
    }

    @Test func `numbers have one form only`() {
        let (n, e) = (TestKeyPair.rsa.modulus, TestKeyPair.rsa.exponent)
        let zero = Base64.encode([0] + (Base64.decode(n) ?? []))
        let numbers = [
            ("", e), (n, ""), (zero, e), (n, "AAEAAQ"), (n, "AA"), (n + "=", e), (n + "==", e), (n, "AQAB\n"),
            (n, "AQ+B"), (" " + n, e), (n, "AQABA"), (n, "ÄQAB"), (n, "Ax"),
        ]
        for (modulus, exponent) in numbers {
            let refusal = Self.refusal { () throws(RSAVerificationKey.KeyError) in
                try RSAVerificationKey(modulus: modulus, exponent: exponent)
            }
            #expect(refusal == .malformed, "\(modulus) \(exponent)")
        }
        let long = String(repeating: "A", count: 10_000_000)
        let refusal = Self.refusal { () throws(RSAVerificationKey.KeyError) in
            try RSAVerificationKey(modulus: long, exponent: long)
        }
        #expect(refusal == .unusable)
    }

    @Test func `keys of other algorithms are told apart from broken ones`() {
        let others = [
            TestKeyPair(curve: "P-256"), TestKeyPair(curve: "P-521"), TestKeyPair(kind: EVP_PKEY_ED25519),
            TestKeyPair(kind: EVP_PKEY_X25519), .rsaPSS,
        ]
        for pair in others {
            for pem in [pair.publicKeyPEM, pair.certificatePEM(issuer: .rsa)] {
                let refusal = Self.refusal { () throws(RSAVerificationKey.KeyError) in
                    try RSAVerificationKey(pem: pem)
                }
                #expect(refusal == .otherAlgorithm)
            }
        }
    }

    @Test func `a text that is not exactly one public key in PEM is malformed`() throws {
        func bytes(_ pem: [UInt8]) throws -> [UInt8] {
            let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
            return try #require(Base64.decode(lines[1..<lines.count - 1].joined().filter { $0 != "=" }, .standard))
        }
        let key = TestKeyPair.rsa.publicKeyPEM
        let certificate = TestKeyPair.rsa.certificatePEM(issuer: .rsa)
        let (body, certificateBody) = (try bytes(key), try bytes(certificate))
        func pem(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
            let padding = String(repeating: "=", count: (3 - bytes.count % 3) % 3)
            let text = Base64.encode(bytes, .standard) + padding
            return Array("-----BEGIN \(label)-----\n\(text)\n-----END \(label)-----\n".utf8)
        }
        _ = try RSAVerificationKey(pem: pem("PUBLIC KEY", body))
        _ = try RSAVerificationKey(pem: pem("CERTIFICATE", certificateBody))
        let text = String(decoding: key, as: UTF8.self)
        let firstLine = "-----BEGIN PUBLIC KEY-----\n"
        let encryption = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF\n\n"
        let malformed: [[UInt8]] = [
            [], [0], Array("-----BEGIN PUBLIC KEY-----".utf8), Array(key.dropLast(30)), key + key, key + certificate,
            TestKeyPair.rsa.privateKeyPEM, pem("PUBLIC KEY", []), pem("PUBLIC KEY", body + [0]),
            pem("PUBLIC KEY", body.dropLast()), pem("CERTIFICATE", body), pem("RSA PUBLIC KEY", body),
            pem("CERTIFICATE", certificateBody + [0]), pem("CERTIFICATE", certificateBody.dropLast()),
            pem("PUBLIC KEY", certificateBody), pem("TRUSTED CERTIFICATE", certificateBody),
            pem("PRIVATE KEY", body), pem("PUBLIC KEY", [UInt8](repeating: 0x30, count: 9_000)),
            key + [UInt8](repeating: 0x0A, count: RSAVerificationKey.pemBytesMax),
            Array(text.replacing(firstLine, with: firstLine + encryption).utf8),
        ]
        for (index, pem) in malformed.enumerated() {
            let refusal = Self.refusal { () throws(RSAVerificationKey.KeyError) in try RSAVerificationKey(pem: pem) }
            #expect(refusal == .malformed, "case \(index)")
        }
    }

    /// libcrypto's errors are kept per thread: one that stays would be reported for a later call.
    @Test func `no refusal leaves an error in the thread's queue`() throws {
        let key = try Self.key(.rsa)
        let pems: [[UInt8]] = [
            TestKeyPair.rsa.publicKeyPEM, TestKeyPair.rsa.certificatePEM(issuer: .rsa), TestKeyPair.rsaPSS.publicKeyPEM,
            [], Array("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8),
        ]
        ERR_clear_error()
        _ = key.verifies([UInt8](repeating: 0xFF, count: 256), of: Self.message)
        #expect(ERR_peek_error() == 0)
        for pem in pems {
            _ = try? RSAVerificationKey(pem: pem)
            #expect(ERR_peek_error() == 0)
        }
        _ = try? RSAVerificationKey(modulus: TestKeyPair.rsa.modulus, exponent: "AAAA")
        #expect(ERR_peek_error() == 0)
    }

    private static func refusal<Value>(
        _ body: () throws(RSAVerificationKey.KeyError) -> Value
    ) -> RSAVerificationKey.KeyError? {
        do throws(RSAVerificationKey.KeyError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
}
