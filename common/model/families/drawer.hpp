// The interface for draws from a distribution. For sources of families and samplers.
#pragma once

#include <boost/random/taus88.hpp>
#include <boost/random/uniform_01.hpp>
#include <memory>
#include <utility>

namespace groma {

/// L'Ecuyer's combined Tausworthe generator (Mathematics of Computation 65, 1996). Its state is 12 bytes, its period
/// 2^88: a hundred thousand streams with random starts are small and do not overlap.
using Engine = boost::random::taus88;

class Drawer {
public:
    virtual ~Drawer() = default;
    /// Packet path. Some families give negative, infinite and not-a-number values.
    [[nodiscard]] virtual double draw(Engine& engine) noexcept = 0;
};

/// Makes a Drawer of a function that takes an engine, or of a distribution of Boost.Random.
template <typename Draw>
[[nodiscard]] std::unique_ptr<Drawer> drawer_of(Draw draw) {
    struct Of final : Drawer {
        explicit Of(Draw&& of) : draw_(std::move(of)) {}
        double draw(Engine& engine) noexcept override { return draw_(engine); }
        Draw draw_;
    };
    return std::make_unique<Of>(std::move(draw));
}

/// Uniform on [0, 1).
[[nodiscard]] inline double unit_draw(Engine& engine) noexcept {
    return boost::random::uniform_01<double>()(engine);
}

/// Uniform on (0, 1]: its logarithm and its negative powers are finite.
[[nodiscard]] inline double positive_unit_draw(Engine& engine) noexcept {
    return 1.0 - unit_draw(engine);
}

}  // namespace groma
