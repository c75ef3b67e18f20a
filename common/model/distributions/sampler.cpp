#include "common/model/distributions/sampler.hpp"

#include "common/model/distributions/stream.hpp"
#include "common/model/families/drawer.hpp"

namespace groma {

struct Sampler::State {
    Engine engine;
    std::unique_ptr<Drawer> drawer;
};

Sampler::Sampler(const Distribution& distribution, std::uint64_t seed, Generator generator)
    : state_(std::make_unique<State>(
          State{make_engine(seed, generator), std::visit([](const auto& d) { return d.drawer(); }, distribution)})) {}

Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

double Sampler::draw() noexcept {
    return state_->drawer->draw(state_->engine);
}

}  // namespace groma
