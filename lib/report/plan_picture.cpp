// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "report/picture.h"
#include "report/plan_cells.h"

namespace cede {

namespace {

struct CellStyle {
  char sign;
  std::string_view meaning;
  std::string_view colour;
};
constexpr std::array kCellStyles{CellStyle{'.', "free", "#e8eaed"},
                                 CellStyle{'?', "not known", "#ffffff"},
                                 CellStyle{'K', "kept", "#9aa0a6"},
                                 CellStyle{'V', "leaves", "#d93025"},
                                 CellStyle{'+', "given to the request", "#188038"},
                                 CellStyle{'*', "leaves, given to the request", "#f9ab00"}};

std::vector<CellStyle> styles_used(const std::vector<NodeCells>& nodes) {
  std::vector<CellStyle> used;
  for (const CellStyle& style : kCellStyles) {
    const auto has = [&](const NodeCells& node) { return node.cells.find(style.sign) != std::string::npos; };
    if (std::any_of(nodes.begin(), nodes.end(), has)) used.push_back(style);
  }
  return used;
}

// What the plan is about, and its answer.
std::string headline(const Plan& plan) {
  const Model& model = plan.model();
  const Subject& subject = plan.subject;
  std::string out;
  switch (subject.purpose) {
    case Purpose::job: out = model.job_name(subject.job); break;
    case Purpose::relief_job: out = "relief of job " + std::string(model.job_name(subject.job)); break;
    case Purpose::relief_node:
      out = "relief of node " + std::string(model.name(model.nodes[subject.node].name));
      break;
    case Purpose::relief_queue:
      out = "relief of queue " + std::string(model.name(model.queues[subject.queue].name));
      break;
    default: out = "claim of queue " + std::string(model.name(model.queues[subject.queue].name));
  }
  return out + ": " + std::string(to_word(plan.outcome, kOutcomes)) + ": " + plan.reason;
}

constexpr std::size_t kMostNameColumns = 32;

std::size_t name_columns(const std::vector<NodeCells>& nodes, std::size_t columns) {
  std::size_t widest = 0;
  for (const NodeCells& node : nodes) widest = std::max(widest, columns_of(node.name));
  return std::min({widest, kMostNameColumns, columns / 2});
}

std::string draw_text(const Plan& plan, const std::vector<NodeCells>& nodes, std::size_t columns) {
  TextBlock lines = wrapped(label(headline(plan), 10 * columns), columns, 2);
  const std::size_t names = name_columns(nodes, columns);
  for (const NodeCells& node : nodes) {
    std::string line = label(node.name, names);
    line += std::string(names - std::min(names, columns_of(line)) + 2, ' ');
    lines.push_back(line + label(node.cells.empty() ? "no GPUs" : node.cells, columns - names - 2));
  }
  std::string legend;
  for (const CellStyle& style : styles_used(nodes))
    legend += (legend.empty() ? "" : ", ") + std::string(1, style.sign) + ' ' + std::string(style.meaning);
  if (!legend.empty()) {
    const TextBlock more = wrapped(legend, columns, 2);
    lines.insert(lines.end(), more.begin(), more.end());
  }
  std::string out;
  for (const std::string& line : lines) out += label(line, columns) + '\n';
  return out;
}

constexpr std::size_t kRow = 20;
constexpr std::size_t kCell = 16;
constexpr std::size_t kCharacter = 8;

std::string svg_text(std::size_t x, std::size_t y, std::string_view text) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" xml:space=\"preserve\">" +
         xml_text(text) + "</text>\n";
}

std::string svg_cell(std::size_t x, std::size_t y, const CellStyle& style) {
  return "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
         "\" width=\"14\" height=\"14\" rx=\"2\" stroke=\"#5f6368\" stroke-width=\"0.5\" fill=\"" +
         std::string(style.colour) + "\"><title>" + std::string(style.meaning) + "</title></rect>\n";
}

const CellStyle& style_of(char sign) {
  return *std::find_if(kCellStyles.begin(), kCellStyles.end() - 1,
                       [&](const CellStyle& style) { return style.sign == sign; });
}

// A row per node, a square per device. Rows that are wider than the picture go on in the next line.
std::string draw_svg(const Plan& plan, const std::vector<NodeCells>& nodes, PictureForm form) {
  const std::size_t columns = columns_of(form);
  const std::size_t across = columns * kCharacter;
  const std::size_t names = name_columns(nodes, columns);
  const std::size_t left = (names + 2) * kCharacter;
  const std::size_t per_row = std::max<std::size_t>(1, (across - left - 4) / kCell);
  std::string body;
  std::size_t y = kRow;
  for (const std::string& line : wrapped(label(headline(plan), 10 * columns), columns, 2)) {
    body += svg_text(4, y - 5, label(line, columns));
    y += kRow;
  }
  for (const NodeCells& node : nodes) {
    body += svg_text(4, y - 5, label(node.name, names));
    if (node.cells.empty()) body += svg_text(left, y - 5, "no GPUs");
    for (std::size_t d = 0; d < node.cells.size(); ++d) {
      if (d > 0 && d % per_row == 0) y += kRow;
      body += svg_cell(left + d % per_row * kCell, y - 16, style_of(node.cells[d]));
    }
    y += kRow;
  }
  for (const CellStyle& style : styles_used(nodes)) {
    body += svg_cell(4, y - 16, style) + svg_text(4 + kRow, y - 5, style.meaning);
    y += kRow;
  }
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + std::to_string(form.width) +
         "\" viewBox=\"0 0 " + std::to_string(across) + ' ' + std::to_string(y - kRow + 8) +
         "\" font-family=\"monospace\" font-size=\"13\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         body + "</svg>\n";
}

}  // namespace

std::string draw_plan(const Plan& plan, PictureForm form) {
  const std::vector<NodeCells> nodes = plan_cells(plan);
  return form.format == PictureFormat::svg ? draw_svg(plan, nodes, form)
                                           : draw_text(plan, nodes, columns_of(form));
}

}  // namespace cede
