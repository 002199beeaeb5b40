package import SonaBase

/// A histogram of microseconds as JSON: `{"unit":"us","count":3,"min":812,"max":5001,"sum":6625,"buckets":[[812,2],[5000,1]]}`, each bucket with the
/// least time that falls into it and how many did. Whoever reads it need not know how buckets are laid out.
extension Histogram: Codable {
    private enum CodingKeys: String, CodingKey {
        case unit, count, min, max, sum, buckets
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func corrupted(_ key: CodingKeys, _ sentence: String) -> DecodingError {
            .dataCorruptedError(forKey: key, in: container, debugDescription: sentence)
        }
        guard try container.decode(String.self, forKey: .unit) == "us" else {
            throw corrupted(.unit, "A histogram counts microseconds: \"us\".")
        }
        self.init()
        var last: UInt64?
        for pair in try container.decode([[UInt64]].self, forKey: .buckets) {
            guard pair.count == 2, pair[0] <= Self.valueMax, pair[1] > 0,
                pair[1] < (1 << 53) - UInt64(count),
                Self.range(of: Self.index(of: pair[0])).lowerBound == pair[0], last.map({ $0 < pair[0] }) ?? true
            else { throw corrupted(.buckets, "\(pair) is no bucket, or not in its place.") }
            record(pair[0], times: Int(pair[1]))
            last = pair[0]
        }
        guard try container.decode(Int.self, forKey: .count) == count else {
            throw corrupted(.count, "The buckets hold \(count) values.")
        }
        guard count > 0 else { return }
        let least = try container.decode(UInt64.self, forKey: .min)
        let greatest = try container.decode(UInt64.self, forKey: .max)
        guard restore(least: least, greatest: greatest, sum: try container.decode(Double.self, forKey: .sum)) else {
            throw corrupted(.sum, "Least, greatest and sum do not fit the buckets.")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode("us", forKey: .unit)
        try container.encode(count, forKey: .count)
        try container.encodeIfPresent(min, forKey: .min)
        try container.encodeIfPresent(max, forKey: .max)
        if count > 0 { try container.encode(sum, forKey: .sum) }
        try container.encode(filled.map { [$0.range.lowerBound, $0.count] }, forKey: .buckets)
    }
}
