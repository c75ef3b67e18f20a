#include "common/log/log_name.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::size_t kRunIdDigits = 8;

bool is_control(unsigned char byte) {
    return byte < 0x20 or byte == 0x7f;
}

bool is_separator(unsigned char byte) {
    return byte == '/' or byte == '\\';
}

/// Bytes of the UTF-8 sequence at the start of `text`; 0 when there is none, or when it is a C1 control character.
std::size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80                    ? 1
                               : lead >= 0xc2 and lead < 0xe0 ? 2
                               : lead >= 0xe0 and lead < 0xf0 ? 3
                               : lead >= 0xf0 and lead < 0xf5 ? 4
                                                              : 0;
    if (length == 0 or length > text.size()) {
        return 0;
    }
    const std::string_view tail = text.substr(1, length - 1);
    const bool continued =
        std::ranges::all_of(tail, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U; });
    const bool c1 = lead == 0xc2 and static_cast<unsigned char>(text[1]) < 0xa0;
    return continued and not c1 ? length : 0;
}

}  // namespace

std::string log_name_fault(std::string_view name) {
    if (name.empty()) {
        return "is empty";
    }
    if (name.size() > kMaxLogNameBytes) {
        return "is longer than " + std::to_string(kMaxLogNameBytes) + " bytes";
    }
    if (name.front() == '.') {
        return "begins with '.'";
    }
    for (std::size_t at = 0; at < name.size();) {
        const auto byte = static_cast<unsigned char>(name[at]);
        if (is_separator(byte)) {
            return std::string("contains '") + name[at] + "'; give a name, the log server decides where";
        }
        if (is_control(byte)) {
            return "contains a control character";
        }
        const std::size_t length = utf8_length(name.substr(at));
        if (length == 0) {
            return "is not UTF-8";
        }
        at += length;
    }
    return {};
}

std::string experiment_folder(std::string_view experiment, std::string_view run_id) {
    const std::string_view id = run_id.substr(0, kRunIdDigits);
    std::string name(experiment.substr(0, kMaxLogNameBytes - id.size() - 1));
    if (not log_name_fault(name).empty()) {
        std::ranges::replace_if(
            name,
            [](char byte) {
                const auto value = static_cast<unsigned char>(byte);
                return is_control(value) or is_separator(value) or value >= 0x80;
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
