import Testing

@testable import SonaTransfer

struct MailAddressTests {
    @Test(arguments: [
        "a@b", "root@localhost", "ann@example.org", "Ann.Lee+sona@mail.example.org",
        "o'hara_!#$%&*-/=?^`{|}~@x.example",
        "1@2.example", "x@xn--bcher-kva.example", "\(String(repeating: "l", count: 64))@example.org",
        "a@\(String(repeating: "d", count: 63)).example",
    ])
    func `a text that mail servers accept is an address`(text: String) throws {
        #expect(try MailAddress(text).text == text)
    }

    @Test(arguments: [
        "", "@", "ann", "@example.org", "ann@", "ann@@example.org", "a@b@example.org", "ann @example.org", " ann@b",
        "ann@b ", "<ann@b>", "\"ann\"@b", "ann@\"b\"", "ann@b,eve@c", "ann@b;eve@c", "(x)ann@b", "ann:@b", "ann\\@b",
        "[x]@b", "ann@[127.0.0.1]", ".ann@b", "ann.@b", "a..b@c", "ann@b..c", "ann@.b", "ann@b.", "ann@-b", "ann@b-",
        "ann@b_c", "änn@b", "ann@bücher.example", "ann@b\0", "ann\t@b", "ann@b\u{202E}",
        "\(String(repeating: "l", count: 65))@example.org", "a@\(String(repeating: "d", count: 64)).example",
    ])
    func `any other text is rejected, and the error does not repeat it`(text: String) {
        let error = #expect(throws: TransferError.self) { try MailAddress(text) }
        #expect(error?.code == .badInput)
        #expect(error?.description.contains("ann") == false)
    }

    @Test func `an address has 254 bytes at most`() throws {
        let domain = [63, 63, 63].map { String(repeating: "d", count: $0) }.joined(separator: ".")
        let longest = String(repeating: "l", count: 254 - 1 - domain.utf8.count) + "@" + domain
        #expect(try MailAddress(longest).text.utf8.count == 254)
        #expect(throws: TransferError.self) { try MailAddress("l" + longest) }
        #expect(throws: TransferError.self) { try MailAddress(longest + "d") }
    }
}
