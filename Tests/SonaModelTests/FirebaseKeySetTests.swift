import Testing

@testable import SonaModel

struct FirebaseKeySetTests {
    private static let signer = FirebaseSigner.first

    private static func names(_ document: String) throws(FirebaseKeyError) -> Set<String> {
        Set(try FirebaseKeySet(document: Array(document.utf8)).keys.keys)
    }

    private static func refusal(_ document: String) -> FirebaseKeyError? {
        do throws(FirebaseKeyError) {
            _ = try FirebaseKeySet(document: Array(document.utf8))
            return nil
        } catch {
            return error
        }
    }

    private static func escaped(_ pem: String) -> String { pem.replacing("\n", with: #"\n"#) }

    @Test func `both forms of documents are read`() throws {
        let (first, second) = (FirebaseSigner.first, FirebaseSigner.second)
        #expect(try Self.names(KeySite.set([first, second])) == [first.kid, second.kid])
        let (certificate, publicKey) = (Self.escaped(first.certificatePEM), Self.escaped(second.publicKeyPEM))
        let certificates = #"{"a":"\#(certificate)","b":"\#(publicKey)"}"#
        #expect(try Self.names(certificates) == ["a", "b"])
        // A certificate may have the name of the other form's member, `keys`.
        #expect(try Self.names(#"{"keys":"\#(certificate)"}"#) == ["keys"])
        #expect(try Self.names(#" {"keys":[],"more":7} "#).isEmpty)
        #expect(try Self.names("{}").isEmpty)
    }

    @Test(arguments: [
        #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"a"}"#,
        #"{"kty":"OKP","crv":"Ed25519","x":"AA","kid":"a"}"#,
        #"{"kty":"oct","k":"c2VjcmV0","kid":"a","alg":"HS256"}"#, #"{"kty":"rsa","kid":"a"}"#,
        #"{"kty":"RSA","use":"enc","kid":"a"}"#, #"{"kty":"RSA","alg":"RS512","kid":"a"}"#,
        #"{"kty":"RSA","alg":"PS256","kid":"a"}"#, #"{"kty":"RSA","alg":null,"kid":"a"}"#,
        #"{"kty":"RSA","key_ops":["encrypt"],"kid":"a"}"#, #"{"kty":"RSA","key_ops":[],"kid":"a"}"#,
        #"{"kty":"RSA"}"#, #"{"kty":"RSA","kid":7}"#, #"{"kty":"RSA","kid":""}"#, #"{"kty":"RSA","kid":"é"}"#,
    ])
    func `a key that can't check RS256 is skipped`(jwk: String) throws {
        #expect(try Self.names(#"{"keys":[\#(jwk),\#(Self.signer.jwk),\#(jwk)]}"#) == [Self.signer.kid])
        // Also with numbers of a valid key.
        let numbers = jwk.dropLast() + "," + Self.signer.numbers + "}"
        if !jwk.contains("x\"") && !jwk.contains("\"k\"") {
            #expect(try Self.names(#"{"keys":[\#(numbers),\#(Self.signer.jwk)]}"#) == [Self.signer.kid])
        }
    }

    @Test func `a certificate with a key of another algorithm is skipped`() throws {
        let other = Self.escaped(FirebaseSigner.ed25519PEM())
        #expect(try Self.names(#"{"a":"\#(other)","b":"\#(Self.escaped(Self.signer.certificatePEM))"}"#) == ["b"])
        #expect(try Self.names(#"{"é":"\#(Self.escaped(Self.signer.certificatePEM))"}"#).isEmpty)
    }

    @Test func `a broken key or member makes the whole document malformed`() {
        let (kid, numbers) = (Self.signer.kid, Self.signer.numbers)
        let weak = FirebaseSigner(kid: "weak", bits: 1024)
        let modulus = numbers.prefix { $0 != "," }
        let bad = [
            #"{"kty":"RSA","kid":"a"}"#, #"{"kty":"RSA","kid":"a",\#(modulus)}"#,
            #"{"kty":"RSA","kid":"a","e":"AQAB"}"#,
            #"{"kty":"RSA","kid":"a",\#(modulus),"e":65537}"#, #"{"kty":"RSA","kid":"a",\#(modulus),"e":"AQ"}"#,
            #"{"kty":"RSA","kid":"a","n":"","e":"AQAB"}"#, #"{"kty":"RSA","kid":"a",\#(numbers),"d":"AA"}"#,
            #"{"kty":"RSA","kid":"\#(kid)",\#(numbers)}"#, #"{"kty":"RSA","kid":"a","kid":"b",\#(numbers)}"#,
            weak.jwk, "{}", "[]", "null", "7", #""RSA""#, #"{"kty":7}"#, #"{"kid":"a",\#(numbers)}"#,
        ]
        for jwk in bad { #expect(Self.refusal(#"{"keys":[\#(Self.signer.jwk),\#(jwk)]}"#) == .malformed, "\(jwk)") }

        let certificate = Self.escaped(Self.signer.certificatePEM)
        let documents = [
            "", "null", "[]", "7", #""x""#, "{", "\0", "<html></html>", #"{"keys":{}}"#, #"{"keys":null}"#, #"{"a":7}"#,
            #"{"a":""}"#, #"{"a":"x"}"#, #"{"a":"\#(Self.escaped(weak.certificatePEM))"}"#,
            #"{"a":"\#(certificate)","a":"\#(certificate)"}"#, #"{"a":"\#(certificate)","b":7}"#,
            #"{"a":"\#(certificate)\#(certificate)"}"#, #"{"keys":[\#(Self.signer.jwk)]} {}"#,
            #"{"keys":[],"keys":[\#(Self.signer.jwk)]}"#, "\u{FEFF}" + KeySite.set([Self.signer]),
            String(repeating: "[", count: 200_000), #"{"keys":"# + String(repeating: "[", count: 200_000),
            String(repeating: #"{"keys":"#, count: 30_000),
        ]
        for document in documents { #expect(Self.refusal(document) == .malformed, "\(document.prefix(80))") }
    }

    @Test func `a document has at most 100 keys and 256 KiB`() throws {
        func set(_ count: Int) -> String {
            let jwks = (0..<count).map { #"{"kty":"RSA","kid":"k\#($0)",\#(Self.signer.numbers)}"# }
            return #"{"keys":[\#(jwks.joined(separator: ","))]}"#
        }
        #expect(try Self.names(set(100)).count == 100)
        #expect(Self.refusal(set(101)) == .tooLarge)
        // Skipped keys count as well.
        let others = String(repeating: #"{"kty":"EC"},"#, count: 100)
        #expect(Self.refusal(#"{"keys":[\#(others)\#(Self.signer.jwk)]}"#) == .tooLarge)
        let members = (0..<101).map { #""k\#($0)":"""# }.joined(separator: ",")
        #expect(Self.refusal("{\(members)}") == .tooLarge)

        let document = KeySite.set([Self.signer])
        let fits = document + String(repeating: " ", count: 256 * 1_024 - document.utf8.count)
        #expect(try Self.names(fits) == [Self.signer.kid])
        #expect(Self.refusal(fits + " ") == .tooLarge)
    }
}
