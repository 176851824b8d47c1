// SPDX-License-Identifier: MIT
// Feeds files, and the files of folders, to a fuzz target: the default tier replays the corpora without a
// fuzzer. usage: replay FILE-OR-FOLDER...
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.h"

namespace {

namespace fs = std::filesystem;

bool add_files(const fs::path& path, std::vector<fs::path>& files) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return true;
  }
  files.push_back(path);
  return fs::is_regular_file(path, error);
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    if (add_files(arguments[i], files)) continue;
    std::fprintf(stderr, "replay: '%s' is neither a file nor a folder\n", arguments[i]);
    return 2;
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    // Printed first: the last line names the file where the target ends the process.
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    // A copy of exactly this size, so that reading beyond it is noticed.
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::printf("%zu inputs\n", files.size());
  return files.empty() ? 2 : 0;
}
