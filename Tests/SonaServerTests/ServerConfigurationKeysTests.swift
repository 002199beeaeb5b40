import SonaBase
import SonaConfiguration
import SonaTestSupport
import Testing

@testable import SonaServer

struct ServerConfigurationKeysTests {
    /// A value of each key that is not its default, and that goes with all the others.
    private static let samples: [String: [String]] = [
        "data": ["/srv/sona"],
        "listen": ["0.0.0.0:443", "[::1]:0"],
        "loops": ["3"],
        "upload-max": ["64"],
        "upload-quota": ["0"],
        "upload-space": ["4096"],
        "tls-cert": ["/etc/cert.pem"],
        "tls-key": ["/etc/key.pem"],
        "hsts-days": ["365"],
        "metrics": ["127.0.0.1:9337"],
        "echo": ["yes"],
        "public-url": ["https://sona.example"],
        "allow-origin": ["https://friend.example", "http://localhost:8000"],
        "allow-host": ["music.example", "*"],
        "trusted-proxy": ["127.0.0.1", "10.0.0.0/8"],
        "exempt": ["192.168.1.2", "2001:db8::1"],
        "account-budgets": ["20"],
        "resume-seconds": ["0"],
        "music": ["Ada's=/srv/music", "more=/home/ada/a=b"],
        "rescan-every": ["60"],
        "guests-hear": ["nothing"],
        "rendition-space": ["64"],
        "autoplay-rest": ["0"],
        "icecast-listen": ["0.0.0.0:8338"], "snapcast-listen": ["0.0.0.0:1704"], "snapcast-room": ["@ada"],
        "radio-burst": ["0"], "radio-silence": ["60"], "radio-encodings": ["2"], "no-subsonic": ["yes"],
        "policy-url": ["https://sona.example/terms"],
        "feedback-url": ["https://sona.example/wishes"], "stars-url": ["https://sona.example/stars"],
        "name": ["Ada's server"],
        "logo": ["/etc/sona/logo.png"],
        "banner": ["Back at 18:00, with # and = and \"quotes\" inside"],
        "contact": ["mail ada@sona.example"],
        "terms-required": ["yes"],
        "registration": ["invite"],
        "absent-owner-days": ["180"], "replay-days": ["30"], "recording-space": ["0"],
        "data-saver-kbps": ["24"], "data-saver-rooms": ["0"],
        "guests": ["no"],
        "maintenance": ["yes"],
        "robots": ["allow"],
        "demo": ["yes"],
        "log-level": ["debug"],
        "log-format": ["text"],
        "smtp": ["smtp://mail.example:587"],
        "smtp-user": ["sona"],
        "smtp-password": ["a b=c#d"],
        "smtp-tls": ["never"],
        "sendmail": ["/usr/sbin/sendmail"],
        "mail-from": ["sona@sona.example"],
        "backup-to": ["rclone:far:sona"], "backup-every": ["6"], "backup-at": ["23:59"], "backup-keep": ["3 last"],
        "backup-passphrase-file": ["/etc/sona/passphrase"],
        "firebase-project": ["sona-test"],
        "firebase-keys": ["/etc/keys.json"],
        "private-services": ["yes"],
        "lastfm-key": ["0123"], "lastfm-secret": ["a b=c#d"], "lastfm-url": ["https://libre.example/2.0/"],
    ]
    private static let names = ServerConfiguration.keys.keys.map(\.name)

    @Test func `every key has a sample`() { #expect(Set(Self.names) == Set(Self.samples.keys)) }

    @Test func `keys are words of lower case with hyphens, each once`() {
        #expect(Set(Self.names).count == Self.names.count)
        #expect(Self.names.allSatisfy { $0.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil })
        #expect(ServerConfiguration.keys.keys.allSatisfy { $0.help.hasSuffix(".") })
    }

    @Test(arguments: names)
    func `a key is read from flag, environment and file alike, and changes its own value alone`(name: String) throws {
        let table = ServerConfiguration.keys
        let key = try #require(table.keys.first { $0.name == name })
        let values = try #require(Self.samples[name])
        #expect(Self.text(name, .standard) != values.joined(separator: " "))
        var (flag, variable, file) = (ConfigurationSources(), ConfigurationSources(), ConfigurationSources())
        let folder = TemporaryFolder()
        if key.traits.contains(.secret) {
            TemporaryFolder.write(Array(values[0].utf8), toFile: folder.file("secret"))
            flag.flags[name + "-file"] = [folder.file("secret")]
        } else {
            flag.flags[name] = values
        }
        variable.environment[key.variable("SONA_")] = values.joined(separator: " ")
        let lines = values.map { "\(name) = \($0)" }.joined(separator: "\n")
        file.file = ConfigurationFile(path: "sona.conf", text: lines)
        for sources in [flag, variable, file] {
            let resolved = table.resolve(sources, over: .standard)
            #expect(resolved.faults.isEmpty && resolved.origins.count == 1)
            for other in Self.names where other != name {
                #expect(Self.text(other, resolved.target) == Self.text(other, .standard))
            }
            #expect(Self.text(name, resolved.target) == values.joined(separator: " "))
        }
    }

    /// What a target says of a key, secrets included.
    private static func text(_ name: String, _ target: ServerConfiguration) -> String? {
        let table = ServerConfiguration.keys
        return table.keys.first { $0.name == name }.flatMap { table.standardText($0, target) }
    }

    @Test(
        arguments: [
            ("tls-cert = a", "TLS takes both tls-cert and tls-key; tls-key is missing."),
            ("tls-key = a", "TLS takes both tls-cert and tls-key; tls-cert is missing."),
            ("mail-from = a@b.example", "mail-from needs smtp or sendmail."),
            ("sendmail = /bin/true", "Mail needs a sender: mail-from."),
            ("smtp = smtp://a", "Mail needs a sender: mail-from."),
            (
                "smtp = smtp://a\nsendmail = /b\nmail-from = a@b.example",
                "Mail leaves by smtp or by sendmail, not by both."
            ),
            ("terms-required = yes", "terms-required needs policy-url, where the terms are."),
            ("firebase-keys = a", "firebase-keys needs firebase-project."),
            ("lastfm-key = a", "Last.fm takes both lastfm-key and lastfm-secret; lastfm-secret is missing."),
            ("lastfm-secret = a", "Last.fm takes both lastfm-key and lastfm-secret; lastfm-key is missing."),
        ])
    func `keys that do not go together are refused`(file: String, sentence: String) {
        var sources = ConfigurationSources()
        sources.file = ConfigurationFile(path: "sona.conf", text: file)
        let faults = ServerConfiguration.resolve(sources).faults
        #expect(faults.map(\.description) == [sentence])
        #expect(faults.allSatisfy { $0.origin != .standard })
    }

    @Test(
        arguments: [
            ("listen = 8337", "HOST:PORT"), ("listen = ::1:80", "brackets"), ("listen = a:70000", "HOST:PORT"),
            ("loops = 0", "a number from 1"), ("resume-seconds = 601", "0 to 600"),
            ("account-budgets = 0", "1 to 1000"),
            ("exempt = localhost", "numeric IP"), ("trusted-proxy = 10.0.0.0/33", "10.0.0.0/8"),
            ("allow-origin = friend.example", "https://example.org"), ("allow-host = a:80", "name of a host"),
            ("public-url = sona.example", "https://"), ("policy-url = https://", "https://"),
            ("name = \(String(repeating: "n", count: 65))", "1 to 64 bytes"),
            ("registration = maybe", "open, invite, approval or closed"),
            ("guests = some", "yes or no"), ("smtp = mail.example", "smtp://"),
            ("smtp-tls = yes", "required, offered or never"),
        ])
    func `a value of another form is refused with what would be right`(file: String, words: String) {
        var sources = ConfigurationSources()
        sources.file = ConfigurationFile(path: "sona.conf", text: file)
        let faults = ServerConfiguration.resolve(sources).faults
        #expect(faults.count == 1 && faults[0].description.contains(words), "\(faults)")
    }
}
