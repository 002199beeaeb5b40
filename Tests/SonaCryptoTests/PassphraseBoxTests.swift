import Testing

@testable import SonaCrypto

struct PassphraseBoxTests {
    private static let cost = PasswordHash.Cost.test
    private static let passphrase = Array("correct horse battery".utf8)

    private static func box(_ secret: [UInt8], context: [UInt8] = [1]) throws -> [UInt8] {
        try PassphraseBox.seal(secret, passphrase: passphrase, context: context, cost: cost)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 10_000])
    func `what was sealed is opened again`(count: Int) throws {
        let secret = SecureRandom.bytes(count)
        let box = try Self.box(secret)
        #expect(try PassphraseBox.open(box, passphrase: Self.passphrase, context: [1]) == secret)
        #expect(try Self.box(secret) != box)
    }

    @Test func `another passphrase, another context and every changed bit are noticed`() throws {
        let box = try Self.box(Array("secret".utf8))
        #expect(throws: PassphraseBox.OpenError.wrongPassphrase) {
            try PassphraseBox.open(box, passphrase: Array("another".utf8), context: [1])
        }
        #expect(throws: PassphraseBox.OpenError.wrongPassphrase) {
            try PassphraseBox.open(box, passphrase: Self.passphrase, context: [2])
        }
        // The cost (offsets 8 to 10) may ask for more memory than there is; the rest is tried bit by bit.
        for place in box.indices where !(8...10).contains(place) {
            var changed = box
            changed[place] ^= 1 << (place % 8)
            #expect(throws: PassphraseBox.OpenError.self) {
                try PassphraseBox.open(changed, passphrase: Self.passphrase, context: [1])
            }
        }
    }

    @Test func `what is no box is told from a wrong passphrase`() throws {
        let box = try Self.box([1, 2, 3])
        for bytes in [
            [], Array(box.prefix(54)), Array("something else that is long enough to be a box, or longer".utf8),
        ] {
            #expect(throws: PassphraseBox.OpenError.notABox) {
                try PassphraseBox.open(bytes, passphrase: Self.passphrase, context: [1])
            }
        }
        // N = 2^30 would be 1 TiB.
        var greedy = box
        greedy[8] = 30
        #expect(throws: PassphraseBox.OpenError.notABox) {
            try PassphraseBox.open(greedy, passphrase: Self.passphrase, context: [1])
        }
    }

    @Test func `a new box costs 128 MiB`() {
        let cost = PassphraseBox.cost
        #expect((128 << cost.logN) * cost.r == 128 << 20)
    }
}
