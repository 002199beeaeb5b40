extension String {
    /// Its beginning, as many whole characters of Unicode as fit into so many bytes of UTF-8. O(bytes).
    public func cut(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        // No byte of a character is left alone: those that go on begin with the bits 10.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
