#include "receiver/receiver_options.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/control/reach.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/os/host.hpp"
#include "receiver/receiver_option_table.hpp"

namespace groma {

namespace {

/// Reads the values of options one by one and collects their errors.
class Values {
public:
    explicit Values(std::span<const std::string> arguments)
        : line_(receiver_option_table(), arguments), errors_(line_) {}

    [[nodiscard]] bool has(std::string_view option) const { return line_.has(option); }
    [[nodiscard]] std::uint64_t number(std::string_view option, std::uint64_t usual, std::uint64_t lowest,
                                       std::uint64_t highest) {
        return errors_.number(line_, option, lowest, highest).value_or(usual);
    }

    /// Calls `parse` with the value and adds its UsageError to the errors.
    template <typename Parse>
    void with(std::string_view option, Parse parse) {
        errors_.parsed(line_, option, [&parse](std::string_view text) {
            parse(std::string(text));
            return true;
        });
    }

    void only_with(std::string_view needed, std::initializer_list<std::string_view> options) {
        for (const std::string_view option : options) {
            if (has(option)) {
                errors_.add(std::string(option) + " requires " + std::string(needed));
            }
        }
    }

    void not_with(std::string_view other, std::initializer_list<std::string_view> options) {
        for (const std::string_view option : options) {
            if (has(option)) {
                errors_.add(std::string(option) + " cannot be given with " + std::string(other) +
                            ", which does not listen: leave one of them out");
            }
        }
    }

    /// Empty: none.
    void error(const std::string& text) {
        if (not text.empty()) {
            errors_.add(text);
        }
    }

    void read(ReceiverOptions& options) { read_receiver_options(line_, errors_, options); }
    void throw_errors() const { errors_.throw_if_any(); }

private:
    CommandLine line_;
    UsageErrors errors_;
};

std::vector<SocketAddress> addresses(Values& values, const Reach& reach, std::uint16_t port) {
    std::vector<SocketAddress> listen = usual_addresses(reach, port);
    values.with("--listen",
                [&](const std::string& text) { listen = {address_to_listen_on(text, reach, port, kReceiverCould)}; });
    return listen;
}

std::string parse_own_name(const std::string& text) {
    constexpr std::size_t kLongestName = 100;
    if (text.empty() or text.size() > kLongestName or plain_text(text) != text) {
        throw UsageError(plain_text(text, kLongestName).append(" is not a name: use 1 to 100 printable characters"));
    }
    return text;
}

void parse_dial(Values& values, ReceiverServerOptions& server) {
    constexpr Nanos kShortest = std::chrono::milliseconds(100);
    constexpr Nanos kLongest = std::chrono::hours(1);
    if (not values.has("--dial")) {
        values.only_with("--dial", {"--as", "--once", "--keepalive"});
        return;
    }
    values.not_with("--dial", {"--listen", "--open", "--open-to-anyone", "--port", "--port-file", "--keys"});
    DialOptions& dial = server.dial.emplace();
    server.listen.clear();
    dial.name = host_name();
    dial.once = values.has("--once");
    values.with("--dial", [&](const std::string& text) {
        const Target target = parse_target(text, kDialPort);
        dial.host = target.host;
        dial.port = target.control_port;
    });
    values.with("--as", [&](const std::string& text) { dial.name = parse_own_name(text); });
    values.with("--keepalive", [&](const std::string& text) {
        dial.keepalive_interval = parse_duration(text);
        if (dial.keepalive_interval < kShortest or dial.keepalive_interval > kLongest) {
            throw UsageError("'" + text + "' is not between 100ms and 1h");
        }
    });
}

void parse_live(Values& values, ReceiverServerOptions& server) {
    constexpr Nanos kShortest = std::chrono::milliseconds(100);
    constexpr Nanos kLongest = std::chrono::hours(24);
    if (not values.has("--live")) {
        return;
    }
    server.live = std::chrono::seconds(1);
    values.with("--live", [&](const std::string& text) {
        server.live = parse_duration(text);
        if (*server.live < kShortest or *server.live > kLongest) {
            throw UsageError("'" + text + "' is not between 100ms and 24h");
        }
    });
}

}  // namespace

ReceiverOptions parse_receiver_options(std::span<const std::string> arguments) {
    Values values(arguments);
    ReceiverOptions options;
    options.help = values.has("--help");
    options.version = values.has("--version");
    const auto port = static_cast<std::uint16_t>(values.number("--port", 9000, 0, 65535));
    options.server.reach = read_reach([&values](const char* option) { return values.has(option); });
    options.server.keys.ends_sessions = options.server.reach.end_with_key;
    values.error(reach_error(options.server.reach));
    options.server.listen = addresses(values, options.server.reach, port);
    options.server.threads = {.count = 0, .pin = {}, .realtime = Realtime::off};
    options.server.log_servers = usual_log_servers(values.has("--dial") or options.server.reach.beyond_this_host());
    values.read(options);
    options.server.web.or_tokens_in(options.server.keys.folder);
    values.error(
        web_error(options.server.web, {{"--metrics", options.server.metrics}, {"--web", options.server.page}}));
    parse_dial(values, options.server);
    parse_live(values, options.server);
    values.throw_errors();
    return options;
}

std::string dialling_line(const DialOptions& dial) {
    std::string text = "groma-recv " GROMA_VERSION ": dialling ";
    return text.append(to_string(Target{dial.host, dial.port, {}})).append(" as ").append(dial.name);
}

std::string listening_line(std::span<const SocketAddress> addresses) {
    std::string text = "groma-recv " GROMA_VERSION ": listening on ";
    for (const SocketAddress& address : addresses) {
        text += (&address == addresses.data() ? "" : ", ") + address.to_string();
    }
    const bool loopback = std::ranges::all_of(addresses, [](const auto& address) { return address.is_loopback(); });
    return text + (loopback ? " (loopback only; --open with --keys for every address)" : "");
}

}  // namespace groma
