#include "common/os/reserved_cores.hpp"

#include <algorithm>
#include <iterator>

#include "common/os/scheduling.hpp"

namespace groma {

ReservedCores::ReservedCores(const std::vector<unsigned>& cores) {
    const std::vector<unsigned> usable = usable_cores();
    std::vector<unsigned> others;
    std::ranges::set_difference(usable, cores, std::back_inserter(others));
    if (others.size() < usable.size() and not others.empty() and run_on_cores(others).empty()) {
        before_ = usable;
    }
}

ReservedCores::~ReservedCores() {
    if (not before_.empty()) {
        (void)run_on_cores(before_);
    }
}

}  // namespace groma
