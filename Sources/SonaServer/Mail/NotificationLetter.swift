internal import SonaModel
internal import SonaWire

/// What a mail about a notification says, in the language of the account.
struct NotificationLetter: Sendable, Equatable {
    let subject: String
    let text: String
    let note: String

    init(_ about: AccountMail.About, _ locale: LocaleCode) {
        let title = about.title ?? ""
        let name = about.from.map { "@\($0.rawValue)" }
        switch locale {
        case .englishUS:
            let name = name ?? "Somebody"
            text =
                switch about.kind {
                case .submissionDecided where about.result == TrackStatus.approved.rawValue:
                    "Your track “\(title)” was approved: everybody finds it in the library now."
                case .submissionDecided: "Your track “\(title)” was not approved."
                case .hostLive: "\(name) is live: \(title)"
                case .roomOpens: "\(name) opens a room: \(title)"
                case .djAsked: "\(name) asks you to be the DJ: \(title)"
                case .djAnswered where about.result == SlotDJState.accepted.rawValue: "\(name) will be the DJ: \(title)"
                case .djAnswered: "\(name) will not be the DJ: \(title)"
                case .djSoon: "You are the DJ in ten minutes: \(title)"
                case .djNow: "You are the DJ now: \(title)"
                case .follower: "\(name) follows you now."
                case .shared: "\(name) shares something with you: \(title)"
                case .purchase: "You bought “\(title)”."
                case .importFinished: "An import has ended: \(title)"
                case .trackTakenDown: "Your track “\(title)” was taken down."
                case .scrobblingRefused: "\(title) no longer takes what you hear: connect it again."
                }
            note = "You get this mail because you asked for it. The settings of your account change that."
        case .polish:
            let name = name ?? "Ktoś"
            text =
                switch about.kind {
                case .submissionDecided where about.result == TrackStatus.approved.rawValue:
                    "Twój utwór „\(title)” został zatwierdzony: teraz każdy znajdzie go w bibliotece."
                case .submissionDecided: "Twój utwór „\(title)” nie został zatwierdzony."
                case .hostLive: "\(name) nadaje: \(title)"
                case .roomOpens: "\(name) otwiera pokój: \(title)"
                case .djAsked: "\(name) prosi, żebyś był(a) DJ-em: \(title)"
                case .djAnswered where about.result == SlotDJState.accepted.rawValue: "\(name) będzie DJ-em: \(title)"
                case .djAnswered: "\(name) nie będzie DJ-em: \(title)"
                case .djSoon: "Za dziesięć minut jesteś DJ-em: \(title)"
                case .djNow: "Teraz jesteś DJ-em: \(title)"
                case .follower: "\(name) obserwuje Cię od teraz."
                case .shared: "\(name) udostępnia Ci coś: \(title)"
                case .purchase: "Kupiono „\(title)”."
                case .importFinished: "Import zakończony: \(title)"
                case .trackTakenDown: "Twój utwór „\(title)” został usunięty przez administratora."
                case .scrobblingRefused: "\(title) nie przyjmuje już tego, czego słuchasz: połącz to konto ponownie."
                }
            note = "Dostajesz tę wiadomość, bo tak wybrano w ustawieniach konta. Tam też można to zmienić."
        case .spanish:
            let name = name ?? "Alguien"
            text =
                switch about.kind {
                case .submissionDecided where about.result == TrackStatus.approved.rawValue:
                    "Tu pista «\(title)» fue aprobada: ahora todos la encuentran en la biblioteca."
                case .submissionDecided: "Tu pista «\(title)» no fue aprobada."
                case .hostLive: "\(name) está en directo: \(title)"
                case .roomOpens: "\(name) abre una sala: \(title)"
                case .djAsked: "\(name) te pide que pinches: \(title)"
                case .djAnswered where about.result == SlotDJState.accepted.rawValue: "\(name) pinchará: \(title)"
                case .djAnswered: "\(name) no pinchará: \(title)"
                case .djSoon: "Pinchas dentro de diez minutos: \(title)"
                case .djNow: "Te toca pinchar: \(title)"
                case .follower: "\(name) te sigue desde ahora."
                case .shared: "\(name) comparte algo contigo: \(title)"
                case .purchase: "Has comprado «\(title)»."
                case .importFinished: "Una importación ha terminado: \(title)"
                case .trackTakenDown: "Un administrador ha retirado tu pista «\(title)»."
                case .scrobblingRefused: "\(title) ya no acepta lo que escuchas: conéctalo de nuevo."
                }
            note = "Recibes este correo porque lo pediste. Puedes cambiarlo en los ajustes de tu cuenta."
        }
        subject = "{server}: \(text)"
    }
}
