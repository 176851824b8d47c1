// SPDX-License-Identifier: MIT
// Makes a manual page from its source: the prose stays, and lines that start with @ are replaced by what the
// tables of the code and the header say.
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "field_tables.h"
#include "header_page.h"
#include "roff.h"

namespace {

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A paragraph begins with its heading.
std::string without_empty_paragraphs(const std::string& page) {
  std::istringstream lines(page);
  std::string out;
  bool after_heading = false;
  for (std::string line; std::getline(lines, line);) {
    if (line != ".PP" || !after_heading) out += line + '\n';
    if (line != ".PP") after_heading = line.starts_with(".S");
  }
  return out;
}

std::string made_by(const std::string& directive, manual::FieldTables& tables, const std::string& header) {
  std::istringstream words(directive);
  std::string name, format, object, only;
  words >> name >> format >> object >> only;
  if (name == "@fields") return tables.fields(format, object, only);
  if (name == "@object") return tables.object(format, object);
  if (name == "@objects") return tables.objects(format);
  if (name == "@settings") return tables.settings();
  if (name == "@options") return manual::FieldTables::options();
  if (name == "@header-rules") return manual::header_rules(header);
  if (name == "@header-sections") return manual::header_sections(header);
  throw std::runtime_error("unknown directive '" + name + "'");
}

}  // namespace

// usage: cede_manual SOURCE PAGE VERSION DATE HEADER
int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: cede_manual SOURCE PAGE VERSION DATE HEADER\n", stderr);
    return 2;
  }
  try {
    manual::FieldTables tables;
    const std::string header = read_file(argv[5]);
    std::string source = read_file(argv[1]);
    replace_all(source, "@VERSION@", argv[3]);
    replace_all(source, "@DATE@", argv[4]);
    std::istringstream lines(source);
    std::string page;
    bool as_is = false;  // between .nf and .fi, or .EX and .EE
    for (std::string line; std::getline(lines, line);) {
      if (line == ".nf" || line == ".EX") as_is = true;
      if (line == ".fi" || line == ".EE") as_is = false;
      if (line.starts_with('@')) {
        page += made_by(line, tables, header);
      } else if (as_is || line.starts_with('.') || line.size() < 80) {
        page += line + '\n';
      } else {
        page += manual::filled(line);
      }
    }
    std::ofstream out(argv[2], std::ios::binary);
    out << without_empty_paragraphs(page);
    if (!out.flush()) throw std::runtime_error(std::string("cannot write ") + argv[2]);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "cede_manual: %s: %s\n", argv[1], fault.what());
    return 1;
  }
  return 0;
}
