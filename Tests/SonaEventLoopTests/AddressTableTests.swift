import SonaEventLoop
import Testing

struct AddressTableTests {
    @Test(
        arguments: [
            ("10.1.2.3/8", "10.0.0.0/8"), ("203.0.113.7", "203.0.113.7"), ("203.0.113.7/32", "203.0.113.7"),
            ("203.0.113.255/25", "203.0.113.128/25"), ("0.0.0.0/0", "0.0.0.0/0"), ("2001:DB8:1::1/33", "2001:db8::/33"),
            ("2001:db8:0:0::1", "2001:db8::1"), ("::ffff:10.0.0.1/104", "::ffff:10.0.0.0/104"),
        ])
    func `a range has one form`(text: String, form: String) throws {
        let range = try #require(AddressRange(text))
        #expect(range.canonical == form)
        #expect(AddressRange(range.canonical)?.canonical == form)
    }

    @Test func `an address finds every range that it is in`() throws {
        var table = AddressTable<Int>()
        let ranges = ["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "203.0.113.0/25", "2001:db8::/32", "2001:db8::1"]
        for (number, text) in ranges.enumerated() { table[try #require(AddressRange(text))] = number }
        func found(_ address: String) -> [Int] { table.values(of: RemoteAddress(text: address)).sorted() }
        #expect(found("10.1.2.3") == [0, 1, 2] && found("10.1.2.4") == [0, 1] && found("10.2.0.0") == [0])
        #expect(found("203.0.113.127") == [3] && found("203.0.113.128") == [] && found("11.0.0.0") == [])
        #expect(found("2001:db8::1") == [4, 5] && found("2001:db9::") == [] && found("local") == [])
        table[try #require(AddressRange("10.9.9.9/8"))] = 7
        #expect(found("10.2.0.0") == [7])
        for text in ranges { table[try #require(AddressRange(text))] = nil }
        #expect(table.isEmpty && found("10.1.2.3") == [])
    }

    /// Way: against the comparison with each range, one after the other.
    @Test func `a table finds what each range by itself contains`() throws {
        var generator = SystemRandomNumberGenerator()
        var table = AddressTable<Int>()
        var ranges: [AddressRange] = []
        for _ in 0..<300 {
            let bytes = (0..<4).map { _ in UInt8.random(in: 0...3, using: &generator) }
            let text = bytes.map(String.init).joined(separator: ".") + "/\(Int.random(in: 0...32, using: &generator))"
            let range = try #require(AddressRange(text))
            if table[range] == nil {
                table[range] = ranges.count
                ranges.append(range)
            }
        }
        for _ in 0..<2_000 {
            let bytes = (0..<4).map { _ in UInt8.random(in: 0...4, using: &generator) }
            let address = RemoteAddress(text: bytes.map(String.init).joined(separator: "."))
            let expected = ranges.indices.filter { ranges[$0].contains(address) }
            #expect(table.values(of: address).sorted() == expected, "\(address) in \(ranges.map(\.canonical))")
        }
    }
}
