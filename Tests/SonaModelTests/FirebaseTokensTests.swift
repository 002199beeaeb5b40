import SonaCrypto
import SonaWire
import Testing

@testable import SonaModel

struct FirebaseTokensTests {
    // MARK: Valid tokens

    @Test func `a valid token gives the identity of its user`() async throws {
        let fixture = try #require(FirebaseFixture())
        let identity = try await fixture.tokens.verify(fixture.token())
        #expect(
            try identity
                == FirebaseIdentity(
                    uid: #require(UserID("vTqN4hIm2bVY0xL5zKc8dQe1rSw2")), email: "ada@example.org",
                    isEmailVerified: true, displayName: "Ada Löwe", signInProvider: "password",
                    authenticatedAt: fixture.now - 100, expiresAt: fixture.now + 3_590))
    }

    @Test func `an anonymous token gives an identity without address and name`() async throws {
        let fixture = try #require(FirebaseFixture())
        let claims = fixture.claims([
            "email": nil, "email_verified": nil, "name": nil, "auth_time": nil,
            "firebase": nil, "picture": nil,
        ])
        let identity = try await fixture.tokens.verify(fixture.token(claims))
        #expect(
            try identity
                == FirebaseIdentity(
                    uid: #require(UserID("vTqN4hIm2bVY0xL5zKc8dQe1rSw2")), authenticatedAt: fixture.now - 10,
                    expiresAt: fixture.now + 3_590))
    }

    @Test(
        arguments: [
            (#""""#, "true", nil, false), (#""a@b""#, "false", "a@b", false), (#""a@b""#, nil, "a@b", false),
            (nil, "true", nil, false), (#""a@b""#, "true", "a@b", true),
        ] as [(String?, String?, String?, Bool)])
    func `a missing address never counts as verified`(
        email: String?, verified: String?, expected: String?, isVerified: Bool
    ) async throws {
        let fixture = try #require(FirebaseFixture())
        let claims = fixture.claims(["email": email, "email_verified": verified, "name": #""""#])
        let identity = try await fixture.tokens.verify(fixture.token(claims))
        #expect(identity.email == expected && identity.isEmailVerified == isVerified && identity.displayName == nil)
    }

    @Test func `a header without typ or with further members is accepted`() async throws {
        let fixture = try #require(FirebaseFixture())
        let kid = FirebaseSigner.first.kid
        #expect(await fixture.refusal(fixture.token(header: #"{"alg":"RS256","kid":"\#(kid)"}"#)) == nil)
        // Neither a key in the token nor a key's address in it is used.
        let intruder = FirebaseSigner.second
        let header = #"{"alg":"RS256","kid":"\#(kid)","jwk":\#(intruder.jwk),"jku":"\#(KeySite.address)"}"#
        #expect(await fixture.refusal(fixture.token(header: header)) == nil)
        let unsigned = fixture.unsigned(header: header)
        let forged = unsigned + "." + Base64.encode(intruder.sign(unsigned))
        #expect(await fixture.refusal(forged) == .tokenInvalid)
    }

    // MARK: Headers

    @Test(arguments: [
        #"{"alg":"none","kid":"K"}"#, #"{"alg":"rs256","kid":"K"}"#, #"{"alg":"Rs256","kid":"K"}"#,
        #"{"alg":"RS256 ","kid":"K"}"#, #"{"alg":"RS384","kid":"K"}"#, #"{"alg":"PS256","kid":"K"}"#,
        #"{"alg":"ES256","kid":"K"}"#, #"{"alg":"EdDSA","kid":"K"}"#, #"{"alg":"","kid":"K"}"#,
        #"{"alg":null,"kid":"K"}"#, #"{"alg":["RS256"],"kid":"K"}"#, #"{"kid":"K"}"#,
        #"{"alg":"none","alg":"RS256","kid":"K"}"#, #"{"alg":"RS256","alg":"RS256","kid":"K"}"#,
        #"{"Alg":"RS256","kid":"K"}"#, #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":""}"#,
        #"{"alg":"RS256","kid":null}"#, #"{"alg":"RS256","kid":7}"#, #"{"alg":"RS256","kid":"K "}"#,
        #"{"alg":"RS256","kid":"../K"}"#, #"{"alg":"RS256","kid":"k"}"#, #"{"alg":"RS256","kid":"other"}"#,
        #"{"alg":"RS256","kid":"\u212A"}"#, #"{"alg":"RS256","kid":"K\u0000"}"#,
        #"{"alg":"RS256","kid":"K","typ":"jwt"}"#, #"{"alg":"RS256","kid":"K","typ":"at+jwt"}"#,
        #"{"alg":"RS256","kid":"K","typ":null}"#, #"{"alg":"RS256","kid":"K","crit":[]}"#,
        #"{"alg":"RS256","kid":"K","crit":["exp"]}"#, #"{"alg":"RS256","kid":"K","crit":null}"#,
        #"{"alg":"RS256","kid":"K","b64":false,"crit":["b64"]}"#,
        "", "{}", "[]", "null", #""RS256""#, #"{"alg":"RS256","kid":"K"} x"#,
        "\u{FEFF}{\"alg\":\"RS256\",\"kid\":\"K\"}",
    ])
    func `any other header is refused, signed or not`(header: String) async throws {
        let signer = FirebaseSigner.short
        let fixture = try #require(FirebaseFixture(signer))
        #expect(await fixture.refusal(fixture.token(signer: signer)) == nil)
        #expect(await fixture.refusal(fixture.token(header: header, signer: signer)) == .tokenInvalid)
        #expect(await fixture.refusal(fixture.unsigned(header: header) + ".") == .tokenInvalid)
    }

    /// The classical confusion: a server uses the public key as the secret of an HMAC.
    @Test func `a token whose HMAC has the public key as its secret is refused`() async throws {
        let fixture = try #require(FirebaseFixture())
        let signer = FirebaseSigner.first
        let secrets = [signer.publicKeyPEM, signer.certificatePEM, signer.jwk, signer.numbers, signer.kid, ""]
        for algorithm in ["HS256", "RS256"] {
            let unsigned = fixture.unsigned(header: #"{"alg":"\#(algorithm)","kid":"\#(signer.kid)","typ":"JWT"}"#)
            for secret in secrets {
                let code = Digest.hmacSHA256(key: secret.utf8, unsigned.utf8)
                #expect(await fixture.refusal(unsigned + "." + Base64.encode(code)) == .tokenInvalid)
            }
        }
    }

    // MARK: Claims

    @Test(
        arguments: [
            ("iss", nil), ("iss", #""https://securetoken.google.com/sona-demo-2""#), ("iss", #""sona-demo-1""#),
            ("iss", #""https://securetoken.google.com/sona-demo-1/""#), ("iss", "null"),
            ("iss", #""http://securetoken.google.com/sona-demo-1""#), ("iss", #""https://accounts.google.com""#),
            ("iss", #""https://session.firebase.google.com/sona-demo-1""#),
            ("iss", #"["https://securetoken.google.com/sona-demo-1"]"#),
            ("aud", nil), ("aud", #""sona-demo-2""#), ("aud", #""Sona-demo-1""#), ("aud", #"["sona-demo-1"]"#),
            ("aud", #""sona-demo-1 ""#), ("aud", "null"),
            ("sub", nil), ("sub", #""""#), ("sub", "7"), ("sub", "null"), ("sub", #""a/b""#), ("sub", #""a b""#),
            ("sub", #""a\u0000""#), ("sub", #""é""#), ("sub", "\"" + String(repeating: "x", count: 129) + "\""),
            ("exp", nil), ("exp", #""1900000000""#), ("exp", "1900000000.0"), ("exp", "1.9e9"), ("exp", "null"),
            ("exp", "9007199254740992"), ("exp", "99999999999999999999"), ("exp", "01900000000"), ("exp", "true"),
            ("iat", nil), ("iat", #""1700000000""#), ("iat", "1700000000.5"), ("iat", "17e8"), ("iat", "null"),
            ("auth_time", #""1700000000""#), ("auth_time", "1700000000.5"), ("auth_time", "null"),
            ("nbf", "1700000000.5"), ("nbf", "null"),
            ("email", "7"), ("email", "null"), ("email_verified", #""true""#), ("email_verified", "1"), ("name", "{}"),
            ("firebase", "null"), ("firebase", "[]"), ("firebase", #"{"sign_in_provider":7}"#),
            ("firebase", #"{"tenant":"acme-1","sign_in_provider":"password"}"#),
        ] as [(String, String?)])
    func `a claim that Firebase would not write is refused`(claim: String, value: String?) async throws {
        let fixture = try #require(FirebaseFixture())
        #expect(await fixture.refusal(fixture.token(fixture.claims([claim: value]))) == .tokenInvalid)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{", #"{"sub":"a"}"#, "\u{0}",
        String(repeating: "[", count: 3_000), String(repeating: #"{"a":"#, count: 900),
    ])
    func `signed claims that are not an object are refused`(claims: String) async throws {
        let fixture = try #require(FirebaseFixture())
        #expect(await fixture.refusal(fixture.token(claims)) == .tokenInvalid)
    }

    @Test func `claims with duplicates, too deep nesting or trailing bytes are refused`() async throws {
        let fixture = try #require(FirebaseFixture())
        let claims = fixture.claims()
        for twice in [#""sub":"someone""#, #""exp":1900000000"#, #""\u0073ub":"vTqN4hIm2bVY0xL5zKc8dQe1rSw2""#] {
            #expect(await fixture.refusal(fixture.token(claims.dropLast() + "," + twice + "}")) == .tokenInvalid)
            #expect(await fixture.refusal(fixture.token("{" + twice + "," + claims.dropFirst())) == .tokenInvalid)
        }
        func nested(_ depth: Int) -> String {
            let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            return fixture.claims(["custom": value])
        }
        #expect(await fixture.refusal(fixture.token(nested(Limits.nestingDepthMax - 1))) == nil)
        #expect(await fixture.refusal(fixture.token(nested(Limits.nestingDepthMax))) == .tokenInvalid)
        #expect(await fixture.refusal(fixture.token(nested(2_000))) == .tokenInvalid)
        #expect(await fixture.refusal(fixture.token(claims + "{}")) == .tokenInvalid)
        #expect(await fixture.refusal(fixture.token(" " + claims + "\n")) == nil)
    }

    @Test func `subjects of 1 and of 128 characters are accepted`() async throws {
        let fixture = try #require(FirebaseFixture())
        for subject in ["x", String(repeating: "x", count: 128), "~!@#$%^&*()"] {
            let token = fixture.token(fixture.claims(["sub": "\"\(subject)\""]))
            #expect(try await fixture.tokens.verify(token).uid.rawValue == subject)
        }
    }

    // MARK: Times

    @Test func `a token expires at the second it names`() async throws {
        let fixture = try #require(FirebaseFixture())
        let token = fixture.token(fixture.claims(["exp": "\(fixture.now + 5)"]))
        fixture.calendar.advance(seconds: 4)
        #expect(await fixture.refusal(token) == nil)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(token) == .tokenExpired)
        fixture.calendar.advance(seconds: 1)
        #expect(await fixture.refusal(token) == .tokenExpired)
        for exp in ["0", "-1", "-9007199254740991"] {
            #expect(await fixture.refusal(fixture.token(fixture.claims(["exp": exp]))) == .tokenExpired)
        }
        // Only a token that is valid otherwise is reported as expired.
        let elsewhere = fixture.claims(["exp": "0", "aud": #""sona-demo-2""#])
        #expect(await fixture.refusal(fixture.token(elsewhere)) == .tokenInvalid)
        let unsigned = fixture.unsigned(fixture.claims(["exp": "0"]))
        let forged = unsigned + "." + Base64.encode(FirebaseSigner.second.sign(unsigned))
        #expect(await fixture.refusal(forged) == .tokenInvalid)
    }

    @Test(arguments: ["iat", "auth_time", "nbf"])
    func `iat, auth_time and nbf may lie a minute ahead`(claim: String) async throws {
        let fixture = try #require(FirebaseFixture())
        for ahead in [0, 1, 60] as [Int64] {
            let token = fixture.token(fixture.claims([claim: "\(fixture.now + ahead)"]))
            #expect(await fixture.refusal(token) == nil)
        }
        for time in [fixture.now + 61, Limits.integerMax] {
            let token = fixture.token(fixture.claims([claim: "\(time)"]))
            #expect(await fixture.refusal(token) == .tokenInvalid)
        }
    }

    // MARK: Forms

    @Test func `a token with any changed bit is refused`() async throws {
        let fixture = try #require(FirebaseFixture())
        let token = Array(fixture.token().utf8)
        #expect(await fixture.refusal(String(decoding: token, as: UTF8.self)) == nil)
        for bit in 0..<token.count * 8 {
            var changed = token
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let refusal = await fixture.refusal(String(decoding: changed, as: UTF8.self))
            #expect(refusal == .tokenInvalid, "bit \(bit)")
        }
        for count in 0..<token.count {
            let start = String(decoding: token.prefix(count), as: UTF8.self)
            #expect(await fixture.refusal(start) == .tokenInvalid, "\(count) bytes")
        }
    }

    @Test func `a token must have three parts in canonical base64url`() async throws {
        let fixture = try #require(FirebaseFixture())
        let token = fixture.token()
        let parts = token.split(separator: ".").map(String.init)
        let (header, claims, signature) = (parts[0], parts[1], parts[2])
        let other = fixture.token(fixture.claims(["sub": #""other""#])).split(separator: ".").map(String.init)
        let wrong = [
            "", ".", "..", "...", header, "\(header).\(claims)", "\(header).\(claims).", ".\(claims).\(signature)",
            "\(header)..\(signature)", "\(token).", ".\(token)", "\(token).\(signature)", "\(header).\(signature)",
            // A signature with other bytes.
            "\(header).\(claims).\(other[2])", "\(header).\(other[1]).\(signature)",
            // Padding, white space, and the other base64 alphabet.
            "\(token)=", "\(token)==", "\(header)=.\(claims).\(signature)", "\(header).\(claims)==.\(signature)",
            " \(token)", "\(token) ", "\(token)\n", "\(header).\(claims) .\(signature)", "\(token)\0",
            "Bearer \(token)", "\(header).\(claims).+\(signature.dropFirst())",
        ]
        for text in wrong { #expect(await fixture.refusal(text) == .tokenInvalid, "\(text)") }
    }

    /// The last character of a base64 text may hold unused bits. A lax decoder accepts them in any state.
    @Test func `a token with unused bits set is refused`() async throws {
        let fixture = try #require(FirebaseFixture())
        let token = fixture.token()
        // 256 bytes are 342 characters, of which the last has four unused bits.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(token.last.flatMap(alphabet.firstIndex(of:)))
        #expect(last % 16 == 0)
        for bits in 1..<16 {
            #expect(await fixture.refusal(token.dropLast() + String(alphabet[last + bits])) == .tokenInvalid)
        }
    }

    @Test func `a token has at most 8192 bytes`() async throws {
        let fixture = try #require(FirebaseFixture())
        func token(filling count: Int) -> String {
            fixture.token(fixture.claims(["custom": "\"" + String(repeating: "x", count: count) + "\""]))
        }
        var count = 5_000
        while token(filling: count + 1).utf8.count <= FirebaseTokens.bytesMax { count += 1 }
        #expect(await fixture.refusal(token(filling: count)) == nil)
        #expect(token(filling: count + 1).utf8.count > FirebaseTokens.bytesMax)
        #expect(await fixture.refusal(token(filling: count + 1)) == .tokenInvalid)
        #expect(await fixture.refusal(token(filling: 75_000)) == .tokenInvalid)
        #expect(await fixture.refusal(String(repeating: ".", count: 100_000)) == .tokenInvalid)
        #expect(await fixture.refusal(String(repeating: "A", count: 100_000)) == .tokenInvalid)
    }

    @Test func `a malformed token causes no fetch`() async throws {
        let fixture = try #require(FirebaseFixture())
        for text in ["", "a.b.c", "a.b.", fixture.unsigned(), fixture.token(header: "{}") + "="] {
            #expect(await fixture.refusal(text) == .tokenInvalid)
        }
        #expect(fixture.site.fetches == 0)
    }

    @Test func `a project ID is checked for its form`() {
        let keys = FirebaseKeys(file: "/nonexistent", clock: .system)
        for project in ["a", "sona-demo-1", "example.com:sona", String(repeating: "a", count: 100)] {
            #expect(FirebaseTokens(project: project, keys: keys, clock: .system) != nil)
        }
        for project in ["", "Sona", "sona demo", "sona/demo", "söna", "a\0", String(repeating: "a", count: 101)] {
            #expect(FirebaseTokens(project: project, keys: keys, clock: .system) == nil)
        }
    }
}
