"""Sounds to tell rooms apart by, and what is found in what was heard."""
import base64, math, subprocess, wave

RATE = 48000


def tone(path, pitch, seconds=20.0, amplitude=0.25, noise=0.02, title="Tone", artist=None, seed=1):
    """An Opus file: a tone, with a little noise under it, by which two recordings can be laid over each other.

    Where it is there already it is taken as it is.
    """
    if path.exists():
        return path
    import numpy
    size = round(seconds * RATE)
    dice = numpy.random.Generator(numpy.random.PCG64(seed))
    sound = amplitude * numpy.sin(2 * numpy.pi * pitch * numpy.arange(size) / RATE) + dice.normal(0, noise, size)
    plain = write(path.with_suffix(".wav"), sound)
    tags = ["--title", title] + (["--artist", artist] if artist else [])
    subprocess.run(["opusenc", "--quiet", "--bitrate", "96", *tags, plain, path], check=True, stdin=subprocess.DEVNULL)
    plain.unlink()
    return path


def write(path, sound, rate=RATE, channels=1):
    """A WAV file of a sound, the same in each channel."""
    import numpy
    samples = numpy.repeat(numpy.rint(32767 * sound).astype("<i2"), channels)
    with wave.open(str(path), "wb") as file:
        file.setparams((channels, 2, rate, 0, "NONE", ""))
        file.writeframes(samples.tobytes())
    return path


def samples(text):
    """Floats, as the page hands them over: base64 of 32-bit little-endian floats."""
    import numpy
    return numpy.frombuffer(base64.b64decode(text), dtype="<f4").astype(float)


def level(sound):
    return math.sqrt(float((sound ** 2).mean()))


def pitch(sound):
    """The strongest frequency, Hz, by a parabola through the peak and its neighbours."""
    import numpy
    spectrum = numpy.log(numpy.abs(numpy.fft.rfft(sound * numpy.hanning(len(sound)))) + 1e-12)
    peak = int(spectrum[1:-1].argmax()) + 1
    low, middle, high = spectrum[peak - 1:peak + 2]
    return (peak + 0.5 * (low - high) / (low - 2 * middle + high)) * RATE / len(sound)


def pitch_of_pieces(sound):
    """The frequency of most of a tone, Hz, by the middle one of the distances of its rising zero crossings.

    Where pieces of it are missing each jump falses one distance, while it draws the peak of the whole spectrum aside.
    """
    import numpy
    rising = numpy.flatnonzero((sound[:-1] < 0) & (sound[1:] >= 0))
    if len(rising) < 3:
        return 0.0
    return RATE / float(numpy.median(numpy.diff(rising + sound[rising] / (sound[rising] - sound[rising + 1]))))


def share_at(sound, frequency, width=4.0):
    """How much of a sound's power lies about a frequency."""
    import numpy
    power = numpy.abs(numpy.fft.rfft(sound * numpy.hanning(len(sound)))) ** 2
    places = numpy.fft.rfftfreq(len(sound), 1 / RATE)
    return float(power[numpy.abs(places - frequency) <= width].sum() / power.sum())


def lag(one, other, lag_max):
    """By how many samples `other` comes later than `one`, with a fraction; and how alike they are then, up to 1.

    The tone alone would fit every period; what is taken out of both is its line in the spectrum, so that the noise decides.
    """
    import numpy
    size = 1 << (len(one) + len(other)).bit_length()

    def whitened(sound):
        spectrum = numpy.fft.rfft(sound - sound.mean(), size)
        return spectrum / (numpy.abs(spectrum) + 1e-9)

    def plain(sound):
        return numpy.fft.rfft(sound - sound.mean(), size)
    cross = numpy.fft.irfft(numpy.conj(whitened(one)) * whitened(other), size)
    lags = numpy.concatenate([cross[-lag_max:], cross[:lag_max + 1]])
    peak = int(lags.argmax())
    fraction = 0.0
    if 0 < peak < len(lags) - 1:
        low, middle, high = lags[peak - 1:peak + 2]
        if low - 2 * middle + high < 0:
            fraction = 0.5 * (low - high) / (low - 2 * middle + high)
    return peak - lag_max + fraction, float(lags[peak])
