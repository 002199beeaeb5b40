internal import SonaCrypto
internal import SonaModel
internal import SonaWire

/// What a webhook is sent.
///
/// Source: Protocol/spec/webhooks.md, "What is sent".
struct WebhookBody {
    let telling: WebhookStore.Telling
    /// The beginning of links; `nil` if the operator has not said it.
    let publicAddress: String?

    private var matter: WebhookMatter { telling.matter }
    private var link: String? {
        guard let publicAddress, let room = matter.room else { return nil }
        return "\(publicAddress)/r/\(room)"
    }

    var bytes: [UInt8] {
        switch telling.form {
        case .json: json
        case .discord: discord
        }
    }

    /// The headers besides those of every request.
    func headers(_ body: [UInt8], now seconds: Int64) -> [String] {
        guard telling.form == .json, let secret = telling.secret else { return [] }
        return [
            "Sona-Event: \(telling.kind)", "Sona-Event-Id: \(telling.event)",
            "Sona-Signature: t=\(seconds),v1=\(Self.signature(body, secret: secret, seconds: seconds))",
        ]
    }

    /// HMAC-SHA-256 over `SECONDS.BODY`, in hex.
    static func signature(_ body: [UInt8], secret: [UInt8], seconds: Int64) -> String {
        Digest.hmacSHA256(key: secret, Array("\(seconds).".utf8) + body).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    private var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("id", telling.event)
            writer.member("event", telling.kind)
            writer.member("at_ms", telling.atMilliseconds)
            if let room = matter.room {
                writer.key("room")
                writer.object { writer in
                    writer.member("id", room)
                    writer.member("title", orNull: matter.title)
                    writer.member("host", orNull: matter.user)
                    writer.member("url", orNull: link)
                }
            }
            if let from = matter.fromMilliseconds {
                writer.key("audience")
                writer.object { writer in
                    writer.member("from_ms", from)
                    writer.member("until_ms", orNull: matter.untilMilliseconds)
                    writer.member("accounts", matter.accounts ?? 0)
                    writer.member("guests", matter.guests ?? 0)
                    writer.member("peak", matter.peak ?? 0)
                }
            }
            if let track = matter.track {
                writer.key("submission")
                writer.object { writer in
                    writer.member("track", track)
                    writer.member("title", orNull: matter.title)
                    writer.member("artist", orNull: matter.artist)
                    writer.member("user", orNull: matter.user)
                }
            }
        }
        return writer.bytes
    }

    private var discord: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("content", Self.cut(sentence, to: 1_900))
            // Titles are other people's words: nobody is called by them.
            writer.key("allowed_mentions")
            writer.object { writer in
                writer.key("parse")
                writer.beginArray()
                writer.endArray()
            }
        }
        return writer.bytes
    }

    private var sentence: String {
        let title = Self.plain(matter.title ?? ""), user = matter.user.map { "@" + Self.plain($0) }
        switch WebhookEvent(rawValue: telling.kind) {
        case .roomLive:
            return ["🔴 **\(title)**", user.map { "by \($0)" }, link].compactMap(\.self).joined(separator: " ")
        case .roomEnded: return "**\(title)** has ended. Listeners: \((matter.accounts ?? 0) + (matter.guests ?? 0))"
        case .submissionCreated:
            let artist = Self.plain(matter.artist ?? "")
            return "**\(title)**\(artist.isEmpty ? "" : " by \(artist)") waits for a decision."
        case .test: return "This is how Sona tells you what happens."
        case nil: return telling.kind
        }
    }

    /// Without what Discord would take for markup.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for character in text {
            if "\\*_~`|>#[]()<@:-".contains(character) { plain.append("\\") }
            plain.append(character.isNewline ? " " : character)
        }
        return plain
    }

    private static func cut(_ text: String, to count: Int) -> String { String(text.prefix(count)) }
}
