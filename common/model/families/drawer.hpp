// The interface for draws from a distribution. For sources of families and samplers.
#pragma once

#include <boost/random/taus88.hpp>
#include <boost/random/uniform_01.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "common/model/families/family.hpp"

namespace groma {

/// L'Ecuyer's combined Tausworthe generator (Mathematics of Computation 65, 1996). Its state is 12 bytes, its period
/// 2^88: a hundred thousand streams with random starts are small and do not overlap.
struct Engine : boost::random::taus88 {
    template <typename Words>
    Engine(Words& first, Words last, Generator of) : boost::random::taus88(first, last), generator(of) {}
    Generator generator;
};

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

/// Uniform on [0, 1): a multiple of 2^-32 or, by two numbers of the engine, of 2^-53.
[[nodiscard]] inline double unit_draw(Engine& engine) noexcept {
    if (engine.generator == Generator::unit_32) {
        return boost::random::uniform_01<double>()(engine);
    }
    constexpr unsigned kLowBits = 26;
    const std::uint64_t high = engine() >> 5U;
    const std::uint64_t low = engine() >> 6U;
    return static_cast<double>((high << kLowBits) + low) * 0x1p-53;
}

/// Uniform on (0, 1]: its logarithm and its negative powers are finite.
[[nodiscard]] inline double positive_unit_draw(Engine& engine) noexcept {
    return 1.0 - unit_draw(engine);
}

}  // namespace groma
