import SonaWire
import Testing

/// Compares roles and requests to the table of Protocol/spec/permissions.md.
@Suite struct PermissionConformanceTests {
    private struct Row {
        var name: String
        /// Whether a guest, a user, a curator and an admin have it.
        var has: [Bool]
        /// The requests of the last column.
        var requests: [String]
    }

    private func rows() throws -> [Row] {
        let page = try VectorFile.read(VectorFile.root + "/spec/permissions.md")
        return String(decoding: page, as: UTF8.self).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
            guard line.hasPrefix("| `"), cells.count == 6 else { return nil }
            // What stands between backticks.
            let requests = cells[5].split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map(\.element)
            return Row(
                name: String(cells[0].dropFirst().dropLast()), has: cells[1...4].map { $0 == "yes" },
                requests: requests.map(String.init))
        }
    }

    @Test func `every role has the permissions of its column`() throws {
        let rows = try rows()
        #expect(rows.map(\.name) == Permission.allCases.map(\.rawValue))
        for row in rows {
            let permission = try #require(Permission(rawValue: row.name))
            let has = [
                Permission.ofGuests.contains(permission), AccountRole.user.permissions.contains(permission),
                AccountRole.curator.permissions.contains(permission),
                AccountRole.admin.permissions.contains(permission),
            ]
            #expect(has == row.has, "\(row.name)")
        }
    }

    @Test func `every request needs the permission whose row it stands in, or none`() throws {
        var needed: [String: String] = [:]
        for row in try rows() { for request in row.requests { needed[request] = row.name } }
        for request in Catalogue.requests {
            #expect(request.permission?.rawValue == needed.removeValue(forKey: request.type), "\(request.type)")
        }
        #expect(needed.isEmpty, "requests that are not in the catalogue")
    }
}
