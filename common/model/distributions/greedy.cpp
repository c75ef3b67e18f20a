#include "common/model/distributions/distribution.hpp"
#include "common/model/families/drawer.hpp"

namespace groma {

std::unique_ptr<Drawer> Greedy::drawer() {
    return drawer_of([](Engine& /*engine*/) { return 0.0; });
}

}  // namespace groma
