import SonaCrypto
import Testing

/// Secrets that are sealed, and what opens them.
struct SealingKeyTests {
    private let context = Array("row 7".utf8)

    @Test(arguments: [0, 1, 15, 16, 17, 1_000])
    func `what was sealed opens with the same key and context`(_ count: Int) {
        let (key, text) = (SealingKey.random(), SecureRandom.bytes(count))
        let sealed = key.seal(text, for: context)
        #expect(sealed.count == count + SealingKey.overhead)
        #expect(key.open(sealed, for: context) == text)
    }

    @Test func `another key, context or byte opens nothing`() {
        let key = SealingKey.random()
        let sealed = key.seal(Array("secret".utf8), for: context)
        #expect(SealingKey.random().open(sealed, for: context) == nil)
        #expect(key.open(sealed, for: Array("row 8".utf8)) == nil)
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(key.open(changed, for: context) == nil, "\(place)")
            #expect(key.open(Array(sealed.prefix(place)), for: context) == nil, "\(place)")
        }
    }

    @Test func `the same text is sealed otherwise each time`() {
        let key = SealingKey.random()
        let sealed = (0..<100).map { _ in key.seal(Array("secret".utf8), for: context) }
        #expect(Set(sealed).count == 100)
    }

    @Test func `equal secrets give equal keys, and each purpose has its own`() {
        let secret = SecureRandom.bytes(SealingKey.bytes)
        let (one, two) = (SealingKey(secret), SealingKey(secret))
        #expect(two.open(one.seal([1, 2, 3], for: context), for: context) == [1, 2, 3])
        #expect(one.key(for: "a").tag([1]) == two.key(for: "a").tag([1]))
        #expect(one.key(for: "a").tag([1]) != one.key(for: "b").tag([1]))
    }

    /// Source: RFC 1321, section A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ])
    func `MD5 is what its specification says`(_ text: String, _ hex: String) {
        let found = Digest.md5(text.utf8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(found == hex)
    }
}
