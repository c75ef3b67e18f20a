#include "common/stats/fidelity/requirement_figures.hpp"

namespace groma {

const FigureTable<CheckedRequirement>& requirement_figures() {
    static const FigureTable<CheckedRequirement> kTable =
        FigureTable<CheckedRequirement>()
            .add("what", "the required figure's word",
                 [](const CheckedRequirement& it) { return row_of(it.required.figure).word; })
            .add("limit", "largest value allowed: a share of 1, nanoseconds, or a number",
                 [](const CheckedRequirement& it) { return it.required.limit; })
            .add("worst", "largest value of any flow", &CheckedRequirement::worst)
            .add("flow", "name of the flow that has it, or of which it is unknown",
                 [](const CheckedRequirement& it) { return it.flow.empty() ? std::nullopt : std::optional(it.flow); })
            .add("met", "no flow's value is larger than the limit", &CheckedRequirement::met);
    return kTable;
}

}  // namespace groma
