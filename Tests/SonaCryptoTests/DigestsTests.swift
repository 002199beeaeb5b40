import SonaCrypto
import Testing

struct DigestsTests {
    @Test func `SHA-256 gives the digests of FIPS 180-4`() {
        #expect(
            Digest.sha256([]) == hex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
        #expect(
            Digest.sha256("abc".utf8) == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    }

    @Test func `HMAC-SHA-256 gives the results of RFC 4231`() {
        #expect(
            Digest.hmacSHA256(key: [UInt8](repeating: 0x0B, count: 20), "Hi There".utf8)
                == hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
        #expect(
            Digest.hmacSHA256(key: "Jefe".utf8, "what do ya want for nothing?".utf8)
                == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        #expect(
            Digest.hmacSHA256(
                key: [UInt8](repeating: 0xAA, count: 131),
                "Test Using Larger Than Block-Size Key - Hash Key First".utf8)
                == hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
        // An empty key is a key, not "the one of before".
        #expect(
            Digest.hmacSHA256(key: [], [])
                == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test func `a key made ready gives the same, however often and from however many threads`() async {
        let keys: [[UInt8]] = [
            [UInt8](repeating: 0x0B, count: 20), Array("Jefe".utf8), [UInt8](repeating: 0xAA, count: 131), [],
        ]
        for key in keys {
            let ready = HMACKey(key)
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        (0..<300).allSatisfy { count in
                            let message = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
                            return ready.tag(message) == Digest.hmacSHA256(key: key, message)
                        }
                    }
                }
                for await isSame in group { #expect(isSame, "\(key.count) bytes of key") }
            }
        }
    }

    @Test func `equal bytes are equal and nothing else is`() {
        #expect(Digest.constantTimeEquals([], []))
        #expect(Digest.constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!Digest.constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!Digest.constantTimeEquals([1, 2, 3], [1, 2]))
    }
}

struct Base64Tests {
    @Test(arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")])
    func `the texts of RFC 4648 without padding go both ways`(plain: String, encoded: String) {
        #expect(Base64.encode(plain.utf8) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test func `each alphabet refuses the other's characters`() {
        #expect(Base64.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64.encode([0xFB, 0xFF], .standard) == "+/8")
        #expect(Base64.decode("-_8", .standard) == nil)
        #expect(Base64.decode("+/8") == nil)
    }

    @Test(arguments: ["Z", "Zh", "Zm9", "Zg==", "Zm9v\n", "Zm 9v", "Zm9vYg=", "é8"])
    func `leftover bits, padding and white space are refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `every length comes back as it was`() {
        for count in 0..<200 {
            let bytes = SecureRandom.bytes(count)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes, .standard), .standard) == bytes)
        }
    }
}

struct SecureRandomTests {
    @Test func `as many bytes and characters come as were asked for`() {
        for count in [-1, 0, 1, 31, 4_096] {
            #expect(SecureRandom.bytes(count).count == max(0, count))
            #expect(SecureRandom.alphanumeric(count).utf8.count == max(0, count))
        }
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        var generator = SecureRandom.Generator()
        #expect(generator.next() != generator.next())
    }

    /// Goal: no character is likelier than another. Way: 62 000 draws give 1000 ± 32 of each; a remainder in place of
    /// rejection would give two of them 1250, and nine standard deviations separate that from chance.
    @Test func `the 62 characters are equally likely`() {
        var counts: [UInt8: Int] = [:]
        for character in SecureRandom.alphanumeric(62_000).utf8 { counts[character, default: 0] += 1 }
        #expect(counts.count == 62)
        #expect(counts.values.allSatisfy { 800...1_200 ~= $0 })
    }
}
