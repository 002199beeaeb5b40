"""Tokens: those of an issuer that the server believes, and forgeries."""
import base64, hashlib, hmac, json, subprocess, time

SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")  # RFC 8017, section 9.2: what stands before the digest


def b64(data):
    data = data if isinstance(data, bytes) else json.dumps(data, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def openssl(*arguments, data=b""):
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True, timeout=60).stdout


def integers(der):
    """The INTEGERs of an RSAPrivateKey (RFC 8017, appendix A.1.2)."""
    def element(at):
        size, at = der[at + 1], at + 2
        if size & 0x80:
            size, at = int.from_bytes(der[at:at + (size & 0x7F)]), at + (size & 0x7F)
        return at, size
    at, _ = element(0)
    found = []
    while at < len(der):
        at, size = element(at)
        found.append(int.from_bytes(der[at:at + size]))
        at += size
    return found


class RSAKey:
    """RS256 (RFC 7518, section 3.3), in Python's integers."""
    def __init__(self, name):
        self.name, self.pem = name, openssl("genrsa", "-traditional", "2048")
        _, self.n, self.e, _, self.p, self.q, self.dp, self.dq, self.inverse = integers(
            openssl("rsa", "-traditional", "-outform", "DER", data=self.pem))
        self.public_pem = openssl("rsa", "-pubout", data=self.pem)

    def sign(self, data):
        digest = SHA256 + hashlib.sha256(data).digest()
        padded = int.from_bytes(b"\x00\x01" + b"\xff" * (253 - len(digest)) + b"\x00" + digest)
        one, two = pow(padded, self.dp, self.p), pow(padded, self.dq, self.q)
        return (two + self.q * ((one - two) * self.inverse % self.p)).to_bytes(256)

    @property
    def jwk(self):
        number = lambda value: b64(value.to_bytes((value.bit_length() + 7) // 8))
        return {"kty": "RSA", "alg": "RS256", "use": "sig", "kid": self.name, "n": number(self.n), "e": number(self.e)}


class Issuer:
    """Firebase Authentication for the project `test-project`, as far as a server can tell."""
    project = "test-project"

    def __init__(self, path):
        self.key, self.stranger = RSAKey("first-key"), RSAKey("first-key")
        path.write_text(json.dumps({"keys": [self.key.jwk]}))
        self.arguments = ("--firebase-project", self.project, "--firebase-keys", str(path))

    def claims(self, subject, **more):
        now = int(time.time())
        claims = {"iss": f"https://securetoken.google.com/{self.project}", "aud": self.project, "sub": subject,
                  "user_id": subject, "iat": now, "auth_time": now, "exp": now + 3600,
                  "firebase": {"identities": {}, "sign_in_provider": "custom"}} | more
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, subject, header=None, key=None, **claims):
        """A good token of a user; what is given is put in, None takes away."""
        head = {"alg": "RS256", "kid": self.key.name, "typ": "JWT"} | (header or {})
        signed = f"{b64(head)}.{b64(self.claims(subject, **claims))}"
        return f"{signed}.{b64((key or self.key).sign(signed.encode()))}"

    def forgeries(self, subject):
        """(what is wrong, the token, the code it deserves)."""
        now, good, invalid = int(time.time()), self.token(subject), "auth.token_invalid"
        claims = good.split(".")[1]
        yield "another project's audience", self.token(subject, aud="other-project"), invalid
        yield "no audience", self.token(subject, aud=None), invalid
        yield "audiences in a list", self.token(subject, aud=[self.project]), invalid
        yield "another issuer", self.token(subject, iss="https://securetoken.google.com/other-project"), invalid
        yield "another scheme", self.token(subject, iss=f"http://securetoken.google.com/{self.project}"), invalid
        yield "expired", self.token(subject, iat=now - 7200, auth_time=now - 7200, exp=now - 3600), "auth.token_expired"
        yield "expired this second", self.token(subject, exp=now), "auth.token_expired"
        yield "issued in the future", self.token(subject, iat=now + 600), invalid
        yield "not before the future", self.token(subject, nbf=now + 600), invalid
        yield "no time of expiry", self.token(subject, exp=None), invalid
        yield "no subject", self.token(subject, sub=None), invalid
        yield "an empty subject", self.token(subject, sub=""), invalid
        yield "another key of the same name", self.token(subject, key=self.stranger), invalid
        yield "a name that no key has", self.token(subject, {"kid": "second-key"}), invalid
        yield "no name of a key", self.token(subject, {"kid": None}), invalid
        yield "a key that the token brings along", self.token(
            subject, {"kid": "own", "jwk": self.stranger.jwk}, key=self.stranger), invalid
        yield "a critical extension", self.token(subject, {"crit": ["x"], "x": 1}), invalid
        yield from stripped(good)
        yield from with_other_algorithms(claims, self.key.name, {
            "the RSA key as PEM": self.key.public_pem, "it without its last line end": self.key.public_pem.strip(),
            "the JWK": json.dumps(self.key.jwk).encode(), "the modulus": self.key.n.to_bytes(256), "nothing": b""})
        yield from with_flipped_bits(good)


def stripped(good):
    """A good token that lacks something."""
    head, claims, signature = good.split(".")
    for why, token in (("no signature", f"{head}.{claims}."), ("two parts", f"{head}.{claims}"),
                       ("four parts", f"{good}.{signature}"), ("claims alone", f".{claims}."), ("dots alone", ".."),
                       ("half a signature", f"{head}.{claims}.{signature[:len(signature) // 2]}"),
                       ("no claims", f"{head}..{signature}"), ("no header", f".{claims}.{signature}"),
                       ("a blank at the end", good + " "), ("padding", good + "=")):
        yield why, token, "auth.token_invalid"


def with_other_algorithms(claims, kid, secrets):
    """The claims in tokens that say they need no signature, or one with a secret that is everybody's."""
    for word in ("none", "None", "NONE", "nOnE", ""):
        yield f"alg {word!r}", f"{b64({'alg': word, 'typ': 'JWT', 'kid': kid})}.{claims}.", "auth.token_invalid"
    for bits in (256, 512):
        head = b64({"alg": f"HS{bits}", "typ": "JWT", "kid": kid})
        for what, secret in secrets.items():
            mac = hmac.digest(secret, f"{head}.{claims}".encode(), f"sha{bits}")
            yield f"HS{bits} with {what} as the secret", f"{head}.{claims}.{b64(mac)}", "auth.token_invalid"


def with_flipped_bits(good):
    """A good token with one bit of it turned over, here and there in each part, in what the base64 stands for."""
    parts = [unb64(part) for part in good.split(".")]
    for number, part in enumerate(parts):
        for bit in sorted({0, 7, 8, *(len(part) * 8 * k // 9 for k in range(1, 9)), len(part) * 8 - 1}):
            turned = bytearray(part)
            turned[bit // 8] ^= 0x80 >> bit % 8
            token = ".".join(b64(bytes(turned)) if k == number else b64(p) for k, p in enumerate(parts))
            yield f"bit {bit} of part {number + 1} turned over", token, "auth.token_invalid"
