#include "common/log/log_name.hpp"

#include <algorithm>

#include "common/base/utf8.hpp"

namespace groma {

namespace {

constexpr std::size_t kRunIdDigits = 8;

bool is_control(char32_t code) {
    return code < 0x20 or (code >= 0x7f and code < 0xa0);
}

bool is_separator(unsigned char byte) {
    return byte == '/' or byte == '\\';
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
        const Utf8Character one = first_character(name.substr(at));
        if (one.bytes == 0) {
            return "is not UTF-8";
        }
        if (is_control(one.code)) {
            return "contains a control character";
        }
        at += one.bytes;
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
