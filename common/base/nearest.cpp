#include "common/base/nearest.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongest = 100;
constexpr std::size_t kShortestBeginning = 3;  ///< characters of a word that is a beginning
constexpr std::size_t kMostShown = 8;          ///< words in a message
using Row = std::array<std::size_t, kLongest + 1>;

bool same(char a, char b) {
    const auto lower = [](char c) { return c >= 'A' and c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(a) == lower(b);
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
    a = a.substr(0, kLongest);
    b = b.substr(0, kLongest);
    Row before_last{};
    Row last{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last = last;
        last = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0U : 1U)});
            if (i > 1 and j > 1 and same(a[i - 1], b[j - 2]) and same(a[i - 2], b[j - 1])) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> known) {
    std::optional<std::string_view> best;
    std::size_t allowed = std::max<std::size_t>(1, std::min(word.size(), kLongest) / 3);
    for (const std::string_view candidate : known) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < allowed or (distance == allowed and not best)) {
            best = candidate;
            allowed = distance;
        }
    }
    return best;
}

std::string one_of(std::span<const std::string_view> words) {
    std::vector<std::string> shown;
    for (const std::string_view word : words.first(std::min(words.size(), kMostShown))) {
        shown.push_back(std::string("'").append(plain_text(word, kLongest)).append("'"));
    }
    if (words.size() > shown.size()) {
        shown.push_back(std::to_string(words.size() - shown.size()) + " more");
    }
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == shown.size() ? " or " : ", ") + shown[i];
    }
    return text;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
    std::vector<std::string_view> meant;
    if (const std::optional<std::string_view> best = nearest(word, known)) {
        meant.push_back(*best);
    } else if (word.size() >= kShortestBeginning) {
        std::ranges::copy_if(known, std::back_inserter(meant), [&](std::string_view one) {
            return std::ranges::equal(word, one.substr(0, word.size()), same);
        });
    }
    return meant.empty() ? "" : "; did you mean " + one_of(meant) + "?";
}

}  // namespace groma
