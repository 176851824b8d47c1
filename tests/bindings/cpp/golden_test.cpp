// SPDX-License-Identifier: MIT
// The questions of tests/golden, with names and with numbers. tests/golden/write says what a question may
// hold.
#include <gtest/gtest.h>
#include <cede/cede.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Question {
  fs::path path;
  std::string kind;
  cede::Texts values;                        // after the kind
  std::map<std::string, cede::Texts> words;  // the other lines
  cede::Texts terms;                         // "protect=JOB" and so on
  std::int64_t now = cede::kNow;

  explicit Question(const fs::path& ask) : path(ask) {
    std::istringstream lines(content(ask));
    for (std::string line; std::getline(lines, line);) {
      std::istringstream split(line);
      std::string word;
      split >> word;
      cede::Texts rest{std::istream_iterator<std::string>(split), {}};
      if (kind.empty()) {
        kind = word;
        values = rest;
      } else if (word == "protect" || word == "avoid") {
        terms.push_back(word + "=" + rest.at(0));
      } else if (word == "now") {
        now = std::stoll(rest.at(0)) * 1000;
      } else {
        words[word] = rest;
      }
    }
    if (words.count("partial")) terms.push_back("partial");
  }
  fs::path beside(const char* extension) const { return fs::path(path).replace_extension(extension); }
  std::string word(const char* name) const {
    return words.count(name) ? words.at(name).at(0) : std::string();
  }

  cede::Engine engine() const {
    cede::Engine made(content(path.parent_path() / "policy.json"));
    made.load(content(path.parent_path() / "cluster.json"));
    return made;
  }

  std::string ask(const cede::Engine& e) const {
    if (kind == "job") return e.plan(values.at(0), now, terms).json();
    if (kind == "batch") return cede::batch_json(e.plan_batch(values, now, terms));
    if (kind == "relief") return e.plan_relief(values.at(0), word("group"), now, terms).json();
    return e.plan_claim(values.at(0), words.at("nodes"), word("reason"), now, terms).json();
  }

  std::string ask_with_numbers(cede::Engine& e) const {
    std::vector<cede_term> numbered;
    for (const std::string& term : terms) {
      cede_term out{};
      const std::string name = term.substr(term.find('=') + 1);
      out.kind = term == "partial" ? CEDE_TERM_PARTIAL : term[0] == 'p' ? CEDE_TERM_PROTECT : CEDE_TERM_AVOID;
      if (out.kind == CEDE_TERM_PROTECT) out.job = e.name(name);
      if (out.kind == CEDE_TERM_AVOID) out.node = e.name(name);
      numbered.push_back(out);
    }
    if (kind == "job") return e.plan(e.name(values.at(0)), now, numbered).json();
    if (kind == "batch") return cede::batch_json(e.plan_batch(e.names(values), now, numbered));
    if (kind == "relief") {
      const std::size_t colon = values.at(0).find(':');
      const std::map<std::string, std::int32_t> kinds{
          {"node", CEDE_FOR_NODE}, {"queue", CEDE_FOR_QUEUE}, {"job", CEDE_FOR_JOB_MAX}};
      const std::uint32_t group = words.count("group") ? e.name(word("group")) : 0;
      return e
          .plan_relief(kinds.at(values[0].substr(0, colon)), e.name(values[0].substr(colon + 1)), group, now,
                       numbered)
          .json();
    }
    const std::int32_t reason = word("reason") == "reclaim" ? CEDE_FOR_RECLAIM : CEDE_FOR_SENSITIVE;
    return e.plan_claim(e.name(values.at(0)), e.names(words.at("nodes")), reason, now, numbered).json();
  }
};

std::vector<Question> questions() {
  std::set<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(CEDE_GOLDEN))
    if (entry.path().extension() == ".ask") paths.insert(entry.path());
  return {paths.begin(), paths.end()};
}

TEST(Golden, Answers) {
  int asked = 0;
  for (const Question& question : questions()) {
    if (question.words.count("fails")) continue;
    SCOPED_TRACE(question.path);
    cede::Engine engine = question.engine();
    const std::string wanted = content(question.beside(".json"));
    EXPECT_EQ(question.ask(engine), wanted);
    EXPECT_EQ(question.ask_with_numbers(engine), wanted);
    ++asked;
  }
  EXPECT_GT(asked, 15);
}

TEST(Golden, Errors) {
  int asked = 0;
  for (const Question& question : questions()) {
    if (!question.words.count("fails")) continue;
    SCOPED_TRACE(question.path);
    std::string told;
    try {
      question.ask(question.engine());
    } catch (const cede::Error& error) {
      told =
          cede::status_name(error.code()) + "\n" + std::to_string(error.line()) + "\n" + error.what() + "\n";
    }
    EXPECT_EQ(told, content(question.beside(".error")));
    ++asked;
  }
  EXPECT_GT(asked, 5);
}

}  // namespace
