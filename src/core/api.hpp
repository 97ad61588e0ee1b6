// SPDX-License-Identifier: Apache-2.0
#pragma once

// What programs outside may link to. All else is hidden in the shared library.
#define CHICANE_API __attribute__((visibility("default")))
// A class within one of those that is nobody's business outside.
#define CHICANE_HIDDEN __attribute__((visibility("hidden")))
