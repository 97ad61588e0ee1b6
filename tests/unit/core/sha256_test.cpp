// SPDX-License-Identifier: Apache-2.0
#include "core/sha256.hpp"

#include <gtest/gtest.h>

namespace chicane::sha256_test {
namespace {

// The examples of FIPS 180-4, and lengths around the end of a block as sha256sum gives them.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
  EXPECT_EQ(sha256(std::string(1000, 'b')),
            "f6f118e120e52be0bd0cfdf2794cd12c07686cc871235ac2f11459378e6d235b");
}

}  // namespace
}  // namespace chicane::sha256_test
