import SonaText
import Testing

@Suite struct ReservedNamesTests {
    @Test(arguments: [
        "admin", "Root", "SUPPORT", "sona", "system", "moderator", "everyone", "here", "null", "api", "www", "demo",
        "Ａdmin", "adrnin", "аdmin", "adm1n", "vvvvvv", "sysadm\u{200B}in", "n0ne", "ад\u{43C}in",
        "admin.", "admin_", "ad.min", "a-d-m-i-n", "sona_support", "Sona.Admin-Team", "r.noderator", "well-known",
    ])
    func `names that speak for the server are reserved in any spelling`(name: String) {
        // The Cyrillic м does not look like m, so that name is free.
        #expect(ReservedNames.standard.contains(NameKey(name)) == (name != "ад\u{43C}in"))
    }

    @Test(arguments: [
        "alice", "admin2", "badminton", "sonata", "sona_fan", "Ali", "Mali", "Maria", "Marla", "rooster", "hosta",
        "everything", "the_admin", "nullius", "...", "",
    ])
    func `other names are free`(name: String) {
        #expect(!ReservedNames.standard.contains(NameKey(name)))
    }

    @Test func `each group is sorted, has a reason, and shares no name`() {
        var seen: Set<String> = []
        for group in ReservedNames.groups {
            #expect(!group.reason.isEmpty && group.reason.hasSuffix("."))
            #expect(group.names == group.names.sorted(), "\(group.reason)")
            for name in group.names {
                #expect(seen.insert(NameKey(name).text).inserted, "\(name) is there twice, or one like it.")
                #expect(3...24 ~= name.utf8.count && name.utf8.allSatisfy { $0 < 0x80 }, "\(name)")
            }
        }
        #expect(seen.count > 100)
    }

    @Test func `the server's own rules reserve nothing`() throws {
        var rules = UsernameRules.ascii
        rules.reserved = .none
        #expect(try rules.check("demo").display == "demo")
        rules.reserved = ReservedNames(["radio"])
        #expect(throws: UsernameError.reserved) { try rules.check("Rad10") }
    }
}
