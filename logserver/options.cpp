#include "logserver/options.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"

namespace groma {

namespace {

constexpr std::array kRows = {
    OptionRow{"--listen", ValueKind::required, "ADDR", "Where",
              "listen on this address; without --open it must be a loopback address"},
    OptionRow{"--open",
              ValueKind::none,
              {},
              "Where",
              "let other hosts write logs here (nobody is asked who they are); without --listen on every address"},
    OptionRow{"--port", ValueKind::required, "N", "Where", "TCP port (default 9001); 0: the kernel chooses one"},
    OptionRow{"--port-file", ValueKind::required, "FILE", "Where", "write the port there once the server listens"},
    OptionRow{"--dir", ValueKind::required, "DIR", "Logs", "keep logs and their catalogue here (default ./groma-logs)"},
    OptionRow{"--max-bytes", ValueKind::required, "N", "Limits",
              "longest log, such as 500M or 16G (default 16G; K, M, G and T are powers of 1024)"},
    OptionRow{"--max-sessions", ValueKind::required, "N", "Limits", "most writers at a time (default 256)"},
};

constexpr CommandTable kTable = {
    .program = "groma-log",
    .summary = "collects the logs of experiments from senders and receivers",
    .usage = "[OPTIONS]\nlist [DIR]",
    .rows = kRows,
    .words_name = "list [DIR]",
    .most_words = 2,
    .examples =
        "  groma-log                          serve this host only\n"
        "  groma-log --open --dir /srv/logs   serve every host that can reach this one\n"
        "  groma-log list /srv/logs           show what has been collected\n",
};

template <typename Number>
std::optional<Number> whole_number(std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} or end != text.data() + text.size() or value < least or value > most) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::uint64_t> byte_count(std::string_view text) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
    const unsigned shift = unit == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
    if (shift > 0) {
        text.remove_suffix(1);
    }
    const auto count = whole_number<std::uint64_t>(text, 1, std::numeric_limits<std::int64_t>::max() >> shift);
    return count ? std::optional(*count << shift) : std::nullopt;
}

/// Reads values one by one and keeps what is wrong with them.
class Values {
public:
    explicit Values(const CommandLine& line) : line_(line), mistakes_(line.mistakes()) {}

    template <typename Target, typename Parse>
    void take(std::string_view option, Target& target, const char* allowed, const Parse& parse) {
        const auto text = line_.value(option);
        if (not text) {
            return;
        }
        if (const auto value = parse(*text)) {
            target = static_cast<Target>(*value);
        } else {
            mistake(std::string(option) + " '" + *text + "': give " + allowed);
        }
    }
    void mistake(std::string text) { mistakes_.push_back(std::move(text)); }

    void throw_mistakes() const {
        std::string all;
        for (const std::string& one : mistakes_) {
            all += (all.empty() ? "" : "\n") + one;
        }
        if (not all.empty()) {
            throw UsageError(all);
        }
    }

private:
    const CommandLine& line_;
    std::vector<std::string> mistakes_;
};

void read_words(const CommandLine& line, LogOptions& options, Values& values) {
    const auto& words = line.words();
    if (words.empty()) {
        return;
    }
    if (words.front() != "list") {
        values.mistake("there is no command '" + words.front() + "': give no word to serve, or 'list'");
        return;
    }
    options.command = LogCommand::list;
    options.listed = words.size() > 1 ? std::filesystem::path(words[1]) : options.server.directory;
}

}  // namespace

std::string log_help() {
    return help_text(kTable);
}

LogOptions parse_log_options(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    LogOptions options;
    if (line.has("--help") or line.has("--version")) {
        options.command = line.has("--help") ? LogCommand::help : LogCommand::version;
        return options;
    }
    Values values(line);
    options.server.listen.address = line.value("--listen");
    options.server.listen.open = line.has("--open");
    values.take("--port", options.server.listen.port, "a port, 0 to 65535",
                [](std::string_view text) { return whole_number<unsigned>(text, 0, 65535); });
    values.take("--max-sessions", options.server.max_sessions, "a number from 1 to 100000",
                [](std::string_view text) { return whole_number<unsigned>(text, 1, 100'000); });
    values.take("--max-bytes", options.server.max_log_bytes, "a number of bytes such as 500M or 16G", byte_count);
    if (const auto directory = line.value("--dir")) {
        options.server.directory = *directory;
    }
    if (const auto file = line.value("--port-file")) {
        options.port_file = *file;
    }
    read_words(line, options, values);
    values.throw_mistakes();
    return options;
}

}  // namespace groma
