// The JSON report as one text.
#pragma once

#include <string>

#include "decoder/files/json_report.hpp"

namespace groma {

inline std::string json_report(const Results& results) {
    std::string text;
    write_json_report(results, [&text](std::string_view piece) { text += piece; });
    return text;
}

}  // namespace groma
