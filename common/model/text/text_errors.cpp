#include "common/model/text/text_errors.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace groma {

void refuse_text(const std::string& file, std::vector<TextError> errors) {
    constexpr std::size_t kMaxErrors = 100;
    std::ranges::stable_sort(errors, {}, [](const TextError& m) { return std::pair(m.line, m.column); });
    if (errors.size() > kMaxErrors) {
        const std::size_t more = errors.size() - kMaxErrors;
        errors.resize(kMaxErrors);
        errors.push_back({0, 0, "and " + std::to_string(more) + " more errors"});
    }
    throw ParseError(file, std::move(errors));
}

}  // namespace groma
