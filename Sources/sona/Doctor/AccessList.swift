import Glibc

/// Who may do what with a file beyond its mode.
///
/// Source: acl(5), xattr(7), and the kernel's posix_acl_xattr.h: a version (u32), then entries of a tag (u16), rights (u16)
/// and an identifier (u32), little-endian.
struct AccessList: Equatable {
    struct Entry: Equatable {
        var tag: Tag
        /// 4 reading, 2 writing, 1 entering.
        var rights: mode_t
        var id: UInt32
    }

    enum Tag: UInt16 {
        case owner = 0x01
        case user = 0x02
        case owningGroup = 0x04
        case group = 0x08
        case mask = 0x10
        case others = 0x20
    }

    let entries: [Entry]

    /// - Returns: nil for what is no list.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, (bytes.count - 4).isMultiple(of: 8), Self.number(bytes[0..<4]) == 2 else { return nil }
        var entries: [Entry] = []
        for start in stride(from: 4, to: bytes.count, by: 8) {
            guard let tag = Tag(rawValue: UInt16(Self.number(bytes[start..<start + 2]))) else { return nil }
            entries.append(
                Entry(
                    tag: tag, rights: mode_t(Self.number(bytes[start + 2..<start + 4])),
                    id: Self.number(bytes[start + 4..<start + 8])))
        }
        self.entries = entries
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The list of a file; nil if it has none, or the file system knows none.
    static func of(_ path: String) -> AccessList? {
        // Swift's module of the C library leaves sys/xattr.h out.
        typealias Call =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
        guard let symbol = dlsym(nil, "getxattr") else { return nil }
        let get = unsafeBitCast(symbol, to: Call.self)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { get(path, "system.posix_acl_access", $0, buffer.count) } ?? -1
        }
        return count > 0 ? AccessList(Array(bytes[..<count])) : nil
    }

    /// Whether it allows everything in `wanted`.
    func permits(_ wanted: mode_t, uid: uid_t, groups: Set<gid_t>, owner: uid_t, group: gid_t) -> Bool {
        func rights(_ tag: Tag) -> mode_t? { entries.first { $0.tag == tag }?.rights }
        if uid == owner { return (rights(.owner) ?? 0) & wanted == wanted }
        let mask = rights(.mask) ?? 7
        if let named = entries.first(where: { $0.tag == .user && $0.id == uid }) {
            return named.rights & mask & wanted == wanted
        }
        let own = entries.filter { entry in
            entry.tag == .owningGroup && groups.contains(group) || entry.tag == .group && groups.contains(entry.id)
        }
        if !own.isEmpty { return own.contains { $0.rights & mask & wanted == wanted } }
        return (rights(.others) ?? 0) & wanted == wanted
    }
}
