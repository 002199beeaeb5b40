"""Where samples lie in time: Protocol/spec/hosting.md and audio.md."""
RATE = 48_000


def microseconds(samples):
    return samples * 1_000_000 // RATE


def play_at(stream, sample_pos):
    return stream["start_us"] + microseconds(sample_pos - stream["pre_skip"])


def unheard(stream, play_at_us, samples):
    """How many of a packet's first samples come before the stream's start."""
    return max(0, min(samples, (stream["start_us"] - play_at_us) * RATE // 1_000_000))


def bundle_times(play_at_us, samples):
    times, before = [], 0
    for count in samples:
        times.append(play_at_us + microseconds(before))
        before += count
    return times
