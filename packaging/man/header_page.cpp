// SPDX-License-Identifier: MIT
#include "header_page.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "roff.h"

namespace manual {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// ` * text` as `text`, with what it is indented by.
std::string_view comment_text(std::string_view line) {
  if (line.starts_with("/*"))
    line.remove_prefix(2);
  else if (line.starts_with(" *") && line != " */")
    line.remove_prefix(2);
  if (line.ends_with("*/")) line.remove_suffix(2);
  while (line.ends_with(' ')) line.remove_suffix(1);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

// `12. `, after spaces.
std::size_t rule_number(std::string_view line) {
  std::size_t i = line.find_first_not_of(' ');
  if (i == std::string_view::npos || !std::isdigit(static_cast<unsigned char>(line[i]))) return 0;
  while (i < line.size() && std::isdigit(static_cast<unsigned char>(line[i]))) ++i;
  return line.substr(i).starts_with(". ") ? i + 2 : 0;
}

std::string as_code(const std::vector<std::string>& lines) {
  static constexpr std::string_view kExport = "CEDE_API ";
  std::string out = ".PP\n.nf\n";
  std::size_t shorter = 0;  // by how much the lines that continue a declaration move to the left
  for (std::string line : lines) {
    if (line.starts_with(kExport)) {
      line.erase(0, kExport.size());
      shorter = kExport.size();
    } else if (line.find_first_not_of(' ') > shorter + 4 &&
               line.find_first_not_of(' ') != std::string::npos) {
      line.erase(0, shorter);
    } else {
      shorter = 0;
    }
    if (!line.empty() && (line[0] == '.' || line[0] == '\'')) out += "\\&";
    out += (line.empty() ? std::string(".sp") : literal(line)) + '\n';
  }
  return out + ".fi\n";
}

// Paragraphs, numbered rules, and indented lines as they are.
std::string as_text(const std::vector<std::string>& lines) {
  std::string out, paragraph;
  std::vector<std::string> code;
  std::string begin = ".PP\n";
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out += begin + filled(roff(paragraph));
    if (!code.empty()) out += as_code(code);
    paragraph.clear();
    code.clear();
    begin = ".PP\n";
  };
  bool in_rule = false;
  for (const std::string& line : lines) {
    const std::string_view text = comment_text(line);
    if (text.empty()) {
      end_paragraph();
      in_rule = false;
      continue;
    }
    if (const std::size_t after = rule_number(text)) {
      end_paragraph();
      const std::size_t first = text.find_first_not_of(' ');
      begin = ".IP " + std::string(text.substr(first, after - first - 1)) + " 4\n";
      paragraph = text.substr(after);
      in_rule = true;
    } else if (text.starts_with("  ") && !in_rule) {
      if (code.empty()) end_paragraph();
      code.emplace_back(text);
    } else {
      if (!code.empty()) end_paragraph();
      paragraph += (paragraph.empty() ? "" : " ") + std::string(text);
    }
  }
  end_paragraph();
  return out;
}

// A section, its heading apart: comments that start a line are text, everything else is code.
std::string as_page(const std::vector<std::string>& lines) {
  std::string out;
  std::vector<std::string> comment, code;
  const auto end_code = [&] {
    while (!code.empty() && code.back().empty()) code.pop_back();
    if (!code.empty()) out += as_code(code);
    code.clear();
  };
  bool inside = false;  // a comment
  for (const std::string& line : lines) {
    if (line.starts_with("/*")) {
      end_code();
      inside = true;
    }
    if (inside) {
      comment.push_back(line);
      if (line.ends_with("*/")) {
        out += as_text(comment);
        comment.clear();
        inside = false;
      }
    } else if (!line.empty() || !code.empty()) {
      code.push_back(line);
    }
  }
  end_code();
  return out;
}

bool is_noise(std::string_view line) {
  return line.find("clang-format") != std::string_view::npos || line.find("SPDX-") != std::string_view::npos;
}

}  // namespace

std::string header_rules(const std::string& header) {
  std::vector<std::string> rules;
  for (const std::string& line : lines_of(header)) {
    if (line.starts_with("#ifndef")) break;
    if (!is_noise(line)) rules.push_back(line);
  }
  return as_page(rules);
}

std::string header_sections(const std::string& header) {
  static constexpr std::string_view kMark = "/* ---- ";
  std::string out;
  std::vector<std::string> section;
  bool any = false;
  for (const std::string& line : lines_of(header)) {
    if (line.starts_with(kMark)) {
      if (any) out += as_page(section);
      section.clear();
      any = true;
      const std::string title = line.substr(kMark.size(), line.find(" --", kMark.size()) - kMark.size());
      out += ".SS \"" + roff(title) + "\"\n";
    } else if (line.starts_with("#ifdef __cplusplus") && any) {
      break;
    } else if (!is_noise(line)) {
      section.push_back(line);
    }
  }
  return out + as_page(section);
}

}  // namespace manual
