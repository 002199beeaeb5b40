internal import COpenSSL

/// Owns the EVP_PKEY of a public key of any algorithm.
///
/// Safe to share: the key is never changed after it was made, and libcrypto guards what it caches inside it.
final class RSAPublicKey: @unchecked Sendable {
    let handle: OpaquePointer

    private init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { EVP_PKEY_free(handle) }

    /// - Parameters: Big-endian bytes.
    convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        defer { ERR_clear_error() }
        // The parameters keep pointers to their names, so these must outlive them.
        let handle = OSSL_PKEY_PARAM_RSA_N.withCString { nName in
            OSSL_PKEY_PARAM_RSA_E.withCString { eName in
                Self.make([(nName, modulus), (eName, exponent)])
            }
        }
        guard let handle else { return nil }
        self.init(handle)
    }

    /// An RSA key from its named numbers: the caller owns it.
    private static func make(_ members: [(name: UnsafePointer<CChar>, bytes: [UInt8])]) -> OpaquePointer? {
        guard let builder = OSSL_PARAM_BLD_new() else { return nil }
        defer { OSSL_PARAM_BLD_free(builder) }
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        // The builder keeps the numbers themselves until it is done.
        let numbers = members.map { BN_bin2bn($0.bytes, Int32(clamping: $0.bytes.count), nil) }
        defer { for number in numbers { BN_free(number) } }
        for (member, number) in zip(members, numbers) {
            guard let number, OSSL_PARAM_BLD_push_BN(builder, member.name, number) == 1 else { return nil }
        }
        guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        var handle: OpaquePointer?
        let selection = OSSL_KEYMGMT_SELECT_ALL_PARAMETERS | OSSL_KEYMGMT_SELECT_PUBLIC_KEY
        guard EVP_PKEY_fromdata_init(context) == 1,
            EVP_PKEY_fromdata(context, &handle, selection, parameters) == 1
        else { return nil }
        return handle
    }

    /// - Parameter pem: One block, a certificate or a public key; text around it says nothing.
    convenience init?(pem: [UInt8]) {
        defer { ERR_clear_error() }
        guard pem.count <= RSAVerificationKey.pemBytesMax else { return nil }
        // The BIO reads from these bytes as long as it is there.
        let handle = pem.withUnsafeBytes { Self.key(in: $0) }
        guard let handle else { return nil }
        self.init(handle)
    }

    /// The key of the one block of a PEM: the caller owns it.
    private static func key(in pem: UnsafeRawBufferPointer) -> OpaquePointer? {
        guard let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count)) else { return nil }
        defer { BIO_free(bio) }
        // Two blocks are refused: it would be unclear which of them is meant.
        guard let block = PEMBlock(readFrom: bio), PEMBlock(readFrom: bio) == nil else { return nil }
        return block.publicKey()
    }

    /// False for RSA-PSS, which has an identifier of its own.
    var isRSA: Bool { EVP_PKEY_get_base_id(handle) == EVP_PKEY_RSA }

    /// Size and parity of the modulus, and the exponent; `nil` if they cannot be read or are not positive.
    ///
    /// An exponent of more than 64 bits is given as `UInt64.max`, which is never accepted.
    var numbers: (modulusBits: Int, isModulusOdd: Bool, exponent: UInt64)? {
        var modulus: OpaquePointer?
        var exponent: OpaquePointer?
        defer {
            BN_free(modulus)
            BN_free(exponent)
        }
        guard EVP_PKEY_get_bn_param(handle, OSSL_PKEY_PARAM_RSA_N, &modulus) == 1,
            EVP_PKEY_get_bn_param(handle, OSSL_PKEY_PARAM_RSA_E, &exponent) == 1,
            BN_is_negative(modulus) == 0, BN_is_negative(exponent) == 0
        else {
            ERR_clear_error()
            return nil
        }
        return (Int(BN_num_bits(modulus)), BN_is_odd(modulus) == 1, UInt64(BN_get_word(exponent)))
    }
}

/// One block of PEM: the label in its first line, and the bytes inside.
private struct PEMBlock {
    private let label: String
    private let bytes: [UInt8]

    /// Reads the next block; `nil` if there is none or it is encrypted.
    init?(readFrom bio: OpaquePointer) {
        var label: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var data: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(bio, &label, &header, &data, &count) == 1, let label, let header, let data else {
            return nil
        }
        defer {
            CRYPTO_free(label, nil, 0)
            CRYPTO_free(header, nil, 0)
            CRYPTO_free(data, nil, 0)
        }
        // A header announces encryption, which nothing public has.
        guard header.pointee == 0 else { return nil }
        self.label = String(cString: label)
        bytes = Array(UnsafeBufferPointer(start: data, count: count))
    }

    /// The key inside: the caller owns it. `nil` if the label is another or bytes are left over.
    func publicKey() -> OpaquePointer? {
        bytes.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            let end = position.map { $0 + bytes.count }
            switch label {
            case "PUBLIC KEY":
                let key = d2i_PUBKEY(nil, &position, bytes.count)
                guard position == end else {
                    EVP_PKEY_free(key)
                    return nil
                }
                return key
            case "CERTIFICATE":
                let certificate = d2i_X509(nil, &position, bytes.count)
                defer { X509_free(certificate) }
                guard certificate != nil, position == end else { return nil }
                return X509_get_pubkey(certificate)
            default:
                return nil
            }
        }
    }
}
