import SonaCrypto
import Testing

/// Secrets that are kept sealed.
struct SealingKeyTests {
    private func key(_ byte: UInt8) -> SealingKey { SealingKey([UInt8](repeating: byte, count: 32))! }

    @Test(arguments: [0, 1, 16, 17, 1_000])
    func `a secret opens under its key and for its place alone`(count: Int) {
        let secret = [UInt8](repeating: 7, count: count)
        let sealed = key(1).seal(secret, context: Array("ada".utf8))
        #expect(key(1).open(sealed, context: Array("ada".utf8)) == secret)
        #expect(key(1).open(sealed, context: Array("bob".utf8)) == nil)
        #expect(key(2).open(sealed, context: Array("ada".utf8)) == nil)
        #expect(sealed.count == count + 28)
    }

    @Test func `a sealed secret that was changed anywhere does not open, nor does anything shorter`() {
        let sealed = key(1).seal([1, 2, 3], context: [])
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(key(1).open(changed, context: []) == nil, "byte \(index)")
            #expect(key(1).open(Array(sealed[..<index]), context: []) == nil, "\(index) bytes")
        }
    }

    @Test func `the same secret looks different each time`() {
        #expect(key(1).seal([1, 2, 3], context: []) != key(1).seal([1, 2, 3], context: []))
        #expect(SealingKey([UInt8](repeating: 0, count: 31)) == nil)
    }

    /// Source: NIST's GCM test vectors, AES-256, case 14: a zero key, a zero nonce, sixteen zero bytes.
    @Test func `a secret that others sealed opens`() {
        let text: [UInt8] = [
            0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e, 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
        ]
        let tag: [UInt8] = [
            0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0, 0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19,
        ]
        let sealed = [UInt8](repeating: 0, count: 12) + text + tag
        #expect(key(0).open(sealed, context: []) == [UInt8](repeating: 0, count: 16))
    }

    @Test func `MD5 is that of its specification`() {
        func hex(_ text: String) -> String {
            Digest.md5(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        #expect(hex("") == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(hex("message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
    }
}
