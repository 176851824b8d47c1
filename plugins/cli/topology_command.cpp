// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "command.h"
#include "finding.h"
#include "handles.h"
#include "input.h"
#include "json_text.h"
#include "limited_child.h"
#include "message_text.h"
#include "progress.h"

namespace cli {

namespace {

constexpr std::array kTopologyOptions{
    Option{"--json", "", "", "print one cede-topologies/1 document on standard output and nothing else"},
};

constexpr std::size_t kLargestFile = 16 << 20;

// One FILE: its text, then what the library makes of it or what is wrong.
struct Input {
  std::string text;
  FileReport report;
  Topology topology;
};

// The name for the library: the file's own name, made printable.
std::string title_of(const std::string& name) {
  if (name == "-") return "standard input";
  constexpr std::size_t kMost = 200;
  std::string title = as_utf8(one_line(name.substr(name.rfind('/') + 1)));
  std::size_t cut = title.size() > kMost ? title.size() - kMost : 0;
  while (cut < title.size() && (static_cast<unsigned char>(title[cut]) & 0xc0) == 0x80) ++cut;
  title.erase(0, cut);
  return title.empty() ? "topology" : title;
}

cede_topology* create(const Input& input, cede_error* error) {
  cede_topology* made = nullptr;
  const std::string title = title_of(input.report.name);
  cede_topology_create(input.text.data(), input.text.size(), CEDE_TOPOLOGY_ANY, title.c_str(), &made, error);
  return made;
}

// The library's text names the line in its own way; here the line comes first.
std::string without_line(std::string text, std::uint32_t line) {
  const std::string before = "topology.conf line " + std::to_string(line) + ": ";
  const std::string after = " (line " + std::to_string(line) + ')';
  if (text.starts_with(before)) return text.substr(before.size());
  if (text.ends_with(after)) text.resize(text.size() - after.size());
  return text;
}

std::vector<Input> read_all(const std::vector<std::string>& names, Console& console) {
  std::vector<Input> inputs(names.size());
  Progress progress(console, "reading " + counted(names.size(), "file"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    inputs[i].report.name = names[i];
    if (const ReadFault fault = read_text(names[i], kLargestFile, inputs[i].text))
      inputs[i].report.findings.push_back({.by_system = fault.by_system, .text = fault.text});
  }
  return inputs;
}

// Parses all files in a child first. If a file ends the child, another child goes on after that file.
void try_all(std::vector<Input>& inputs, Console& console) {
  Progress progress(console, "trying " + counted(inputs.size(), "file"));
  for (std::size_t from = 0; from < inputs.size();) {
    const std::optional<ChildEnd> end = run_limited(inputs.size() - from, [&](std::size_t i) {
      if (inputs[from + i].report.ok()) cede_topology_destroy(create(inputs[from + i], nullptr));
    });
    if (!end) return;
    inputs[from + end->piece].report.findings.push_back({.by_system = end->by_system, .text = end->why});
    from += end->piece + 1;
  }
}

void import_all(std::vector<Input>& inputs) {
  for (Input& input : inputs) {
    if (!input.report.ok()) continue;
    cede_error error{};
    input.topology.reset(create(input, &error));
    if (input.topology) continue;
    input.report.findings.push_back({.text = without_line(error.text, error.line), .line = error.line});
  }
}

// Inputs of one class together, classes in the order of their first file.
using Class = std::vector<const Input*>;

bool is_network(const Class& members) {
  cede_topology_facts facts{};
  cede_topology_get(members.front()->topology.get(), &facts, sizeof facts, nullptr);
  return facts.kind == CEDE_TOPOLOGY_SLURM;
}

std::vector<Class> classes_of(const std::vector<Input>& inputs) {
  std::vector<Class> classes;
  for (const Input& input : inputs) {
    if (!input.topology) continue;
    const std::string_view signature = cede_topology_signature(input.topology.get());
    const auto found = std::find_if(classes.begin(), classes.end(), [signature](const Class& members) {
      return signature == cede_topology_signature(members.front()->topology.get());
    });
    (found == classes.end() ? classes.emplace_back() : *found).push_back(&input);
  }
  return classes;
}

// What the call writes about a topology; empty if memory runs out, which has been printed.
template <class Write>
std::string written(const Input& input, Console& console, Write write) {
  cede_text* made = nullptr;
  cede_error error{};
  if (write(input.topology.get(), &made, &error) < 0) {
    console.fail(error.text);
    return {};
  }
  const Text text(made);
  return {cede_text_data(made), cede_text_size(made)};
}

// `5 files: 2 classes of machines, 1 network`
std::string summary(const std::vector<Input>& inputs, const std::vector<Class>& classes) {
  const auto networks = static_cast<std::size_t>(std::count_if(classes.begin(), classes.end(), is_network));
  const std::size_t machines = classes.size() - networks;
  std::string out = counted(inputs.size(), "file") + ": ";
  if (machines > 0 || networks == 0)
    out += std::to_string(machines) + (machines == 1 ? " class" : " classes") + " of machines";
  if (networks > 0) out += (machines > 0 ? ", " : "") + counted(networks, "network");
  return out;
}

bool print_pictures(const std::vector<Input>& inputs, const std::vector<Class>& classes, Console& console) {
  if (inputs.size() > 1 && !classes.empty()) console.out(summary(inputs, classes) + '\n');
  std::array<std::size_t, 2> numbers{};  // of machines and of networks so far
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (inputs.size() > 1) {
      std::string names;
      for (const Input* input : classes[i])
        names += (names.empty() ? "" : ", ") + shown_name(input->report.name);
      const std::string head = (is_network(classes[i]) ? "network " : "class ") +
                               std::to_string(++numbers[is_network(classes[i]) ? 1 : 0]) + ": ";
      console.out('\n' + console.paint_out(Style::bold, head));
      const std::vector<std::string> lines = wrap(names, 100 - head.size());
      for (const std::string& line : lines)
        console.out((&line == &lines.front() ? "" : std::string(head.size(), ' ')) + line + '\n');
    }
    const std::string picture = written(
        *classes[i].front(), console, [](const cede_topology* topology, cede_text** text, cede_error* error) {
          return cede_topology_picture(topology, CEDE_PICTURE_TEXT, 0, text, error);
        });
    if (picture.empty()) return false;
    console.out(picture);
  }
  return true;
}

bool print_json(const std::vector<Input>& inputs, const std::vector<Class>& classes, Console& console) {
  std::string out = "{\"format\":\"cede-topologies/1\",\"classes\":[";
  for (const Class& members : classes) {
    if (&members != &classes.front()) out += ',';
    out += "\n{\"files\":[";
    for (const Input* input : members) {
      if (input != members.front()) out += ',';
      out += json_quoted(as_utf8(input->report.name));
    }
    std::string document = written(*members.front(), console, cede_topology_json);
    if (document.empty()) return false;
    if (document.ends_with('\n')) document.pop_back();
    out += "],\"topology\":" + document + '}';
  }
  out += "],\"failed\":[";
  bool first = true;
  for (const Input& input : inputs) {
    for (const Finding& finding : input.report.findings) {
      out += (first ? "\n" : ",\n") + std::string("{\"file\":") + json_quoted(as_utf8(input.report.name)) +
             ",\"line\":" + std::to_string(finding.line) + ",\"text\":" + json_quoted(as_utf8(finding.text)) +
             '}';
      first = false;
    }
  }
  console.out(out + "]}\n");
  return true;
}

int run_topology(const Arguments& arguments, Console& console) {
  const std::vector<std::string>& names = arguments.operands();
  if (names.empty()) return console.fail("topology needs at least one FILE; see 'cede help topology'");
  if (std::count(names.begin(), names.end(), "-") > 1) return console.fail("standard input is named twice");

  std::vector<Input> inputs = read_all(names, console);
  try_all(inputs, console);
  import_all(inputs);
  const std::vector<Class> classes = classes_of(inputs);
  bool failed = false;
  for (const Input& input : inputs) {
    failed = failed || !input.report.ok();
    if (arguments.has("--json")) {
      print_errors(input.report, console);
    } else {
      print_findings(input.report, console);
    }
  }
  const bool printed = arguments.has("--json") ? print_json(inputs, classes, console)
                                               : print_pictures(inputs, classes, console);
  return failed || !printed ? kError : kYes;
}

}  // namespace

extern constinit const Command topology_command{
    .name = "topology",
    .summary = "draw what hwloc, NCCL or Slurm files say about machines",
    .synopsis = "topology [--json] FILE...",
    .operand = "FILE",
    .options = kTopologyOptions,
    .description =
        "Imports hwloc XML, NCCL topology XML or Slurm's topology.conf, and draws what\n"
        "the library sees: NUMA nodes with their cores, PCIe switches, GPUs, links, NICs;\n"
        "or the network's domains. For several files it says how many classes of machines\n"
        "they form and which files are of each, and draws each class once. XML is first\n"
        "parsed in a process with limited memory and time.\n"
        "A FILE of '-' is standard input.\n"
        "\n"
        "Exit status: 0 all could be imported, 2 an error.\n",
    .examples =
        "  lstopo --of xml | cede topology -\n"
        "  cede topology captures/*.xml\n"
        "  cede topology /etc/slurm/topology.conf\n"
        "  cede topology --json node.xml | jq '.classes[0].topology.topology'\n",
    .run = run_topology,
};

}  // namespace cli
