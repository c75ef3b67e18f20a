#include "common/log/log_name.hpp"

#include <algorithm>

#include "common/base/plain_text.hpp"
#include "common/base/utf8.hpp"

namespace groma {

namespace {

constexpr std::size_t kRunIdDigits = 8;

constexpr std::string_view kSeparators = "/\\";

}  // namespace

std::string log_name_error(std::string_view name) {
    if (name.empty()) {
        return "is empty";
    }
    if (name.size() > kMaxLogNameBytes) {
        return "is longer than " + std::to_string(kMaxLogNameBytes) + " bytes";
    }
    if (name.front() == '.') {
        return "begins with '.'";
    }
    if (const std::size_t at = name.find_first_of(kSeparators); at != std::string_view::npos) {
        return std::string("contains '") + name[at] + "'; give a name, the log server decides where";
    }
    if (not is_utf8(name)) {
        return "is not UTF-8";
    }
    return shows_as_it_is(name) ? "" : "contains a control character";
}

std::string experiment_folder(std::string_view experiment, std::string_view run_id) {
    const std::string_view id = run_id.substr(0, kRunIdDigits);
    std::string name(experiment.substr(0, kMaxLogNameBytes - id.size() - 1));
    if (not log_name_error(name).empty()) {
        std::ranges::replace_if(
            name,
            [](char byte) {
                const auto value = static_cast<unsigned char>(byte);
                return value < 0x20 or value >= 0x7f or kSeparators.find(byte) != std::string_view::npos;
            },
            '-');
        if (name.empty() or name.front() == '.') {
            name.insert(0, "run");
            name.resize(std::min(name.size(), kMaxLogNameBytes - id.size() - 1));
        }
    }
    return name + '-' + std::string(id);
}

}  // namespace groma
