"""What somebody who joins is sent: Protocol/spec/audio.md, "Joining"."""
DISCONTINUITY, PREROLL = 1, 2


def due(packet):
    return max(packet["start_us"], packet["play_at_us"])


def plan(ring, now):
    """The packets with the flags they are sent with, in order."""
    # Up to the live edge: whatever precedes a packet that would come too late would come too late as well.
    first = len(ring)
    while first > 0 and due(ring[first - 1]) >= now + 60_000:
        first -= 1
    begin = first
    if not (first < len(ring) and ring[first]["flags"] & DISCONTINUITY):
        while begin > 0 and first - begin < 8:
            begin -= 1
            if ring[begin]["flags"] & DISCONTINUITY:
                break
    sent = []
    for index in range(begin, len(ring)):
        flags = ring[index]["flags"]
        if index < first:
            flags |= PREROLL
        if index == begin:
            flags |= DISCONTINUITY
        sent.append({"seq": ring[index]["seq"], "epoch": ring[index]["epoch"], "flags": flags,
                     "play_at_us": ring[index]["play_at_us"], "samples": ring[index]["samples"]})
    return sent
