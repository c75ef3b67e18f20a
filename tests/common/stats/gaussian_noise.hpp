// Exact fractional Gaussian noise, by the method of Davies and Harte [Biometrika 74, 1987]: the covariances on a circle
// are diagonal under Fourier's transform.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace groma {

/// In place; the size is a power of two.
inline void fourier(std::vector<std::complex<double>>& values) {
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n / 2;
        for (; (j & bit) != 0; bit /= 2) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            std::swap(values[i], values[j]);
        }
    }
    for (std::size_t length = 2; length <= n; length *= 2) {
        for (std::size_t start = 0; start < n; start += length) {
            for (std::size_t k = 0; k < length / 2; ++k) {
                const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length);
                const auto turned = std::polar(1.0, angle) * values[start + k + length / 2];
                values[start + k + length / 2] = values[start + k] - turned;
                values[start + k] += turned;
            }
        }
    }
}

/// `count`, a power of two, of values of variance 1 with this Hurst parameter.
inline std::vector<double> fractional_noise(double hurst, std::size_t count, std::uint64_t seed) {
    const auto covariance = [hurst](double k) {
        const double h = 2 * hurst;
        return (std::pow(k + 1, h) - 2 * std::pow(k, h) + std::pow(std::abs(k - 1), h)) / 2;
    };
    const std::size_t circle = 2 * count;
    std::vector<std::complex<double>> eigenvalues(circle);
    for (std::size_t k = 0; k < circle; ++k) {
        eigenvalues[k] = covariance(static_cast<double>(std::min(k, circle - k)));
    }
    fourier(eigenvalues);
    std::mt19937_64 noise(seed);
    std::normal_distribution<double> normal;
    std::vector<std::complex<double>> values(circle);
    for (std::size_t k = 0; k < circle; ++k) {
        const double size = std::sqrt(std::max(eigenvalues[k].real(), 0.0) / static_cast<double>(circle));
        values[k] = {size * normal(noise), size * normal(noise)};
    }
    fourier(values);
    std::vector<double> out(count);
    for (std::size_t k = 0; k < count; ++k) {
        out[k] = values[k].real();
    }
    return out;
}

}  // namespace groma
