"""Names for invented music: titles, people and genres in the scripts that libraries hold.

Everything comes from a `random.Random`, so that the same seed gives the same names.
"""

#: Words of one language each, for titles. A language is as likely as its weight says.
LANGUAGES = {
    "en": (30, " ", """night river silver morning hollow garden paper winter signal thunder window mirror candle harbour
        railway shadow velvet summer copper island lantern engine feather northern broken quiet electric distant burning
        golden blue little open slow last first again tomorrow nowhere always between without beneath"""),
    "pl": (14, " ", """łąka żółty śnieg źródło gęś dąb świt zmierzch jesień wiosna rzeka las kołysanka słońce księżyc
        chmura pociąg ulica dworzec okno cień światło ćma sól morze pieśń jaźń noc dzień miasto wiatr ogień cisza"""),
    "es": (12, " ", """corazón mañana niño camión canción luna lluvia sueño montaña río árbol pájaro último después
        también según cielo noche fuego viento sombra ciudad año jamás ¿dónde? ¡ahora! cigüeña pingüino"""),
    "de": (6, " ", """Straße Frühling Nächte Wälder Flügel Grüße Mond Sterne Regen Sehnsucht Bahnhof Übergang Äpfel"""),
    "fr": (6, " ", """été forêt cœur garçon château l'île où déjà fenêtre naïve rêve lumière pluie œuvre façade"""),
    "cs": (3, " ", """řeka kůň žluťoučký dům píseň měsíc štěstí ďábel ťuk ňadra louče větry zítra"""),
    "tr": (3, " ", """ışık gönül yağmur İstanbul deniz rüzgâr şarkı çiçek güneş ağaç sığınak"""),
    "vi": (3, " ", """đường trời nắng mưa biển tình yêu đêm sông những ngày xưa"""),
    "ru": (5, " ", """ночь река зима песня окно город свет ветер ёлка снег дорога тишина"""),
    "el": (2, " ", """θάλασσα νύχτα φως τραγούδι άνεμος ουρανός καρδιά ήλιος"""),
    "ja": (5, "", """夜 海 桜 月光 電車 雨 夏 の さくら ひかり カメラ メロディー 東京 風 空 ゆめ 物語 ガラス"""),
    "zh": (5, "", """月亮 故事 的 春天 河流 城市 夜 晚风 海 星 花 长江 回忆 秋 雪 山 我们 朋友"""),
    "ko": (3, " ", """바다 하늘 밤 노래 봄날 별 바람 거리 우리 시간 꿈 첫눈"""),
    "ar": (3, " ", """ليل قمر بحر أغنية مدينة شمس حبيبي طريق ريح صباح وردة"""),
    "he": (1, " ", """לילה ים שיר ירח רוח דרך שמש גשם"""),
}
LANGUAGES = {name: (weight, gap, words.split()) for name, (weight, gap, words) in LANGUAGES.items()}
NAMES, WEIGHTS = list(LANGUAGES), [weight for weight, _, _ in LANGUAGES.values()]
#: Single pictures, several code points joined to one, and one outside of the Basic Multilingual Plane with a modifier.
EMOJI = ["🌙", "🔥", "🎷", "❤️", "👩‍🚀", "🇵🇱", "👍🏽", "✨"]
#: Signs that paths, playlists and queries give a meaning to.
ENDS = [" / B", ": II", "?", " #2", " & Co.", ' "x"', " *", " 100%", " <3", " \\"]
GIVEN = """Zofia Łukasz Agnieszka Żaneta Ángel Íñigo Núria Søren Åsa Ødegård Chloé Zoë Noël Jürgen Grażyna Mirosław Ana Tom Nina
    Oskar Ada Ludwik Beyza Đorđe Štěpán Günther Eoin Siân Ewan Mei Haruki Yūko Omar Lejla""".split()
FAMILY = """Wójcik Źródlak Śliwiński Gęsior Muñoz Peñalba Ibáñez Lindqvist Hölderer Beaulieu Čapek Novák Ó Briain O'Dowd Vasquez
    Okafor Tanaka Kowal Grünfeld Sæther Dvořan Marsh Holloway Brandt Nowacka Rey Castaño Lefèvre""".split()
GENRES = ["Rock", "Jazz", "Pop", "Metal", "Classical", "Ambient", "Folk", "Blues", "Electronic", "Hip-Hop", "Soundtrack",
          "Muzyka świąteczna", "Canción de autor", "Drum & Bass", "演歌", "Bossa nova", "Lo-fi", "Post-Rock"]


def phrase(chance, least=1, most=4, language=None):
    """A few words of one language."""
    gap, words = LANGUAGES[language or chance.choices(NAMES, WEIGHTS)[0]][1:]
    text = gap.join(chance.choice(words) for _ in range(chance.randint(least, most)))
    return text[0].upper() + text[1:]


def title(chance, language=None):
    text = phrase(chance, language=language)
    shape = chance.random()
    if shape < 0.03:
        return f"{text} {chance.choice(EMOJI)}"
    if shape < 0.06:
        return f"{text} ({chance.choice(['live', 'demo', 'reprise', 'na żywo', 'en directo', 'remaster 2011'])})"
    if shape < 0.08:
        return text + chance.choice(ENDS)
    if shape < 0.085:
        return " ".join(phrase(chance, 4, 6) for _ in range(8))
    return text


def artist(chance):
    shape = chance.random()
    if shape < 0.4:
        return f"{chance.choice(GIVEN)} {chance.choice(FAMILY)}"
    if shape < 0.55:
        return f"The {phrase(chance, 1, 2, 'en')}s"
    return phrase(chance, 1, 3)
