internal import COpenSSL

/// Bytes and texts nobody can guess, from OpenSSL's generator.
///
/// Any thread; the process must not go on as two (fork(2) without exec), which would draw the same. There is no error to
/// handle: OpenSSL seeds itself from the kernel, and a process that cannot get randomness must not go on handing out
/// identifiers, so it stops.
public enum SecureRandom {
    /// `count` unpredictable bytes; none if `count` is negative.
    public static func bytes(_ count: Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            fill(UnsafeMutableRawBufferPointer(buffer))
            filled = count
        }
    }

    /// `count` of the 62 ASCII letters and digits, each equally likely: 5.95 bits of entropy a character.
    ///
    /// Six bits at a time; the two values of 64 without a character are drawn again, since a remainder would make two
    /// characters likelier than the rest.
    public static func alphanumeric(_ count: Int) -> String {
        guard count > 0 else { return "" }
        return String(unsafeUninitializedCapacity: count) { text in
            var filled = 0
            withUnsafeTemporaryAllocation(byteCount: count + 8, alignment: 1) { drawn in
                while filled < count {
                    fill(drawn)
                    for byte in drawn where filled < count {
                        let index = Int(byte & 63)
                        guard index < alphabet.count else { continue }
                        text[filled] = alphabet[index]
                        filled += 1
                    }
                }
            }
            return filled
        }
    }

    /// The same source for whatever takes a generator, identifiers for instance.
    public struct Generator: RandomNumberGenerator, Sendable {
        // Most take a few numbers at once, and asking OpenSSL costs more than a microsecond each time.
        private var stock = SIMD4<UInt64>()
        private var left = 0

        /// A generator with an empty stock: the first number asks OpenSSL for four.
        public init() {}

        /// The next 64 random bits. Every fourth call asks OpenSSL; a number is wiped from the stock once it is given
        /// out.
        public mutating func next() -> UInt64 {
            if left == 0 {
                withUnsafeMutableBytes(of: &stock) { SecureRandom.fill($0) }
                left = stock.scalarCount
            }
            left -= 1
            defer { stock[left] = 0 }
            return stock[left]
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let chunk = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(1 << 20))
            let result = sona_random_bytes(chunk.baseAddress?.assumingMemoryBound(to: UInt8.self), chunk.count)
            precondition(result == 1, "The system gave no randomness, and going on without it would be unsafe.")
            rest = rest.dropFirst(chunk.count)
        }
    }
}
