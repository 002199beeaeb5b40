import Testing

@testable import SonaEventLoop

@Suite struct ByteRangeTests {
    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=0-", 0..<10), ("bytes=9-", 9..<10), ("bytes=2-5", 2..<6), ("bytes=5-99", 5..<10),
        ("bytes=-3", 7..<10), ("bytes=-99", 0..<10), ("BYTES=1-1", 1..<2),
    ])
    func `a range means these bytes of ten`(header: String, part: Range<Int64>) throws {
        #expect(try #require(ByteRange(header)).part(of: 10) == part)
    }

    @Test(arguments: ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=999999999999999999-"])
    func `a range of which the file has no byte can't be satisfied`(header: String) throws {
        #expect(try #require(ByteRange(header)).part(of: 10) == nil)
    }

    @Test(arguments: [
        "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4", "items=0-1", "0-1", "bytes=0x1-", "bytes=+1-",
        "bytes=1-2-3", "bytes= 1-2", "bytes=9999999999999999999-",
    ])
    func `what is no single range is ignored`(header: String) { #expect(ByteRange(header) == nil) }

    @Test func `an empty file has no bytes at all`() throws {
        #expect(try #require(ByteRange("bytes=0-")).part(of: 0) == nil)
        #expect(try #require(ByteRange("bytes=-1")).part(of: 0) == nil)
    }
}
