#include "receiver/log_shippers.hpp"

#include "common/base/errors.hpp"
#include "common/os/host.hpp"

namespace groma {

namespace {

/// A log that keeps its shipper alive.
class SharedLog final : public ShippedLog {
public:
    SharedLog(std::shared_ptr<LogShipper> shipper, const LogTarget& target)
        : shipper_(std::move(shipper)),
          log_(shipper_->open_log(target.folder_on_server, target.name_on_server, target.key)) {}

    void append(std::span<const std::byte> piece) override { log_->append(piece); }
    void close() override { log_->close(); }
    [[nodiscard]] std::string describe() const override { return log_->describe(); }
    [[nodiscard]] ShippedLogState state() const override { return log_->state(); }

private:
    std::shared_ptr<LogShipper> shipper_;
    std::unique_ptr<ShippedLog> log_;
};

}  // namespace

std::unique_ptr<ShippedLog> LogShippers::open_log(const LogTarget& target) {
    if (target.transport != LogTransport::mpi) {
        return std::make_unique<SharedLog>(shipper_for(target), target);
    }
    if (given_ == nullptr) {
        throw UsageError("this receiver cannot ship its log over mpi: that works in groma-mpi only (use tcp or udp)");
    }
    return given_->open_log(target.folder_on_server, target.name_on_server, target.key);
}

std::shared_ptr<LogShipper> LogShippers::shipper_for(const LogTarget& target) {
    const Key key(to_string(*target.server), target.transport);
    {
        const std::scoped_lock lock(mutex_);
        std::erase_if(shippers_, [](const auto& entry) { return entry.second.expired(); });
        const auto known = shippers_.find(key);
        if (auto shipper = known == shippers_.end() ? nullptr : known->second.lock()) {
            return shipper;
        }
    }
    ShippingSettings settings = settings_for(target);  // may query a name server, hence outside the lock
    const std::scoped_lock lock(mutex_);
    std::weak_ptr<LogShipper>& known = shippers_[key];
    std::shared_ptr<LogShipper> shipper = known.lock();
    if (not shipper) {
        shipper = std::make_shared<LogShipper>(std::move(settings), clock_);
        known = shipper;
    }
    return shipper;
}

ShippingSettings LogShippers::settings_for(const LogTarget& target) {
    ShipperIdentity identity = identity_;
    identity.resolve = [this, &target](std::string_view host, std::uint16_t port) {
        return resolver_.resolve(host, port, {.peer = target.asked_by, .gave_up = [this] { return stopping_.load(); }});
    };
    identity.without_key = "it was asked by groma-recv on " + host_name() +
                           ", which has no key for it: start it there with --key FILE (docs/guide/keys.md#logs)";
    return shipping_settings(LogRoute{.server = *target.server, .transport = target.transport}, identity);
}

}  // namespace groma
