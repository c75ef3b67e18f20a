#include "logserver/commands/tar_writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr std::size_t kBlock = 512;
constexpr mode_t kFileMode = 0644;
// Fields of a ustar header: offset and length.
struct Field {
    std::size_t at;
    std::size_t length;
};
constexpr Field kName{0, 100};
constexpr Field kMode{100, 8};
constexpr Field kUser{108, 8};
constexpr Field kGroup{116, 8};
constexpr Field kSize{124, 12};
constexpr Field kTime{136, 12};
constexpr Field kChecksum{148, 8};
constexpr Field kType{156, 1};
constexpr Field kMagic{257, 8};
constexpr std::uint64_t kMostOctal = 077777777777;

using Header = std::array<char, kBlock>;

void put(Header& header, Field field, std::string_view text) {
    std::copy_n(text.begin(), std::min(text.size(), field.length),
                header.begin() + static_cast<std::ptrdiff_t>(field.at));
}

std::string octal(std::uint64_t value, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i-- > 0; value >>= 3U) {
        text[i] = static_cast<char>('0' + (value & 7U));
    }
    return text;
}

/// "LENGTH KEY=VALUE\n", where LENGTH counts itself.
std::string pax_record(const std::string& key, const std::string& value) {
    const std::string rest = ' ' + key + '=' + value + '\n';
    std::size_t length = rest.size() + 1;
    while (std::to_string(length).size() + rest.size() != length) {
        length = std::to_string(length).size() + rest.size();
    }
    return std::to_string(length) + rest;
}

}  // namespace

TarWriter::TarWriter(const std::filesystem::path& file)
    : path_(file),
      fd_(checked("make " + file.string(), ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode),
                  "give the name of a file that is not there yet")) {}

void TarWriter::begin(const std::string& name, std::uint64_t bytes, std::int64_t seconds_since_epoch) {
    pad();
    std::string extended;
    if (name.size() > kName.length) {
        extended += pax_record("path", name);
    }
    if (bytes > kMostOctal) {
        extended += pax_record("size", std::to_string(bytes));
    }
    if (not extended.empty()) {
        header("pax", extended.size(), seconds_since_epoch, 'x');
        write(std::as_bytes(std::span(extended)));
        pad();
    }
    header(name, std::min(bytes, kMostOctal), seconds_since_epoch, '0');
}

void TarWriter::header(const std::string& name, std::uint64_t bytes, std::int64_t seconds, char type) {
    Header header{};
    put(header, kName, name);
    put(header, kMode, octal(kFileMode, kMode.length - 1));
    put(header, kUser, octal(0, kUser.length - 1));
    put(header, kGroup, octal(0, kGroup.length - 1));
    put(header, kSize, octal(bytes, kSize.length - 1));
    put(header, kTime, octal(static_cast<std::uint64_t>(std::max<std::int64_t>(seconds, 0)), kTime.length - 1));
    put(header, kType, std::string_view(&type, 1));
    put(header, kMagic,
        std::string_view("ustar\0"
                         "00",
                         kMagic.length));
    put(header, kChecksum, "        ");
    std::uint64_t sum = 0;
    for (const char each : header) {
        sum += static_cast<unsigned char>(each);
    }
    put(header, kChecksum, octal(sum, kChecksum.length - 2) + '\0');
    write(std::as_bytes(std::span(header)));
}

void TarWriter::append(std::span<const std::byte> bytes) {
    write(bytes);
}

void TarWriter::finish() {
    pad();
    constexpr Header kNothing{};
    write(std::as_bytes(std::span(kNothing)));
    write(std::as_bytes(std::span(kNothing)));
    checked("sync " + path_.string(), ::fsync(fd_.get()));
}

void TarWriter::write(std::span<const std::byte> bytes) {
    written_ += bytes.size();
    while (not bytes.empty()) {
        const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
        if (written < 0 and errno == EINTR) {
            continue;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(checked("write " + path_.string(), written)));
    }
}

void TarWriter::pad() {
    constexpr Header kNothing{};
    write(std::as_bytes(std::span(kNothing)).first((kBlock - written_ % kBlock) % kBlock));
}

}  // namespace groma
