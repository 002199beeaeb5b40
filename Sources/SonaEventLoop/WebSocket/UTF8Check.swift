/// Whether bytes that come in pieces are UTF-8, told at the first byte that cannot be (RFC 3629 §4).
///
/// Our own and not libwebsockets' option: its way of closing with 1007 is lost when it runs on libuv (see
/// `WebSocketConnection`).
struct UTF8Check {
    /// Continuation bytes still owed, and the range the next one must lie in.
    private var owed = 0
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the text may end here.
    var isComplete: Bool { owed == 0 }

    /// Takes the next piece. False if no continuation could make it valid.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes {
            if owed > 0 {
                guard next.contains(byte) else { return false }
                owed -= 1
                next = 0x80...0xBF
                continue
            }
            switch byte {
            case 0x00...0x7F: continue
            case 0xC2...0xDF: owed = 1
            case 0xE0: (owed, next) = (2, 0xA0...0xBF)
            case 0xE1...0xEC, 0xEE, 0xEF: owed = 2
            case 0xED: (owed, next) = (2, 0x80...0x9F)  // No surrogates.
            case 0xF0: (owed, next) = (3, 0x90...0xBF)
            case 0xF1...0xF3: owed = 3
            case 0xF4: (owed, next) = (3, 0x80...0x8F)  // Up to U+10FFFF.
            default: return false
            }
        }
        return true
    }
}
