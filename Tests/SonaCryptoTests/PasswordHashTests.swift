import Testing

@testable import SonaCrypto

struct PasswordHashTests {
    /// RFC 7914, section 12, the three vectors that fit into 256 MiB.
    @Test(arguments: [
        (
            "", "", 4, 1, 1,
            """
            77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
            fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
            """
        ),
        (
            "password", "NaCl", 10, 8, 16,
            """
            fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
            2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
            """
        ),
        (
            "pleaseletmein", "SodiumChloride", 14, 8, 1,
            """
            7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
            d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
            """
        ),
    ])
    func `scrypt gives the results of RFC 7914`(
        password: String, salt: String, logN: Int, r: Int, p: Int, expected: String
    ) throws {
        let cost = try #require(PasswordHash.Cost(logN: logN, r: r, p: p))
        let hash = PasswordHash.derive(Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(hash == hex(expected))
    }

    @Test func `a PHC string made elsewhere verifies`() {
        // RFC 7914's third vector, written as a PHC string.
        let hash = Base64.encode(
            hex(
                """
                7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
                d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
                """), .standard)
        let phc = "$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$\(hash)"
        #expect(PasswordHash.verify("pleaseletmein", against: phc))
        #expect(!PasswordHash.verify("pleaseletmeim", against: phc))
        #expect(PasswordHash.needsRehash(phc))
    }

    @Test func `a hash verifies its own password only`() throws {
        let phc = try PasswordHash.hash("correct horse", cost: .test)
        #expect(phc.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
        #expect(PasswordHash.verify("correct horse", against: phc))
        for other in ["", "correct horsf", "correct horse ", "Correct horse"] {
            #expect(!PasswordHash.verify(other, against: phc))
        }
        #expect(try PasswordHash.hash("correct horse", cost: .test) != phc, "each hash has its own salt")
    }

    @Test func `a NUL inside a password counts`() throws {
        let phc = try PasswordHash.hash("before\0after", cost: .test)
        #expect(PasswordHash.verify("before\0after", against: phc))
        #expect(!PasswordHash.verify("before", against: phc))
        // scrypt's HMAC pads its key with NULs, so at the end they don't: known, documented, refused in Accounts.
        #expect(PasswordHash.verify("before\0after\0", against: phc))
    }

    @Test func `the standard cost is N 2^15, r 8, p 3 with a salt of 16 and a hash of 32 bytes`() throws {
        let phc = try PasswordHash.hash("correct horse")
        let fields = phc.split(separator: "$")
        #expect(fields[1] == "ln=15,r=8,p=3")
        #expect(Base64.decode(fields[2].utf8, .standard)?.count == 16)
        #expect(Base64.decode(fields[3].utf8, .standard)?.count == 32)
        #expect(PasswordHash.verify("correct horse", against: phc))
        #expect(!PasswordHash.needsRehash(phc))
        #expect(PasswordHash.needsRehash(phc, cost: .test))
    }

    @Test func `strings that are not our hashes verify nothing`() throws {
        let good = try PasswordHash.hash("correct horse", cost: .test)
        let parts = good.split(separator: "$").map(String.init)
        let (salt, hash) = (parts[2], parts[3])
        for phc in [
            "", "$", "$$$$", good + "$", good + "=", " " + good, String(good.dropLast(30)),
            "$argon2id$ln=4,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=4,r=8$\(salt)$\(hash)",
            "$scrypt$r=8,ln=4,p=1$\(salt)$\(hash)",
            "$scrypt$ln=4,r=8,p=1,x=1$\(salt)$\(hash)",
            "$scrypt$ln=04,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=+4,r=8,p=1$\(salt)$\(hash)",
            "$scrypt$ln=4,r=8,p=0$\(salt)$\(hash)",
            "$scrypt$ln=4,r=8,p=1$$\(hash)",
            "$scrypt$ln=4,r=8,p=1$\(salt)$",
            "$scrypt$ln=4,r=8,p=1$\(salt)$\(String(repeating: "A", count: 5_000))",
        ] {
            #expect(!PasswordHash.verify("correct horse", against: phc), "\(phc)")
            #expect(PasswordHash.needsRehash(phc, cost: .test))
        }
    }

    @Test func `parameters that would take too much memory or time are refused unhashed`() {
        let rest = "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        for parameters in ["ln=30,r=8,p=1", "ln=20,r=8,p=1", "ln=4,r=9999,p=1", "ln=4,r=8,p=17", "ln=16,r=1,p=1"] {
            let start = ContinuousClock.now
            #expect(!PasswordHash.verify("x", against: "$scrypt$\(parameters)\(rest)"))
            #expect(ContinuousClock.now - start < .milliseconds(100))
        }
        #expect(PasswordHash.Cost(logN: 18, r: 8, p: 16) != nil)
        #expect(PasswordHash.Cost(logN: 18, r: 9, p: 1) == nil)
    }

    @Test func `nothing matches an unmatchable hash, and trying costs as much`() throws {
        let phc = PasswordHash.unmatchable(cost: .test)
        #expect(!PasswordHash.needsRehash(phc, cost: .test))
        #expect(!PasswordHash.verify("", against: phc))
        #expect(!PasswordHash.verify("correct horse", against: phc))
    }
}
