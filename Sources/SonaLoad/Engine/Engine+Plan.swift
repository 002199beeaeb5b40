internal import Glibc
internal import SonaWire

extension Engine {
    /// Performs the events of the plan that are due.
    func followPlan(_ now: UInt64) {
        // Events that are still to come are dropped when the measurement is over.
        while nextEvent < plan.events.count, !hostsAreDone {
            let event = plan.events[nextEvent]
            let due = began + event.at
            guard due <= now else { return agenda.add(.plan, at: due) }
            nextEvent += 1
            perform(event, due, now)
            // Thousands may be due at once; hosts must not wait for them.
            if nextEvent & 15 == 0 && agenda.next <= LoadClock.now { return agenda.add(.plan, at: due) }
        }
    }

    private func perform(_ event: LoadPlan.Event, _ due: UInt64, _ now: UInt64) {
        let slot = slot(ofListener: event.who)
        switch event.action {
        case .join:
            if clients[slot].phase == .unused { connect(slot, plannedAt: due) }
        case .leave: leave(slot, now)
        case .cut: cut(slot)
        case .chat:
            guard clients[slot].phase == .open else { return }
            counts.pointee.chatSent += 1
            let id = RequestNumber.make(.chat, microseconds: Int64((due - made) / 1000))
            let message = ChatSend(text: "sonaload \(counts.pointee.chatSent)")
            say(slot, WebSocketFrames.frame(WebSocketFrames.text, Request.encode(id: id, message)))
        case .react:
            guard clients[slot].phase == .open else { return }
            counts.pointee.reactionsSent += 1
            let id = RequestNumber.make(.reaction, microseconds: Int64((due - made) / 1000))
            say(slot, WebSocketFrames.frame(WebSocketFrames.text, Request.encode(id: id, ReactionSend(emoji: "👏"))))
        case .signUp: beginSignUp(event.who, due)
        }
    }
}
