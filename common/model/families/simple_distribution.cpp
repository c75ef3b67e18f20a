#include "common/model/families/simple_distribution.hpp"

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/families/parameters.hpp"

namespace groma {

namespace {

using ParseFamily = SimpleDistribution (*)(const FamilyText&);

template <typename... Families>
constexpr auto parsers_of(const std::variant<Families...>* /*none*/) {
    return std::array<ParseFamily, sizeof...(Families)>{
        [](const FamilyText& source) -> SimpleDistribution { return parsed<Families>(source); }...};
}

constexpr auto kParsers = parsers_of(static_cast<const SimpleDistribution*>(nullptr));
// Which are not simple.
constexpr std::string_view kMixture = "mix";
constexpr std::string_view kGreedy = "max";

[[noreturn]] void refuse_family(std::string_view name, DrawnKind kind) {
    std::vector<std::string_view> names;
    std::string list;
    for (const std::string_view family : kNamesOf<SimpleDistribution>) {
        names.push_back(family);
        list += std::string(family) + " ";
    }
    names.push_back(kMixture);
    list += kMixture;
    if (kind == DrawnKind::gap) {
        names.push_back(kGreedy);
        list.append(" ").append(kGreedy);
    }
    throw UsageError("there is no distribution '" + plain_text(name, 40) + "'" + did_you_mean(name, names) +
                     " (there are: " + list + ")");
}

}  // namespace

SimpleDistribution parse_simple(FamilyText source) {
    const std::string_view whole = source.text;
    const std::size_t colon = whole.find(':');
    source.family = whole.substr(0, colon);
    const bool is_family =
        std::ranges::find(kNamesOf<SimpleDistribution>, source.family) != kNamesOf<SimpleDistribution>.end();
    if (colon == std::string_view::npos and not is_family) {
        if (whole.empty() or whole.find_first_of("0123456789") > 1) {
            refuse_family(whole, source.kind);
        }
        source.family = Constant::kName;
        return parsed<Constant>(source);
    }
    source.text = whole.substr(std::min(source.family.size() + 1, whole.size()));
    for (std::size_t i = 0; i < kParsers.size(); ++i) {
        if (kNamesOf<SimpleDistribution>.at(i) == source.family) {
            return kParsers.at(i)(source);
        }
    }
    if (source.family == kGreedy) {
        throw UsageError("'max' (as fast as possible) stands alone: write max");
    }
    if (source.family == kMixture) {
        throw UsageError("a 'mix' cannot be a component of another");
    }
    refuse_family(source.family, source.kind);
}

}  // namespace groma
