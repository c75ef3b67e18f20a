#include "common/control/admission.hpp"

#include "common/base/errors.hpp"

namespace groma {

Admission::Slot& Admission::Slot::operator=(Slot&& other) noexcept {
    if (this != &other) {
        reset();
        counts_ = std::move(other.counts_);
        host_ = std::move(other.host_);
    }
    return *this;
}

void Admission::Slot::reset() noexcept {
    if (const auto counts = std::exchange(counts_, nullptr)) {
        --counts->all;
        const auto own = counts->of_host.find(host_);
        if (--own->second == 0) {
            counts->of_host.erase(own);
        }
    }
}

Admission::Verdict Admission::verdict(const std::string& host) const {
    if (counts_->all >= slots_) {
        return Verdict::full;
    }
    const auto own = counts_->of_host.find(host);
    return own != counts_->of_host.end() and own->second >= slots_of_host_ ? Verdict::host_full : Verdict::admitted;
}

Admission::Slot Admission::admit(const std::string& host) {
    check(verdict(host) == Verdict::admitted, "a slot is given to a host that may have it");
    ++counts_->all;
    ++counts_->of_host[host];
    return {counts_, host};
}

}  // namespace groma
