#include "logserver/log_options.hpp"

#include <charconv>
#include <limits>
#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/http/metrics_server.hpp"
#include "common/http/web_options.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/net/socket/time_limits.hpp"
#include "logserver/log_option_table.hpp"

namespace groma {

namespace {

template <typename Number>
std::optional<Number> whole_number(std::string_view text, Number least, Number most) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} or end != text.data() + text.size() or value < least or value > most) {
        return std::nullopt;
    }
    return value;
}

std::optional<std::uint64_t> count_of_bytes(std::string_view text, std::uint64_t least) {
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t unit = text.empty() ? std::string_view::npos : kUnits.find(text.back());
    const unsigned shift = unit == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
    if (shift > 0) {
        text.remove_suffix(1);
    }
    const auto count = whole_number<std::uint64_t>(text, least, std::numeric_limits<std::int64_t>::max() >> shift);
    return count ? std::optional(*count << shift) : std::nullopt;
}

std::optional<std::uint64_t> byte_count(std::string_view text) {
    return count_of_bytes(text, 1);
}

std::optional<SyncPolicy> sync_policy(std::string_view text) {
    if (text == "block") {
        return SyncPolicy::block;
    }
    if (text == "interval") {
        return SyncPolicy::interval;
    }
    return text == "close" ? std::optional(SyncPolicy::close) : std::nullopt;
}

/// A duration as in the other programs, or days.
std::optional<Nanos> age(std::string_view text) {
    constexpr unsigned kMostDays = 36500;
    if (text.ends_with('d')) {
        const auto days = whole_number<unsigned>(text.substr(0, text.size() - 1), 0, kMostDays);
        return days ? std::optional<Nanos>(std::chrono::days(*days)) : std::nullopt;
    }
    try {
        return parse_duration(text);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

/// Reads values one by one and collects their errors.
class Values {
public:
    explicit Values(const CommandLine& line) : line_(line), errors_(line) {}

    template <typename Target, typename Parse>
    void take(std::string_view option, Target& target, const char* allowed, const Parse& parse) {
        const auto text = line_.value(option);
        if (not text) {
            return;
        }
        if (const auto value = parse(*text)) {
            target = *value;
        } else {
            error(std::string(option) + " '" + *text + "': give " + allowed);
        }
    }
    template <typename Parse>
    auto parsed(std::string_view option, const Parse& parse) {
        return errors_.parsed(line_, option, parse);
    }
    void error(std::string text) { errors_.add(std::move(text)); }

    void throw_errors() const { errors_.throw_if_any(); }

private:
    const CommandLine& line_;
    UsageErrors errors_;
};

void read_server(const CommandLine& line, LogServerSettings& server, Values& values) {
    constexpr const char* kBytes = "a number of bytes such as 500M or 16G";
    const auto some = [](std::string_view text) { return whole_number<std::size_t>(text, 1, 100'000); };
    server.listen.address = line.value("--listen");
    server.keys.folder = line.value("--keys").value_or("");
    server.listen.reach = read_reach([&line](const char* option) { return line.has(option); });
    server.keys.ends_sessions = server.listen.reach.end_with_key;
    if (std::string error = reach_error(server.listen.reach); not error.empty()) {
        values.error(std::move(error));
    }
    server.listen.udp = not line.has("--no-udp");
    values.take("--port", server.listen.port, "a port, 0 to 65535",
                [](std::string_view text) { return whole_number<std::uint16_t>(text, 0, 65535); });
    values.take("--max-sessions", server.max_sessions, "a number from 1 to 100000", some);
    values.take("--max-per-host", server.max_per_host, "a number from 1 to 100000", some);
    values.take("--max-logs", server.max_logs, "a number from 1 to 100000", some);
    values.take("--max-logs-per-host", server.max_logs_per_host, "a number from 1 to 100000", some);
    values.take("--max-bytes", server.max_log_bytes, kBytes, byte_count);
    values.take("--max-disk", server.max_disk, kBytes, byte_count);
    values.take("--max-rate", server.max_rate, kBytes, byte_count);
    values.take("--reserve", server.reserve, kBytes, [](std::string_view text) { return count_of_bytes(text, 0); });
    values.take("--sync", server.sync, "block, interval or close", sync_policy);
    values.take("--sync-interval", server.limits.durable_every, "a time such as 200ms or 1s",
                [](std::string_view text) {
                    const auto time = age(text);
                    return time and *time >= std::chrono::milliseconds(1) ? time : std::nullopt;
                });
    if (const auto timeout = values.parsed("--timeout", parse_timeout)) {
        server.times = TimeLimits::with_timeout(*timeout).log_server;
    }
    server.metrics = values.parsed("--metrics", parse_metrics_address).value_or(server.metrics);
    server.page = values.parsed("--web", parse_metrics_address).value_or(server.page);
    server.web = {.certificate = line.value("--web-cert").value_or(""),
                  .key = line.value("--web-key").value_or(""),
                  .tokens = line.value("--web-tokens").value_or("")};
    server.web.or_tokens_in(server.keys.folder);
    if (std::string error = web_error(server.web, {{"--metrics", server.metrics}, {"--web", server.page}});
        not error.empty()) {
        values.error(std::move(error));
    }
    if (const auto directory = line.value("--dir")) {
        server.directory = *directory;
    }
}

bool means_directory(const std::string& word) {
    std::error_code ignored;
    return word.find('/') != std::string::npos or word.starts_with('.') or
           std::filesystem::exists(std::filesystem::path(word) / "catalogue.sqlite", ignored);
}

LogCommand command_of(std::string_view name) {
    return name == "list"     ? LogCommand::list
           : name == "show"   ? LogCommand::show
           : name == "export" ? LogCommand::export_logs
           : name == "verify" ? LogCommand::verify
                              : LogCommand::prune;
}

void read_command(const CommandLine& line, LogOptions& options, Values& values) {
    if (line.command() == nullptr) {
        return;
    }
    options.command = command_of(line.command()->name);
    StoredLogsRequest& request = options.request;
    request.directory = options.server.directory;
    request.experiments = line.words();
    if (not request.experiments.empty() and
        (options.command == LogCommand::list or means_directory(request.experiments.front()))) {
        request.directory = request.experiments.front();
        request.experiments.erase(request.experiments.begin());
    }
    request.json = line.has("--json");
    request.dry_run = line.has("--dry-run");
    request.output = line.value("--output").value_or("");
    values.take("--older-than", request.older_than, "a time such as 12h or 30d", age);
    const bool needs_one = options.command == LogCommand::show or options.command == LogCommand::export_logs;
    if (needs_one and request.experiments.size() != 1) {
        values.error("name one experiment: groma-log " + std::string(line.command()->name) + ' ' +
                     std::string(line.command()->words));
    }
    if (options.command == LogCommand::export_logs and request.output.empty()) {
        values.error("say where to: --output FILE.tar, or --output DIR");
    }
    if (options.command == LogCommand::prune and request.experiments.empty() and not request.older_than) {
        values.error("say what to delete: experiments by name, or --older-than TIME");
    }
}

}  // namespace

LogOptions parse_log_options(std::span<const std::string> arguments) {
    const CommandLine line(log_option_table(), arguments);
    LogOptions options;
    if (line.has("--help") or line.has("--version")) {
        options.command = line.has("--help") ? LogCommand::help : LogCommand::version;
        return options;
    }
    Values values(line);
    read_server(line, options.server, values);
    if (const auto file = line.value("--port-file")) {
        options.port_file = *file;
    }
    options.audit = line.value("--audit");
    read_command(line, options, values);
    values.throw_errors();
    return options;
}

}  // namespace groma
