extension DemoAlbum {
    /// The albums of `--demo`: nine minutes of music.
    static let all = [
        DemoAlbum(
            title: "Tidal Rooms", artist: "Low Harbour", genre: "Ambient", cover: TidalCover(),
            tracks: [
                DemoTrack(
                    title: "Harbour Before Light", seconds: 54, fadeIn: 2.5, fadeOut: 6, score: AmbientScores.harbour),
                DemoTrack(title: "Slow Lantern", seconds: 43, fadeIn: 0.8, fadeOut: 5, score: AmbientScores.lantern),
                DemoTrack(
                    title: "Weather on the Glass", guests: ["Mira Valt"], seconds: 52, fadeIn: 1, fadeOut: 5,
                    score: AmbientScores.weather),
                DemoTrack(
                    title: "Leaving the Lamp On", seconds: 49, fadeIn: 0.1, fadeOut: 4.5, score: AmbientScores.lamp),
            ]),
        DemoAlbum(
            title: "Late Tram", artist: "Kilowatt Garden", genre: "House", cover: TramCover(),
            tracks: [
                DemoTrack(title: "Doors Closing", seconds: 50, fadeOut: 3, score: HouseScores.doors),
                DemoTrack(title: "Neon on Wet Rails", seconds: 52, fadeIn: 0.3, fadeOut: 3.5, score: HouseScores.neon),
                DemoTrack(
                    title: "Last Stop, Bright Kitchen", guests: ["Sol Marek"], seconds: 49, fadeOut: 3,
                    score: HouseScores.kitchen),
            ]),
        DemoAlbum(
            title: "Waltzes for a Small Room", artist: "The Paper Trio", genre: "Chamber Music", cover: WaltzCover(),
            tracks: [
                DemoTrack(title: "Clockmaker’s Waltz", seconds: 44, fadeOut: 2, score: WaltzScores.clockmaker),
                DemoTrack(title: "Tea for the Cat", seconds: 45.5, fadeOut: 1.2, score: WaltzScores.cat),
                DemoTrack(title: "Snow on the Piano Lid", seconds: 44, fadeOut: 3, score: WaltzScores.snow),
                DemoTrack(title: "The Long Way Home", seconds: 50.5, fadeOut: 2.5, score: WaltzScores.home),
            ]),
    ]
}
