#include "joint/agent_process.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "common/access/drawn_key.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::size_t kMostSaid = 4096;
constexpr Nanos kUsualLogin = std::chrono::seconds(3);
constexpr std::uint64_t kHighestPort = 65535;
constexpr std::string_view kTakesRuns = "takes runs on ";

std::vector<std::string> whole(std::vector<std::string> command, const Target& where,
                               const std::vector<std::string>& options) {
    static_cast<void>(host_label(where.host));  // no option of ssh
    command.push_back(where.host);
    command.insert(command.end(),
                   {"groma-send", "--agent=" + std::to_string(where.control_port), "--open", "--keys", "-", "--quiet"});
    command.insert(command.end(), options.begin(), options.end());
    return command;
}

std::string one_line(std::string_view said) {
    std::string line;
    for (const char c : said) {
        if (c == '\n' and not line.empty()) {
            line += "; ";
        } else if (c != '\r' and c != '\n') {
            line += c;
        }
    }
    return line.ends_with("; ") ? line.substr(0, line.size() - 2) : line;
}

/// What to do when it has ended, having said this.
std::string advice_for(std::string_view said) {
    struct Known {
        std::string_view sign;
        std::string_view advice;
    };
    static constexpr std::array kKnown{
        Known{"Permission denied",
              "it must log in without a question: give it a key with ssh-copy-id, or load one "
              "with ssh-add"},
        Known{"Host key verification", "log in once by hand, so that ssh knows the host"},
        Known{"Could not resolve", "correct its 'address' in [hosts], or the names in ~/.ssh/config"},
        Known{"unknown option", "another release is there: install the same one on both hosts"},
        // Last: ssh also says this of files of its own.
        Known{"not found", "install Groma there, or have its programs on the PATH of a login without a terminal"},
        Known{"No such file", "install Groma there, or have its programs on the PATH of a login without a terminal"},
    };
    const auto* const known = std::ranges::find_if(
        kKnown, [said](const Known& one) { return said.find(one.sign) != std::string_view::npos; });
    return std::string(known == kKnown.end() ? "does it work by hand, with --version?" : known->advice);
}

std::string in_words(const std::vector<std::string>& command, const Target& where) {
    std::string words;
    for (const std::string& word : command) {
        words += word + ' ';
    }
    return words + where.host + " groma-send";
}

}  // namespace

std::uint16_t port_of_agent(std::string_view said) {
    const std::size_t begin = said.find(kTakesRuns);
    if (begin == std::string_view::npos) {
        return 0;
    }
    const std::string_view rest = said.substr(begin + kTakesRuns.size());
    const std::size_t end = rest.find_first_of(", \n");
    if (end == std::string_view::npos) {
        return 0;  // there is more of it to come
    }
    const std::string_view address = rest.substr(0, end);
    try {
        return static_cast<std::uint16_t>(parse_whole_number(address.substr(address.rfind(':') + 1), 1, kHighestPort));
    } catch (const UsageError&) {
        return 0;
    }
}

AgentProcess::AgentProcess(const std::vector<std::string>& command, const Target& where, const SharedKey& key,
                           const std::vector<std::string>& options)
    : started_by_(in_words(command, where)), child_(whole(command, where, options)) {
    child_.write(to_string(key) + '\n');
}

std::uint16_t AgentProcess::await_port(Clock& clock, Nanos patience, const Waiter& waiter) {
    const MonoTime begin = clock.now();
    const MonoTime end = begin + patience;
    bool told = false;
    std::string said;
    const auto in_words = [&said] {
        const std::string words = plain_text(one_line(said), kMostSaid);
        return words.empty() ? "it said nothing" : "it said: " + words;
    };
    while (clock.now() < end) {
        const std::optional<std::string> more = child_.read(kBetweenLooks);
        said = (said + more.value_or("")).substr(0, kMostSaid);
        if (const std::uint16_t port = port_of_agent(said); port != 0) {
            return port;
        }
        if (not more) {
            throw RunError("no agent could be started: '" + started_by_ + "' ended; " + in_words() + " (" +
                           advice_for(said) + ')');
        }
        if (waiter.gave_up()) {
            throw RunError("interrupted before anything was sent");
        }
        if (not told and clock.now() - begin > kUsualLogin) {
            told = true;
            waiter.still_waits();
        }
    }
    throw RunError("no agent was started by '" + started_by_ + "' in time; " + in_words());
}

}  // namespace groma
