// TagLib behind functions that Swift can call. It reads from a descriptor, never by a name.
#include "include/CTagLib.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include <taglib/aifffile.h>
#include <taglib/apefile.h>
#include <taglib/apetag.h>
#include <taglib/asffile.h>
#include <taglib/asftag.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpcfile.h>
#include <taglib/mpegfile.h>
#include <taglib/oggflacfile.h>
#include <taglib/opusfile.h>
#include <taglib/speexfile.h>
#include <taglib/synchronizedlyricsframe.h>
#include <taglib/tdebuglistener.h>
#include <taglib/tiostream.h>
#include <taglib/tpropertymap.h>
#include <taglib/trueaudiofile.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/wavpackfile.h>
#include <taglib/xiphcomment.h>

namespace {

/* A file that is read through its descriptor and cannot be written. */
class Descriptor final : public TagLib::IOStream {
public:
    explicit Descriptor(int file) : file(file)
    {
        struct stat status;
        if (fstat(file, &status) == 0) size = status.st_size;
    }

    TagLib::FileName name() const override { return ""; }
    TagLib::ByteVector readBlock(unsigned long length) override
    {
        if (place >= size || length == 0) return TagLib::ByteVector();
        if (length > static_cast<unsigned long>(size - place)) length = size - place;
        TagLib::ByteVector bytes(static_cast<unsigned>(length), 0);
        size_t filled = 0;
        while (filled < length) {
            ssize_t got = pread(file, bytes.data() + filled, length - filled, place + filled);
            if (got <= 0) break;
            filled += got;
        }
        bytes.resize(filled);
        place += filled;
        return bytes;
    }
    void writeBlock(const TagLib::ByteVector &) override {}
    void insert(const TagLib::ByteVector &, unsigned long, unsigned long) override {}
    void removeBlock(unsigned long, unsigned long) override {}
    bool readOnly() const override { return true; }
    bool isOpen() const override { return true; }
    void seek(long offset, Position p) override
    {
        long base = p == Beginning ? 0 : p == Current ? place : size;
        place = base + offset < 0 ? 0 : base + offset;
    }
    long tell() const override { return place; }
    long length() override { return size; }
    void truncate(long) override {}

private:
    int file;
    long place = 0, size = 0;
};

/* What TagLib complains of is foreign text: nobody reads it. */
class Silence final : public TagLib::DebugListener {
    void printMessage(const TagLib::String &) override {}
} silence;

std::unique_ptr<TagLib::File> open(Descriptor &stream, const char *kind)
{
    using namespace TagLib;
    setDebugListener(&silence);
    auto *factory = ID3v2::FrameFactory::instance();
    auto is = [kind](const char *name) { return std::strcmp(kind, name) == 0; };
    std::unique_ptr<File> file;
    if (is("mp3")) file.reset(new MPEG::File(&stream, factory));
    else if (is("flac")) file.reset(new FLAC::File(&stream, factory));
    else if (is("wav")) file.reset(new RIFF::WAV::File(&stream));
    else if (is("aiff")) file.reset(new RIFF::AIFF::File(&stream));
    else if (is("wavPack")) file.reset(new WavPack::File(&stream));
    else if (is("ape")) file.reset(new APE::File(&stream));
    else if (is("asf")) file.reset(new ASF::File(&stream));
    else if (is("mp4")) file.reset(new MP4::File(&stream));
    else if (is("tta")) file.reset(new TrueAudio::File(&stream, factory));
    else if (is("musepack")) file.reset(new MPC::File(&stream));
    else if (is("ogg")) {
        if (Ogg::Opus::File::isSupported(&stream)) file.reset(new Ogg::Opus::File(&stream));
        else if (Ogg::Vorbis::File::isSupported(&stream)) file.reset(new Ogg::Vorbis::File(&stream));
        else if (Ogg::FLAC::File::isSupported(&stream)) file.reset(new Ogg::FLAC::File(&stream));
        else if (Ogg::Speex::File::isSupported(&stream)) file.reset(new Ogg::Speex::File(&stream));
    }
    if (file && !file->isValid()) file.reset();
    return file;
}

/* The front cover of a list of pictures, or its first. */
template <typename List> TagLib::ByteVector chosen(const List &pictures)
{
    for (const auto *picture : pictures)
        if (picture->type() == TagLib::FLAC::Picture::FrontCover) return picture->data();
    return pictures.isEmpty() ? TagLib::ByteVector() : pictures.front()->data();
}

TagLib::ByteVector picture(TagLib::ID3v2::Tag *tag)
{
    using namespace TagLib;
    if (!tag) return ByteVector();
    ByteVector first;
    const auto &frames = tag->frameListMap()["APIC"];
    for (auto *frame : frames) {
        auto *attached = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame);
        if (!attached || attached->picture().isEmpty()) continue;
        if (attached->type() == ID3v2::AttachedPictureFrame::FrontCover) return attached->picture();
        if (first.isEmpty()) first = attached->picture();
    }
    return first;
}

TagLib::ByteVector picture(TagLib::APE::Tag *tag)
{
    using namespace TagLib;
    if (!tag) return ByteVector();
    const auto &items = tag->itemListMap();
    auto found = items.find("COVER ART (FRONT)");
    if (found == items.end()) return ByteVector();
    ByteVector data = found->second.binaryData();
    // The picture's name and a zero byte stand before it.
    int end = data.find(ByteVector(1, '\0'));
    return end < 0 ? data : data.mid(end + 1);
}

TagLib::ByteVector picture(TagLib::File *file)
{
    using namespace TagLib;
    if (auto *f = dynamic_cast<MPEG::File *>(file)) {
        auto found = picture(f->ID3v2Tag());
        return found.isEmpty() ? picture(f->APETag()) : found;
    }
    if (auto *f = dynamic_cast<FLAC::File *>(file)) {
        auto found = chosen(f->pictureList());
        return found.isEmpty() ? picture(f->ID3v2Tag()) : found;
    }
    if (auto *f = dynamic_cast<RIFF::WAV::File *>(file)) return picture(f->ID3v2Tag());
    if (auto *f = dynamic_cast<RIFF::AIFF::File *>(file)) return picture(f->tag());
    if (auto *f = dynamic_cast<TrueAudio::File *>(file)) return picture(f->ID3v2Tag());
    if (auto *f = dynamic_cast<WavPack::File *>(file)) return picture(f->APETag());
    if (auto *f = dynamic_cast<APE::File *>(file)) return picture(f->APETag());
    if (auto *f = dynamic_cast<MPC::File *>(file)) return picture(f->APETag());
    if (auto *f = dynamic_cast<MP4::File *>(file)) {
        if (!f->tag() || !f->tag()->contains("covr")) return ByteVector();
        const auto covers = f->tag()->item("covr").toCoverArtList();
        return covers.isEmpty() ? ByteVector() : covers.front().data();
    }
    if (auto *f = dynamic_cast<ASF::File *>(file)) {
        if (!f->tag() || !f->tag()->contains("WM/Picture")) return ByteVector();
        ByteVector first;
        for (const auto &attribute : f->tag()->attribute("WM/Picture")) {
            auto found = attribute.toPicture();
            if (!found.isValid()) continue;
            if (found.type() == ASF::Picture::FrontCover) return found.picture();
            if (first.isEmpty()) first = found.picture();
        }
        return first;
    }
    if (auto *tag = dynamic_cast<Ogg::XiphComment *>(file->tag())) return chosen(tag->pictureList());
    return ByteVector();
}

TagLib::ID3v2::Tag *id3v2(TagLib::File *file)
{
    using namespace TagLib;
    if (auto *f = dynamic_cast<MPEG::File *>(file)) return f->ID3v2Tag();
    if (auto *f = dynamic_cast<FLAC::File *>(file)) return f->ID3v2Tag();
    if (auto *f = dynamic_cast<RIFF::WAV::File *>(file)) return f->ID3v2Tag();
    if (auto *f = dynamic_cast<RIFF::AIFF::File *>(file)) return f->tag();
    if (auto *f = dynamic_cast<TrueAudio::File *>(file)) return f->ID3v2Tag();
    return nullptr;
}

/* The words with times of an ID3v2 tag (SYLT), as LRC; empty if there are none. Its pieces are syllables where line breaks tell the
   lines apart, and lines where there are no breaks. */
std::string synced_lyrics(TagLib::ID3v2::Tag *tag, size_t most)
{
    using namespace TagLib::ID3v2;
    if (!tag) return std::string();
    for (auto *each : tag->frameListMap()["SYLT"]) {
        auto *frame = dynamic_cast<SynchronizedLyricsFrame *>(each);
        if (!frame || frame->timestampFormat() != SynchronizedLyricsFrame::AbsoluteMilliseconds) continue;
        if (frame->type() != SynchronizedLyricsFrame::Lyrics && frame->type() != SynchronizedLyricsFrame::Other) continue;
        const auto pieces = frame->synchedText();
        bool has_breaks = false;
        for (const auto &piece : pieces) has_breaks = has_breaks || piece.text.find("\n") >= 0 || piece.text.find("\r") >= 0;
        std::string text;
        bool begins = true;
        for (const auto &piece : pieces) {
            std::string words = piece.text.to8Bit(true);
            if (!words.empty() && (words[0] == '\n' || words[0] == '\r')) begins = true;
            bool ends = !words.empty() && (words.back() == '\n' || words.back() == '\r');
            std::string shown;
            for (char c : words) if (c != '\n' && c != '\r') shown += c;
            if (begins || !has_breaks) {
                char time[40];
                unsigned ms = piece.time;
                std::snprintf(time, sizeof time, "%s[%02u:%02u.%03u]", text.empty() ? "" : "\n", ms / 60000, ms / 1000 % 60, ms % 1000);
                text += time;
            }
            text += shown;
            begins = ends;
            if (text.size() > most) break;
        }
        if (!text.empty() && text.size() <= most) return text;
    }
    return std::string();
}

}  // namespace

int sona_tags_read(int file, const char *kind, struct sona_tags_sound *sound, sona_tags_property property, void *context)
{
    *sound = sona_tags_sound{};
    try {
        Descriptor stream(file);
        auto opened = open(stream, kind);
        if (!opened) return -1;
        if (auto *properties = opened->audioProperties()) {
            sound->duration_ms = properties->lengthInMilliseconds();
            sound->bitrate_kbps = properties->bitrate();
            sound->sample_rate = properties->sampleRate();
            sound->channels = properties->channels();
        }
        sound->has_picture = !picture(opened.get()).isEmpty();
        for (const auto &entry : opened->properties())
            for (const auto &value : entry.second) property(context, entry.first.toCString(true), value.toCString(true));
        const auto synced = synced_lyrics(id3v2(opened.get()), 32768);
        if (!synced.empty()) property(context, "SYNCEDLYRICS", synced.c_str());
        return 0;
    } catch (...) {
        return -1;
    }
}

int sona_tags_picture(
    int file, const char *kind, void (*take)(void *context, const unsigned char *bytes, size_t count), void *context)
{
    try {
        Descriptor stream(file);
        auto opened = open(stream, kind);
        if (!opened) return -1;
        auto found = picture(opened.get());
        if (found.isEmpty()) return -1;
        take(context, reinterpret_cast<const unsigned char *>(found.data()), found.size());
        return 0;
    } catch (...) {
        return -1;
    }
}
