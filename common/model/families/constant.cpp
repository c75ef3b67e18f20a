#include "common/model/families/parametric_families.hpp"

#include "common/model/families/drawer.hpp"

namespace groma {

std::unique_ptr<Drawer> Constant::drawer() const {
    return drawer_of([always = value](Engine&) { return always; });
}

}  // namespace groma
