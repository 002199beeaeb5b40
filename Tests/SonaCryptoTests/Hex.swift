/// The bytes that `text` writes out; spaces and line ends between them are for the reader.
func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.filter { $0 > 0x20 }
    return stride(from: 0, to: digits.count, by: 2).map { start in
        UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16) ?? 0
    }
}
