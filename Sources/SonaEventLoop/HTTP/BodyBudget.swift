/// Bytes of the bodies that are on their way, in all and from each address: each is in memory until it is whole.
struct BodyBudget {
    private(set) var total = 0
    private var byGroup: [String: Int] = [:]

    func bytes(of group: String) -> Int { byGroup[group] ?? 0 }

    mutating func reserve(_ count: Int, for group: String) {
        total += count
        byGroup[group, default: 0] += count
    }

    mutating func release(_ count: Int, for group: String) {
        total -= count
        guard let held = byGroup[group] else { return }
        byGroup[group] = held > count ? held - count : nil
    }
}
