internal import SonaCrypto
internal import SonaWire

/// The keys of one document, by name.
///
/// Two forms are accepted: a JWK set (`{"keys": [{"kid": …, "n": …, "e": …}, …]}`) and Google's object of certificates
/// (`{"kid": "-----BEGIN CERTIFICATE-----…", …}`). Keys of other algorithms or for other uses than RS256 signatures are
/// skipped. A broken or weak RSA key, or one with its private half, makes the document malformed.
///
/// Source: RFC 7517 (JWK sets); RFC 7518, section 6.3.
struct FirebaseKeySet: Sendable {
    /// The most bytes of a document. Google's has 2–6 kB.
    static let bytesMax = 256 * 1024
    /// The most keys of a document, skipped ones included. Google's has two or three.
    static let keysMax = 100

    private(set) var keys: [String: RSAVerificationKey] = [:]

    /// Parses a document.
    ///
    /// - Throws: `tooLarge`, `malformed`.
    init(document: [UInt8]) throws(FirebaseKeyError) {
        guard document.count <= Self.bytesMax else { throw .tooLarge }
        guard let json = try? JSON.parse(document), let members = json.object else { throw .malformed }
        if let entries = json["keys"]?.array {
            guard entries.count <= Self.keysMax else { throw .tooLarge }
            for entry in entries { try add(jwk: entry) }
        } else {
            guard members.count <= Self.keysMax else { throw .tooLarge }
            for member in members { try add(pem: member.value, named: member.key) }
        }
    }

    /// Whether `text` may name a key: 1 to 128 visible ASCII characters. Google's are 40 hexadecimal digits.
    ///
    /// ASCII only, so that two names with different bytes never compare as equal texts.
    static func isKeyID(_ text: String) -> Bool {
        1...128 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }

    private mutating func add(jwk: JSON) throws(FirebaseKeyError) {
        guard let kind = jwk["kty"]?.string else { throw .malformed }
        guard kind == "RSA", jwk["use"] == nil || jwk["use"] == .string("sig"),
            jwk["alg"] == nil || jwk["alg"] == .string("RS256"),
            jwk["key_ops"] == nil || jwk["key_ops"]?.array?.contains(.string("verify")) == true,
            let kid = jwk["kid"]?.string, Self.isKeyID(kid)
        else { return }
        guard jwk["d"] == nil, let modulus = jwk["n"]?.string, let exponent = jwk["e"]?.string, keys[kid] == nil,
            let key = try? RSAVerificationKey(modulus: modulus, exponent: exponent)
        else { throw .malformed }
        keys[kid] = key
    }

    private mutating func add(pem: JSON, named kid: String) throws(FirebaseKeyError) {
        guard let pem = pem.string else { throw .malformed }
        do {
            let key = try RSAVerificationKey(pem: Array(pem.utf8))
            if Self.isKeyID(kid) { keys[kid] = key }
        } catch {
            guard error == .otherAlgorithm else { throw .malformed }
        }
    }
}
