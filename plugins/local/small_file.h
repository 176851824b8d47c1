// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace local {

// The whole of a small file; empty where there is none.
std::optional<std::string> read_small(const std::string& name);

bool exists(const std::string& name);

// Puts a file there whole or not at all. Empty, or why not. `lasting`: it also survives a power cut.
std::string put_file(const std::string& name, std::string_view text, bool lasting);

// The same, and false, where there is such a file already: of several who try, one succeeds.
bool claim_file(const std::string& name, std::string_view text);

// Makes a folder; that it is there already is no fault. Empty, or why not.
std::string make_folder(const std::string& name);

// Removes everything in a folder but not the folder.
void empty_folder(const std::string& name);
void remove_folder(const std::string& name);

}  // namespace local
