internal import SonaModel
internal import SonaWire

/// The text of a mail, in the language of the account.
struct AccountLetter: Sendable, Equatable {
    let subject: String
    let text: String

    /// - Parameter server: What the operator calls the server.
    init(_ mail: AccountMail, _ links: AccountLinks, server: String = ServerProfile.standardTitle) {
        let words = Words.of(mail.locale)
        let subject: String
        let name = mail.username?.rawValue
        let paragraphs: [String]
        switch mail.subject {
        case .recovery(let code):
            subject = words.recovery.subject
            paragraphs = [words.recovery.text, links.recovery(code) ?? words.code(code), words.recovery.note]
        case .confirmation(let code):
            subject = words.confirmation.subject
            paragraphs = [
                words.confirmation.text, links.confirmation(code) ?? words.code(code), words.confirmation.note,
            ]
        case .passwordChanged:
            subject = words.passwordChanged.subject
            paragraphs = [words.passwordChanged.text, words.passwordChanged.note]
        case .addressTaken:
            subject = words.addressTaken.subject
            paragraphs = [words.addressTaken.text, words.addressTaken.note]
        case .emailChanged:
            subject = words.emailChanged.subject
            paragraphs = [words.emailChanged.text, words.emailChanged.note]
        case .approved:
            subject = words.approved.subject
            paragraphs = [words.approved.text, links.signIn, words.approved.note].compactMap { $0 }
        case .rejected(let reason):
            subject = words.rejected.subject
            paragraphs = [words.rejected.text, reason, words.rejected.note].compactMap { $0 }
        case .notification(let about):
            let letter = NotificationLetter(about, mail.locale)
            subject = letter.subject
            paragraphs = [letter.text, about.text, links.home, letter.note].compactMap { $0 }
        }
        let named = paragraphs.map { $0.replacing("{server}", with: server) }
        self.subject = subject.replacing("{server}", with: server)
        text = ([words.greeting(name)] + named + [server]).joined(separator: "\n\n") + "\n"
    }
}

/// The texts of mails, in one language.
private struct Words {
    struct Letter {
        let subject: String
        let text: String
        let note: String
    }

    let greeting: (String?) -> String
    let code: (String) -> String
    let recovery: Letter
    let confirmation: Letter
    let passwordChanged: Letter
    let emailChanged: Letter
    let addressTaken: Letter
    let approved: Letter
    let rejected: Letter

    static func of(_ locale: LocaleCode) -> Words {
        switch locale {
        case .englishUS: english
        case .polish: polish
        case .spanish: spanish
        }
    }

    private static var english: Words {
        Words(
            greeting: { $0.map { "Hello \($0)," } ?? "Hello," },
            code: { "The code is: \($0)" },
            recovery: Letter(
                subject: "A new password for {server}",
                text: "Somebody, probably you, asked for a new password. Choose it here within an hour:",
                note: "If it was not you, there is nothing to do: the old password stays."),
            confirmation: Letter(
                subject: "Confirm your e-mail address for {server}",
                text: "Somebody gave this address for an account. If it is yours, confirm it here within a day:",
                note: "If it is not, there is nothing to do."),
            passwordChanged: Letter(
                subject: "Your password for {server} was changed",
                text: "The password of your account was changed just now, and every other sign-in has ended.",
                note: "If it was not you, ask for a new password at once and tell whoever runs the server."),
            emailChanged: Letter(
                subject: "Your e-mail address for {server} was changed",
                text: "Your account has another address from now on.",
                note: "If it was not you, tell whoever runs the server."),
            addressTaken: Letter(
                subject: "You have an account at {server}",
                text: "Somebody tried to make an account with this address. You already have one: sign in with it.",
                note:
                    "If you have forgotten the password, ask for a new one. If it was not you, there is nothing to do."),
            approved: Letter(
                subject: "Your account at {server} was approved",
                text: "An administrator has approved your account. You can sign in now.",
                note: "Welcome."),
            rejected: Letter(
                subject: "Your account at {server} was not approved",
                text: "An administrator has decided not to approve your account.",
                note: "The account and everything stored about it will be deleted in seven days.")
        )
    }

    private static var polish: Words {
        Words(
            greeting: { $0.map { "Cześć \($0)," } ?? "Cześć," },
            code: { "Kod: \($0)" },
            recovery: Letter(
                subject: "Nowe hasło do Sony",
                text: "Ktoś, zapewne Ty, poprosił o nowe hasło. Ustaw je tutaj w ciągu godziny:",
                note: "Jeśli to nie Ty, nic nie trzeba robić: stare hasło pozostaje."),
            confirmation: Letter(
                subject: "Potwierdź adres e-mail w Sonie",
                text:
                    "Ktoś podał ten adres przy zakładaniu konta. Jeśli to Twój adres, potwierdź go tutaj w ciągu dnia:",
                note: "Jeśli nie, nic nie trzeba robić."),
            passwordChanged: Letter(
                subject: "Hasło do Sony zostało zmienione",
                text: "Hasło do Twojego konta zostało właśnie zmienione, a wszystkie inne logowania zakończone.",
                note: "Jeśli to nie Ty, natychmiast poproś o nowe hasło i powiadom osobę prowadzącą serwer."),
            emailChanged: Letter(
                subject: "Adres e-mail w Sonie został zmieniony",
                text: "Twoje konto ma od teraz inny adres.",
                note: "Jeśli to nie Ty, powiadom osobę prowadzącą serwer."),
            addressTaken: Letter(
                subject: "Masz już konto w Sonie",
                text: "Ktoś próbował założyć konto na ten adres. Masz już konto: zaloguj się na nie.",
                note: "Jeśli nie pamiętasz hasła, poproś o nowe. Jeśli to nie Ty, nic nie trzeba robić."),
            approved: Letter(
                subject: "Twoje konto w Sonie zostało zatwierdzone",
                text: "Administrator zatwierdził Twoje konto. Możesz się teraz zalogować.",
                note: "Witaj."),
            rejected: Letter(
                subject: "Twoje konto w Sonie nie zostało zatwierdzone",
                text: "Administrator postanowił nie zatwierdzać Twojego konta.",
                note: "Konto i wszystkie zapisane o nim dane zostaną usunięte za siedem dni."))
    }

    private static var spanish: Words {
        Words(
            greeting: { $0.map { "Hola, \($0):" } ?? "Hola:" },
            code: { "El código es: \($0)" },
            recovery: Letter(
                subject: "Una contraseña nueva para {server}",
                text: "Alguien, seguramente tú, ha pedido una contraseña nueva. Elígela aquí antes de una hora:",
                note: "Si no has sido tú, no hay que hacer nada: la contraseña anterior sigue valiendo."),
            confirmation: Letter(
                subject: "Confirma tu dirección de correo en {server}",
                text: "Alguien ha dado esta dirección para una cuenta. Si es tuya, confírmala aquí antes de un día:",
                note: "Si no lo es, no hay que hacer nada."),
            passwordChanged: Letter(
                subject: "Tu contraseña de {server} ha cambiado",
                text: "La contraseña de tu cuenta acaba de cambiar y las demás sesiones se han cerrado.",
                note: "Si no has sido tú, pide enseguida una contraseña nueva y avisa a quien lleva el servidor."),
            emailChanged: Letter(
                subject: "Tu dirección de correo en {server} ha cambiado",
                text: "Tu cuenta tiene otra dirección desde ahora.",
                note: "Si no has sido tú, avisa a quien lleva el servidor."),
            addressTaken: Letter(
                subject: "Ya tienes una cuenta en {server}",
                text:
                    "Alguien ha intentado crear una cuenta con esta dirección. Ya tienes una: inicia sesión con ella.",
                note: "Si has olvidado la contraseña, pide una nueva. Si no has sido tú, no hay que hacer nada."),
            approved: Letter(
                subject: "Tu cuenta de {server} ha sido aprobada",
                text: "Un administrador ha aprobado tu cuenta. Ya puedes iniciar sesión.",
                note: "Te damos la bienvenida."),
            rejected: Letter(
                subject: "Tu cuenta de {server} no ha sido aprobada",
                text: "Un administrador ha decidido no aprobar tu cuenta.",
                note: "La cuenta y todo lo que se guarda de ella se borrarán dentro de siete días."))
    }
}
