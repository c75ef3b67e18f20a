#include "keys/key_options.hpp"

#include <algorithm>
#include <charconv>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "keys/key_option_table.hpp"

namespace groma {

namespace {

constexpr std::chrono::years kLongestLife(10);

std::chrono::sys_days day_of(WallTime now) {
    return std::chrono::floor<std::chrono::days>(
        std::chrono::sys_time<std::chrono::nanoseconds>(now.time_since_epoch()));
}

/// Of a year without a 29 February it is the day after.
std::chrono::sys_days latest_day(std::chrono::sys_days today) {
    return std::chrono::year_month_day(today) + kLongestLife;
}

std::optional<std::chrono::days> number_of_days(std::string_view text) {
    unsigned days = 0;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, days);
    constexpr unsigned kMostDays = 100'000;
    return error == std::errc{} and read + 1 == end and *read == 'd'
               ? std::optional(std::chrono::days(std::min(days, kMostDays)))
               : std::nullopt;
}

Day parse_last_day(std::string_view text, WallTime now) {
    const std::chrono::sys_days today = day_of(now);
    std::chrono::sys_days day;
    if (const auto days = number_of_days(text)) {
        day = today + *days;
    } else {
        try {
            day = parse_day(text).date;
        } catch (const UsageError&) {
            throw UsageError("'" + plain_text(text, kLongestKeyName) +
                             "' is neither a day nor a number of days: write 2027-11-25, or 90d");
        }
    }
    if (day < today) {
        throw UsageError("the day " + std::string(text) + " is over: give today (" + to_string(Day{today}) +
                         ") or a later one");
    }
    if (day > latest_day(today)) {
        throw UsageError("'" + std::string(text) + "' is more than 10 years from now: give at most " +
                         to_string(Day{latest_day(today)}));
    }
    return {day};
}

std::string parse_host(const std::string& text) {
    try {
        return host_label(text);
    } catch (const UsageError& error) {
        throw UsageError(std::string(error.what()) + ": write what users write after --to, without a port");
    }
}

void read_hosts(std::span<const std::string> words, KeyOptions& options, UsageErrors& errors) {
    for (const std::string& word : words) {
        try {
            std::string label = parse_host(word);
            if (std::ranges::find(options.hosts, label) == options.hosts.end()) {
                options.hosts.push_back(std::move(label));
            }
        } catch (const UsageError& error) {
            errors.add(error.what());
        }
    }
}

void read_words(const CommandLine& line, KeyOptions& options, UsageErrors& errors) {
    const std::vector<std::string>& words = line.words();
    if (words.size() < line.command()->least_words) {
        return;  // an error of the line
    }
    const bool is_token = line.command()->name == "token";
    if (is_token or line.command()->name == "new") {
        options.command = is_token ? KeyCommand::token : KeyCommand::new_key;
        try {
            options.name = parse_key_name(words.front());
        } catch (const UsageError& error) {
            errors.add(error.what());
        }
    } else if (line.command()->name == "host") {
        options.command = KeyCommand::host;
        options.files = {words.front()};
        read_hosts(std::span(words).subspan(1), options, errors);
    } else {
        options.command = KeyCommand::show;
        options.files.assign(words.begin(), words.end());
    }
}

}  // namespace

KeyOptions parse_key_options(std::span<const std::string> arguments, WallTime now) {
    const CommandLine line(key_option_table(), arguments);
    KeyOptions options;
    if (line.has("--help") or line.has("--version")) {
        options.command = line.has("--help") ? KeyCommand::help : KeyCommand::version;
        return options;
    }
    UsageErrors errors(line);
    if (line.command() != nullptr) {
        read_words(line, options, errors);
    } else if (errors.none()) {
        errors.add(
            "say what to do: groma-key new NAME, groma-key host FILE HOST..., groma-key token NAME --keys DIR or "
            "groma-key show FILE...");
    }
    options.roles = errors.parsed(line, "--role", parse_roles);
    options.experiments = errors.parsed(line, "--experiments", parse_prefixes);
    options.limits = errors.parsed(line, "--limits", parse_limits);
    options.folder = line.value("--keys").value_or("");
    options.scopes = errors.parsed(line, "--for", parse_web_scopes).value_or(WebScopes());
    if (options.command == KeyCommand::token and options.folder.empty()) {
        errors.add("say where the host's file of the token goes: --keys DIR, the folder that its programs have");
    }
    options.last_day =
        errors.parsed(line, "--expires", [now](std::string_view text) { return parse_last_day(text, now); });
    errors.throw_if_any();
    return options;
}

}  // namespace groma
