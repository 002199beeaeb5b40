/// The parts of `$scrypt$ln=15,r=8,p=3$salt$hash`, in that order and no other.
struct PHCString {
    let cost: PasswordHash.Cost
    let salt: [UInt8]
    let hash: [UInt8]

    init(cost: PasswordHash.Cost, salt: [UInt8], hash: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// - Returns: `nil` for another algorithm, missing or foreign fields, padding, or sizes out of bounds.
    init?(_ text: String) {
        guard text.utf8.count <= Self.bytesMax else { return nil }
        let fields = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard fields.count == 5, fields[0].isEmpty, fields[1].elementsEqual("scrypt".utf8) else { return nil }
        let parameters = fields[2].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parameters.count == 3,
            let logN = Self.number(parameters[0], named: "ln"),
            let r = Self.number(parameters[1], named: "r"),
            let p = Self.number(parameters[2], named: "p"),
            let cost = PasswordHash.Cost(logN: logN, r: r, p: p),
            let salt = Base64.decode(fields[3], .standard), 8...64 ~= salt.count,
            let hash = Base64.decode(fields[4], .standard), 16...64 ~= hash.count
        else { return nil }
        self.init(cost: cost, salt: salt, hash: hash)
    }

    var text: String {
        "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)$\(Base64.encode(salt, .standard))$\(Base64.encode(hash, .standard))"
    }

    /// More than the longest string within the bounds above.
    private static let bytesMax = 256

    /// One to four digits after `name=`, without a leading zero, a sign or anything else.
    private static func number(_ field: Substring.UTF8View, named name: String) -> Int? {
        let prefix = name + "="
        guard field.starts(with: prefix.utf8) else { return nil }
        let digits = field.dropFirst(prefix.utf8.count)
        guard 1...4 ~= digits.count, digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
}
