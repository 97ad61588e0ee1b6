// SPDX-License-Identifier: Apache-2.0
#include "core/sha256.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace chicane {
namespace {

using Word = std::uint32_t;
using State = std::array<Word, 8>;
constexpr std::size_t kBlock = 64;  // bytes

__extension__ typedef unsigned __int128 Wide;

// The first 32 bits of the fractional part of the square (`root` 2) or cube root (3) of a prime:
// floor(2^32 p^(1/root)) without its upper bits, found exactly, bit by bit.
constexpr Word root_bits(std::uint64_t prime, int root) {
  const auto fits = [&](Wide x) {  // x^root <= p 2^(32 root)
    if (root == 2) return x * x <= Wide{prime} << 64;
    // x < 2^36: x^3 < 2^108
    return x * x * x <= Wide{prime} << 96;
  };
  Wide x = 0;
  for (int bit = 36; bit >= 0; --bit)
    if (fits(x | Wide{1} << bit)) x |= Wide{1} << bit;
  return static_cast<Word>(x);
}

template <std::size_t n>
constexpr std::array<Word, n> roots_of_primes(int root) {
  std::array<Word, n> words{};
  std::size_t found = 0;
  for (std::uint64_t p = 2; found < n; ++p) {
    bool prime = true;
    for (std::uint64_t d = 2; d * d <= p; ++d) prime = prime && p % d != 0;
    if (prime) words[found++] = root_bits(p, root);
  }
  return words;
}

constexpr std::array<Word, 64> kConstants = roots_of_primes<64>(3);
constexpr State kStart = roots_of_primes<8>(2);
static_assert(kStart[0] == 0x6a09e667 && kConstants[63] == 0xc67178f2);

void add_block(State& h, const unsigned char* bytes) {
  std::array<Word, 64> w;
  for (std::size_t i = 0; i < 16; ++i)
    w[i] = static_cast<Word>(bytes[4 * i]) << 24 | static_cast<Word>(bytes[4 * i + 1]) << 16 |
           static_cast<Word>(bytes[4 * i + 2]) << 8 | static_cast<Word>(bytes[4 * i + 3]);
  for (std::size_t i = 16; i < 64; ++i) {
    const Word a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[i - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  State s = h;
  for (std::size_t i = 0; i < 64; ++i) {
    const auto& [a, b, c, d, e, f, g, last] = s;
    const Word t1 = last + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                    ((e & f) ^ (~e & g)) + kConstants[i] + w[i];
    const Word t2 =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    s = {t1 + t2, a, b, c, d + t1, e, f, g};
  }
  for (std::size_t i = 0; i < 8; ++i) h[i] += s[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  State h = kStart;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  const std::size_t whole = bytes.size() / kBlock;
  for (std::size_t k = 0; k < whole; ++k) add_block(h, data + k * kBlock);

  // The rest, a one bit, zeros, and the length in bits: one block or two.
  std::array<unsigned char, 2 * kBlock> last{};
  const std::size_t rest = bytes.size() % kBlock, blocks = rest + 9 > kBlock ? 2 : 1;
  for (std::size_t i = 0; i < rest; ++i) last[i] = data[whole * kBlock + i];
  last[rest] = 0x80;
  const std::uint64_t bits = 8 * static_cast<std::uint64_t>(bytes.size());
  for (std::size_t i = 0; i < 8; ++i)
    last[blocks * kBlock - 1 - i] = static_cast<unsigned char>(bits >> 8 * i);
  for (std::size_t k = 0; k < blocks; ++k) add_block(h, last.data() + k * kBlock);

  std::string text;
  for (const Word word : h) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace chicane
