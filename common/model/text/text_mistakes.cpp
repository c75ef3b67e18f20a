#include "common/model/text/text_mistakes.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace groma {

void refuse_text(const std::string& file, std::vector<TextMistake> mistakes) {
    constexpr std::size_t kMaxMistakes = 100;
    std::ranges::stable_sort(mistakes, {}, [](const TextMistake& m) { return std::pair(m.line, m.column); });
    if (mistakes.size() > kMaxMistakes) {
        const std::size_t more = mistakes.size() - kMaxMistakes;
        mistakes.resize(kMaxMistakes);
        mistakes.push_back({0, 0, "and " + std::to_string(more) + " more mistakes"});
    }
    throw ParseError(file, std::move(mistakes));
}

}  // namespace groma
