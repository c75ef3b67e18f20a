#include "logserver/server_counters.hpp"

#include <string_view>

namespace groma {

namespace {

constexpr std::array<const char*, static_cast<std::size_t>(Counted::last_of_them)> kNames{
    "connections",
    "connections refused: too many",
    "connections refused: other version",
    "connections refused: no frames",
    "connections refused: frames out of place",
    "connections refused: silent",
    "connections refused: do not read",
    "connections refused: no key for it",
    "datagrams or messages of strangers",
    "logs opened",
    "logs completed",
    "logs given up",
    "logs refused",
    "logs taken over",
    "holds",
    "pieces",
    "bytes",
    "pieces repeated",
    "pieces held",
    "pieces of ended logs",
    "failures to make logs durable",
};

}  // namespace

CounterValues ServerCounters::values() const {
    CounterValues values;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        values[kNames[i]] = counts_[i];
    }
    return values;
}

std::string to_string(const CounterValues& values) {
    std::string text;
    for (const char* name : kNames) {
        const auto found = values.find(name);
        if (found != values.end() and found->second > 0) {
            text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + std::to_string(found->second);
        }
    }
    return text.empty() ? "nothing" : text;
}

CounterValues sum(CounterValues one, const CounterValues& other) {
    for (const auto& [name, value] : other) {
        one[name] += value;
    }
    return one;
}

}  // namespace groma
