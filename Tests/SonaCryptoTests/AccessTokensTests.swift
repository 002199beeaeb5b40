import Testing

@testable import SonaCrypto

struct AccessTokensTests {
    private let tokens = AccessTokens(key: SigningKey())
    private let claims = AccessTokens.Claims(
        subject: "aB3", issuedAt: 1_000, expiresAt: 1_900, tokenID: "t1", username: "ada", family: "f1")

    @Test func `claims come back as they were signed`() throws {
        #expect(try tokens.verify(tokens.sign(claims), now: 1_000) == claims)
        var guest = claims
        guest.isGuest = true
        guest.username = nil
        guest.family = nil
        #expect(try tokens.verify(tokens.sign(guest), now: 1_000) == guest)
        var admin = claims
        admin.role = "admin"
        admin.authenticatedAt = 900
        #expect(try tokens.verify(tokens.sign(admin), now: 1_000) == admin)
        var odd = claims
        odd.username = "\"\\\u{0}\u{1F}\u{7F}é🎵/"
        odd.issuedAt = -5
        odd.expiresAt = .max
        odd.role = "\",\"gst\":true,\""
        odd.authenticatedAt = .min
        #expect(try tokens.verify(tokens.sign(odd), now: 1_000) == odd)
    }

    @Test func `the header and the claims are those of a JSON Web Token`() throws {
        let parts = tokens.sign(claims).split(separator: ".")
        let header = try #require(Base64.decode(String(parts[0])))
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"EdDSA","typ":"JWT","kid":"\#(tokens.key.keyID)"}"#)
        let body = try #require(Base64.decode(String(parts[1])))
        #expect(
            String(decoding: body, as: UTF8.self)
                == #"{"sub":"aB3","iat":1000,"exp":1900,"jti":"t1","name":"ada","fam":"f1"}"#)
        var proved = claims
        proved.role = "moderator"
        proved.authenticatedAt = 990
        let more = try #require(Base64.decode(String(tokens.sign(proved).split(separator: ".")[1])))
        #expect(String(decoding: more, as: UTF8.self).hasSuffix(#","fam":"f1","role":"moderator","auth_time":990}"#))
    }

    @Test func `a token lives until its last second and is not taken long before its first`() throws {
        let token = tokens.sign(claims)
        #expect(throws: Never.self) { try tokens.verify(token, now: 1_899) }
        #expect(throws: TokenError.expired) { try tokens.verify(token, now: 1_900) }
        #expect(throws: TokenError.expired) { try tokens.verify(token, now: .max) }
        #expect(throws: Never.self) { try tokens.verify(token, now: 940) }
        #expect(throws: TokenError.notYetValid) { try tokens.verify(token, now: 939) }
        #expect(throws: TokenError.notYetValid) { try tokens.verify(token, now: .min) }
    }

    @Test func `algorithm none, another algorithm and headers pointing elsewhere are refused`() throws {
        let body = Base64.encode(#"{"sub":"aB3","iat":1000,"exp":1900,"jti":"t1"}"#.utf8)
        for header in [
            #"{"alg":"none"}"#, #"{"alg":"none","typ":"JWT"}"#, #"{"alg":"HS256","typ":"JWT"}"#,
            #"{"alg":"EdDSA","typ":"JWT"}"#, #"{"alg":"EdDSA","typ":"JWT","kid":"../../dev/null"}"#,
            #"{"alg":"EdDSA","jwk":\#(tokens.key.publicJWK)}"#, #"{"alg":"EdDSA","jku":"https://example.org/"}"#,
        ] {
            let signed = Base64.encode(header.utf8) + "." + body
            #expect(throws: TokenError.badSignature) { try tokens.verify(signed + ".", now: 1_000) }
            // Even rightly signed: what counts is our own header.
            let signature = Base64.encode(tokens.key.sign(Array(signed.utf8)))
            #expect(throws: TokenError.badSignature) { try tokens.verify(signed + "." + signature, now: 1_000) }
            // HS256 keyed with the public key, the classic.
            let keyed = Base64.encode(Digest.hmacSHA256(key: tokens.key.publicJWK.utf8, signed.utf8))
            #expect(throws: TokenError.badSignature) { try tokens.verify(signed + "." + keyed, now: 1_000) }
        }
    }

    @Test func `a token changed in any one character is refused`() {
        let token = Array(tokens.sign(claims).utf8)
        for index in token.indices {
            var changed = token
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TokenError.self) {
                try tokens.verify(String(decoding: changed, as: UTF8.self), now: 1_000)
            }
            #expect(throws: TokenError.self) {
                try tokens.verify(String(decoding: token[..<index], as: UTF8.self), now: 1_000)
            }
        }
    }

    @Test func `a guest's token is read back, and neither another server nor another key makes one`() throws {
        var guest = claims
        guest.isGuest = true
        let token = tokens.sign(guest)
        #expect(try tokens.verify(token, now: 1_000) == guest)
        #expect(throws: TokenError.badSignature) { try AccessTokens(key: SigningKey()).verify(token, now: 1_000) }
        let parts = token.split(separator: ".")
        // With the secrets somebody else might know: the public key in its forms, and none.
        for secret in [Array(tokens.key.publicJWK.utf8), Array(tokens.key.keyID.utf8), []] as [[UInt8]] {
            let signed = parts[0] + "." + parts[1]
            let forged = signed + "." + Base64.encode(Digest.hmacSHA256(key: secret, signed.utf8))
            #expect(throws: TokenError.badSignature) { try tokens.verify(String(forged), now: 1_000) }
        }
        let unsigned = String(parts[0] + "." + parts[1] + ".")
        #expect(throws: TokenError.badSignature) { try tokens.verify(unsigned, now: 1_000) }
    }

    @Test func `the guests' secret makes nobody but guests, and tokens of before are good`() throws {
        var guest = claims
        guest.isGuest = true
        let secret = Digest.hmacSHA256(key: "sona guest tokens".utf8, tokens.key.pem)
        let header = tokens.sign(guest).prefix { $0 != "." }
        let body = tokens.sign(claims).split(separator: ".")[1]
        let signed = header + "." + body
        let token = String(signed + "." + Base64.encode(Digest.hmacSHA256(key: secret, signed.utf8)))
        #expect(throws: TokenError.badSignature) { try tokens.verify(token, now: 1_000) }
        // A guest's token under the accounts' header, as they were made once.
        let former = tokens.sign(claims).prefix { $0 != "." } + "." + tokens.sign(guest).split(separator: ".")[1]
        let old = String(former + "." + Base64.encode(tokens.key.sign(Array(former.utf8))))
        #expect(try tokens.verify(old, now: 1_000) == guest)
    }

    @Test func `another server's token is refused`() {
        let other = AccessTokens(key: SigningKey())
        #expect(throws: TokenError.badSignature) { try tokens.verify(other.sign(claims), now: 1_000) }
    }

    @Test func `a text without the form of a token is malformed`() {
        for text in [
            "", ".", "..", "...", "a.b", "a.b.c.d", "{}", tokens.sign(claims) + ".", tokens.sign(claims) + "=",
        ] {
            #expect(throws: TokenError.self, "\(text)") { try tokens.verify(text, now: 1_000) }
        }
        #expect(throws: TokenError.malformed) { try tokens.verify("a.b", now: 1_000) }
        #expect(throws: TokenError.malformed) { try tokens.verify("a.b.c", now: 1_000) }
    }

    @Test func `4096 bytes are read and one more is not`() throws {
        var long = claims
        long.username = ""
        let fixed = tokens.sign(long).utf8.count
        long.username = String(repeating: "x", count: (AccessTokens.bytesMax - fixed) * 3 / 4)
        let fitting = tokens.sign(long)
        #expect(AccessTokens.bytesMax - 3...AccessTokens.bytesMax ~= fitting.utf8.count)
        #expect(try tokens.verify(fitting, now: 1_000) == long)
        long.username? += "xxx"
        #expect(throws: TokenError.malformed) { try tokens.verify(tokens.sign(long), now: 1_000) }
    }

    @Test func `signed claims of another shape are malformed`() {
        let header = tokens.sign(claims).prefix { $0 != "." }
        let good = #"{"sub":"a","iat":1,"exp":9,"jti":"t"}"#
        #expect(ClaimsJSON.decode(Array(good.utf8)) != nil)
        for body in [
            "", "{}", "null", "[]", good + " ", " " + good, good + good, #"{"sub":"a","iat":1,"exp":9}"#,
            #"{"sub":"a","sub":"b","iat":1,"exp":9,"jti":"t"}"#, #"{"sub":"a","iat":1,"exp":9,"jti":"t",}"#,
            #"{"sub":"a","iat":1.0,"exp":9,"jti":"t"}"#, #"{"sub":"a","iat":"1","exp":9,"jti":"t"}"#,
            #"{"sub":"a","iat":01,"exp":9,"jti":"t"}"#, #"{"sub":"a","iat":1,"exp":9e3,"jti":"t"}"#,
            #"{"sub":"a","iat":1,"exp":9223372036854775808,"jti":"t"}"#, #"{"sub":1,"iat":1,"exp":9,"jti":"t"}"#,
            #"{"sub":"a","iat":1,"exp":9,"jti":"t","role":1}"#, #"{"sub":"a","iat":1,"exp":9,"jti":"t","role":true}"#,
            #"{"sub":"a","iat":1,"exp":9,"jti":"t","role":"user","role":"admin"}"#,
            #"{"sub":"a","iat":1,"exp":9,"jti":"t","auth_time":"9"}"#,
            #"{"sub":"a","iat":1,"exp":9,"jti":"t","auth_time":null}"#,
            #"{"sub":"a","iat":1,"exp":9,"jti":"t","gst":1}"#, #"{"sub":"a","iat":1,"exp":9,"jti":"t","adm":true}"#,
            #"{"sub":"\u00+5","iat":1,"exp":9,"jti":"t"}"#, #"{"sub":"\ud800","iat":1,"exp":9,"jti":"t"}"#,
            "{\"sub\":\"a\nb\",\"iat\":1,\"exp\":9,\"jti\":\"t\"}", #"{"sub":"a"#, #"{"sub":"\"#, #"{"sub":"\u00"#,
        ] {
            let signed = header + "." + Base64.encode(body.utf8)
            let token = signed + "." + Base64.encode(tokens.key.sign(Array(signed.utf8)))
            #expect(throws: TokenError.malformed, "\(body)") { try tokens.verify(String(token), now: 5) }
        }
        // Bytes that are no UTF-8.
        #expect(
            ClaimsJSON.decode(Array("{\"sub\":\"".utf8) + [0xFF] + Array("\",\"iat\":1,\"exp\":9,\"jti\":\"t\"}".utf8))
                == nil)
    }
}
