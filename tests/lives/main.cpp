// SPDX-License-Identifier: MIT
// Random lives of clusters, over the public ABI only. Exit status: 0 no finding, 1 findings, 2 usage.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "life.h"
#include "report.h"

namespace {

constexpr std::uint64_t kBatch = 100;  // lives in one child process

struct Options {
  std::uint64_t lives = 100;
  std::uint64_t first = 0;
  std::uint64_t seed = 1;
  bool only = false;
  std::string totals;
  lives::Settings settings;
};

int usage(const char* wrong) {
  if (wrong) std::fprintf(stderr, "cede_lives: %s\n", wrong);
  std::fprintf(wrong ? stderr : stdout,
               "usage: cede_lives [--lives N] [--first LIFE] [--seed S] [--profile NAME] [--steps N]\n"
               "                  [--only LIFE] [--trace] [--audit | --no-audit] [--totals FILE]\n"
               "                  [--ignore KIND]...\n"
               "Runs N lives from number LIFE on (0) of seed S (1); --only runs one, in this process.\n");
  return wrong ? 2 : 0;
}

bool read_number(const char* text, std::uint64_t& out) {
  char* end = nullptr;
  out = std::strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0';
}

// The options that a life depends on, to be repeated with --only.
std::string options_text(const lives::Settings& settings) {
  std::string out;
  if (!settings.profile.empty()) out += " --profile " + settings.profile;
  if (settings.steps > 0) out += " --steps " + std::to_string(settings.steps);
  if (!settings.audit) out += " --no-audit";
  for (const std::string& kind : settings.ignored) out += " --ignore \"" + kind + '"';
  return out;
}

void live(const Options& options, std::uint64_t number, lives::Shared& shared) {
  shared.life = number;
  shared.step = 0;
  int step = 0;
  const auto report = [&](const std::string& kind, const std::string& text) {
    shared.count(kind);
    lives::print_finding("cede_lives", options.seed, number, step, options_text(options.settings), kind,
                         text);
  };
  try {
    lives::Life life({&shared.totals, number}, options.seed, options.settings);
    try {
      life.run(&shared.step);
    } catch (...) {
      step = life.step_number();
      throw;
    }
  } catch (const lives::Finding& finding) {
    report(finding.kind, finding.text);
  } catch (const std::exception& error) {
    report("harness: exception", error.what());
  }
  ++shared.totals.lives;
}

// Lives in a child process, so that a crash is one life's and the others still come.
void live_apart(const Options& options, lives::Shared& shared) {
  const std::uint64_t end = options.first + options.lives;
  for (std::uint64_t next = options.first; next < end;) {
    const std::uint64_t until = std::min(next + kBatch, end);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) {
      std::perror("cede_lives: fork");
      std::exit(2);
    }
    if (child == 0) {
      for (std::uint64_t number = next; number < until; ++number) live(options, number, shared);
      std::fflush(nullptr);
      _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) std::exit(2);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      next = until;
      continue;
    }
    ++shared.totals.crashes;
    ++shared.totals.lives;
    shared.count("crash");
    const std::string how = WIFSIGNALED(status) ? std::string("signal ") + strsignal(WTERMSIG(status))
                                                : "exit status " + std::to_string(WEXITSTATUS(status));
    lives::print_finding("cede_lives", options.seed, shared.life, shared.step, options_text(options.settings),
                         "crash", how);
    next = shared.life + 1;
  }
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    std::uint64_t number = 0;
    const bool takes_number = option == "--lives" || option == "--first" || option == "--seed" ||
                              option == "--steps" || option == "--only";
    if (takes_number) {
      if (!value || !read_number(value, number)) return usage((option + " needs a number").c_str());
      ++i;
    }
    if (option == "--lives") {
      options.lives = number;
    } else if (option == "--first") {
      options.first = number;
    } else if (option == "--seed") {
      options.seed = number;
    } else if (option == "--steps") {
      options.settings.steps = static_cast<int>(number);
    } else if (option == "--only") {
      options.only = true;
      options.first = number;
    } else if (option == "--trace") {
      options.settings.trace = true;
    } else if (option == "--audit" || option == "--no-audit") {
      options.settings.audit = option == "--audit";
    } else if (option == "--help") {
      return usage(nullptr);
    } else if (option == "--ignore" && value) {
      options.settings.ignored.insert(value);
      ++i;
    } else if ((option == "--profile" || option == "--totals") && value) {
      (option == "--profile" ? options.settings.profile : options.totals) = value;
      ++i;
    } else {
      return usage(("unknown option '" + option + "'").c_str());
    }
  }
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a crash loses no line
  void* memory =
      mmap(nullptr, sizeof(lives::Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("cede_lives: mmap");
    return 2;
  }
  auto* shared = new (memory) lives::Shared{};
  if (options.only) {
    live(options, options.first, *shared);
  } else {
    live_apart(options, *shared);
  }
  lives::print_summary(*shared, options.seed);
  const bool written = options.totals.empty() || lives::write_totals(options.totals, *shared, options.seed);
  if (!written) std::fprintf(stderr, "cede_lives: cannot write '%s'\n", options.totals.c_str());
  const bool findings = shared->totals.findings > 0;
  munmap(memory, sizeof(lives::Shared));
  return !written ? 2 : findings ? 1 : 0;
}
