#include "common/model/distributions/sampler.hpp"

#include <boost/random/cauchy_distribution.hpp>
#include <boost/random/discrete_distribution.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/model/distributions/stream.hpp"

namespace groma {

namespace {

namespace rnd = boost::random;

/// Uniform on (0, 1]: its logarithm and its negative powers are finite.
double unit_draw(Engine& engine) noexcept {
    return 1.0 - rnd::uniform_01<double>()(engine);
}

struct ConstantDraw {
    double value;
    explicit ConstantDraw(const Constant& d) : value(d.value) {}
    double operator()(Engine&) noexcept { return value; }
};

struct UniformDraw {
    Uniform d;
    explicit UniformDraw(const Uniform& uniform) : d(uniform) {}
    double operator()(Engine& engine) noexcept { return d.low + (d.high - d.low) * rnd::uniform_01<double>()(engine); }
};

struct PoissonDraw {
    rnd::poisson_distribution<std::int64_t, double> count;
    double unit;
    explicit PoissonDraw(const Poisson& d) : count(d.mean), unit(d.unit) {}
    double operator()(Engine& engine) noexcept { return unit * static_cast<double>(count(engine)); }
};

struct ParetoDraw {
    double power;
    double scale;
    explicit ParetoDraw(const Pareto& d) : power(-1.0 / d.shape), scale(d.scale) {}
    double operator()(Engine& engine) noexcept { return scale * std::pow(unit_draw(engine), power); }
};

struct WeibullDraw {
    double power;
    double scale;
    explicit WeibullDraw(const Weibull& d) : power(1.0 / d.shape), scale(d.scale) {}
    double operator()(Engine& engine) noexcept { return scale * std::pow(-std::log(unit_draw(engine)), power); }
};

struct StudentDraw {
    rnd::student_t_distribution<double> student;
    double location;
    double scale;
    explicit StudentDraw(const StudentT& d) : student(d.degrees), location(d.location), scale(d.scale) {}
    double operator()(Engine& engine) noexcept { return location + scale * student(engine); }
};

struct DiscreteDraw {
    rnd::discrete_distribution<std::uint32_t, double> choice;
    std::vector<double> values;
    explicit DiscreteDraw(const Discrete& d) : choice(d.weights), values(d.values) {}
    double operator()(Engine& engine) noexcept { return values[choice(engine)]; }
};

struct FileDraw {
    std::vector<double> values;
    std::size_t next = 0;
    explicit FileDraw(const FromFile& d) : values(d.values) {}
    double operator()(Engine&) noexcept {
        const double value = values[next];
        next = next + 1 == values.size() ? 0 : next + 1;
        return value;
    }
};

/// A family of Boost.Random with the parameters as it takes them.
template <typename Boost>
struct BoostDraw {
    Boost boost;
    double operator()(Engine& engine) noexcept { return boost(engine); }
};
template <typename Boost>
BoostDraw(Boost) -> BoostDraw<Boost>;

using SimpleDraw =
    std::variant<ConstantDraw, UniformDraw, BoostDraw<rnd::exponential_distribution<double>>,
                 BoostDraw<rnd::normal_distribution<double>>, PoissonDraw, ParetoDraw,
                 BoostDraw<rnd::cauchy_distribution<double>>, BoostDraw<rnd::gamma_distribution<double>>, WeibullDraw,
                 BoostDraw<rnd::lognormal_distribution<double>>, StudentDraw, DiscreteDraw, FileDraw>;

struct MakeDraw {
    SimpleDraw operator()(const Exponential& d) const {
        return BoostDraw{rnd::exponential_distribution<double>(1.0 / d.mean)};
    }
    SimpleDraw operator()(const Normal& d) const {
        return BoostDraw{rnd::normal_distribution<double>(d.mean, d.deviation)};
    }
    SimpleDraw operator()(const Cauchy& d) const {
        return BoostDraw{rnd::cauchy_distribution<double>(d.location, d.scale)};
    }
    SimpleDraw operator()(const Gamma& d) const { return BoostDraw{rnd::gamma_distribution<double>(d.shape, d.scale)}; }
    SimpleDraw operator()(const LogNormal& d) const {
        return BoostDraw{rnd::lognormal_distribution<double>(std::log(d.median), d.sigma)};
    }
    SimpleDraw operator()(const Constant& d) const { return ConstantDraw(d); }
    SimpleDraw operator()(const Uniform& d) const { return UniformDraw(d); }
    SimpleDraw operator()(const Poisson& d) const { return PoissonDraw(d); }
    SimpleDraw operator()(const Pareto& d) const { return ParetoDraw(d); }
    SimpleDraw operator()(const Weibull& d) const { return WeibullDraw(d); }
    SimpleDraw operator()(const StudentT& d) const { return StudentDraw(d); }
    SimpleDraw operator()(const Discrete& d) const { return DiscreteDraw(d); }
    SimpleDraw operator()(const FromFile& d) const { return FileDraw(d); }
};

}  // namespace

/// A simple distribution is a mixture of one component that is never chosen by chance.
struct Sampler::State {
    Engine engine;
    std::vector<SimpleDraw> components;
    rnd::discrete_distribution<std::uint32_t, double> choice;

    double draw() noexcept {
        SimpleDraw& component = components.size() == 1 ? components.front() : components[choice(engine)];
        return std::visit([this](auto& family) noexcept { return family(engine); }, component);
    }
};

Sampler::Sampler(const Distribution& distribution, std::uint64_t seed)
    : state_(std::make_unique<State>(State{make_engine(seed), {}, {}})) {
    std::visit(
        [this](const auto& family) {
            if constexpr (std::is_same_v<std::decay_t<decltype(family)>, Mixture>) {
                for (const SimpleDistribution& component : family.components) {
                    state_->components.push_back(std::visit(MakeDraw{}, component));
                }
                state_->choice = rnd::discrete_distribution<std::uint32_t, double>(family.weights);
            } else {
                state_->components.push_back(MakeDraw{}(family));
            }
        },
        distribution);
}

Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

double Sampler::draw() noexcept {
    return state_->draw();
}

}  // namespace groma
