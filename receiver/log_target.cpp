#include "receiver/log_target.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/log_name.hpp"
#include "common/log/tee_sink.hpp"
#include "common/shipping/spool/spool_folders.hpp"
#include "receiver/log_shippers.hpp"

namespace groma {

namespace {

constexpr std::uint16_t kUsualControlPort = 9000;

std::string error(std::string_view name, const std::string& why) {
    return "the receiver's log cannot be called '" + plain_text(name, 100) + "': it " + why +
           " (give a name, the receiver's --log-dir decides where)";
}

/// Replaces all but letters, digits and a few signs by '-', for use in a file name.
std::string as_name(std::string text) {
    static constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    std::ranges::replace_if(
        text, [](char c) { return kAllowed.find(c) == std::string_view::npos; }, '-');
    return text.substr(0, kMaxLogNameBytes / 2);
}

}  // namespace

std::optional<std::string> log_file_name_error(std::string_view name) {
    if (name.empty()) {
        return error(name, "has no letters");
    }
    if (name.size() > kLongestLogFileName) {
        return error(name, "is longer than " + std::to_string(kLongestLogFileName) + " bytes");
    }
    if (name.find('/') != std::string_view::npos) {
        return error(name, "is a path");
    }
    if (name.front() == '.') {
        return error(name, "begins with '.'");
    }
    if (not shows_as_it_is(name)) {
        return error(name, "has control characters in it, or is not UTF-8");
    }
    return std::nullopt;
}

LogTarget log_target(const Start& start, const Hello& hello, const LogPlace& place, const SocketAddress& reached_at) {
    LogTarget target;
    target.key_logs = place.key_logs;
    if (not start.log_file.empty()) {
        if (const auto wrong = log_file_name_error(start.log_file)) {
            throw UsageError(*wrong);
        }
        target.file = std::filesystem::absolute(place.folder / start.log_file).lexically_normal();
        if (is_in_the_way_of_spools(target.file, place.spool)) {
            throw UsageError(error(start.log_file, "would stand where the receiver's spool belongs"));
        }
        target.replaces = place.replace_logs;
        target.discarded = start.discard_log;
        target.offered = start.fetch_log;
    }
    const auto transport = parse_log_transport(start.log_transport);
    if (not transport) {
        throw UsageError("the receiver knows no way to ship a log that is called '" +
                         plain_text(start.log_transport, 100) + "': tcp, udp or mpi");
    }
    target.transport = *transport;
    if (not start.log_server.empty() and *transport != LogTransport::mpi) {
        target.server = parse_log_server(start.log_server);
        place.servers.require(*target.server);
    }
    if (target.shipped()) {
        target.folder_on_server = experiment_folder(hello.experiment, hello.run_id);
        target.name_on_server = "receiver-" + as_name(place.host) + '-' + as_name(reached_at.host_to_string());
        if (reached_at.port() != kUsualControlPort) {
            target.name_on_server += '-' + std::to_string(reached_at.port());
        }
        if (not start.log_name.empty()) {
            target.name_on_server = as_name(start.log_name);
        }
    }
    return target;
}

OpenedLog open_log_target(const LogTarget& target, LogShippers& shippers) {
    OpenedLog opened;
    std::vector<std::unique_ptr<LogSink>> sinks;
    if (not target.file.empty()) {
        const EarlierLog earlier{.replaced = target.replaces, .advice = "or start groma-recv with --replace-logs"};
        sinks.push_back(target.discarded ? open_discarded_file_sink(target.file)
                                         : open_named_file_sink(target.file, earlier));
    }
    if (target.shipped()) {
        auto log = shippers.open_log(target);
        opened.shipped = log.get();
        sinks.push_back(std::move(log));
    }
    check(not sinks.empty(), "a log without a target is not opened");
    opened.sink = sinks.size() == 1 ? std::move(sinks.front()) : tee(std::move(sinks));
    if (target.key_logs) {
        opened.sink = target.key_logs->within_limits(std::move(opened.sink), target.file, target.key);
    }
    return opened;
}

}  // namespace groma
