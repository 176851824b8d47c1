// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

// Writes the XML of a small machine: two packages, each a NUMA node of two cores with two CPUs, and whatever
// devices a test hangs below them. Lines are kept short so that tests can name them.
class HwlocSample {
 public:
  std::string os(const std::string& name, int type, const std::string& subtype = "") {
    gp_[name] = next_;
    return open("OSDev", "name=\"" + name + "\" osdev_type=\"" + std::to_string(type) + "\"" +
                             (subtype.empty() ? "" : " subtype=\"" + subtype + "\"")) +
           close();
  }
  // `type` is the class and numbers: `0302 [10de:2330]`.
  std::string pci(const std::string& address, const std::string& type, const std::string& children = "",
                  const std::string& subtype = "") {
    gp_[address] = next_;
    const std::string tag = "pci_busid=\"" + address + "\" pci_type=\"" + type + " [0000:0000] 01\"" +
                            (subtype.empty() ? "" : " subtype=\"" + subtype + "\"");
    return open("PCIDev", tag) + children + close();
  }
  // A GPU with its NVML device `nvmlN`.
  std::string gpu(const std::string& address, int number, const std::string& type = "0302 [10de:2330]") {
    return pci(address, type, os("nvml" + std::to_string(number), 1, "NVML"));
  }
  std::string port(const std::string& buses, const std::string& children) {
    return open("Bridge", "bridge_type=\"1-1\" bridge_pci=\"" + buses +
                              "\" pci_busid=\"0000:00:01.0\" pci_type=\"0604 [1000:c030] [0000:0000] 01\"") +
           children + close();
  }
  std::string host(const std::string& buses, const std::string& children) {
    return open("Bridge", "bridge_type=\"0-1\" bridge_pci=\"" + buses + "\"") + children + close();
  }
  // Every GPU behind a port and a host bridge of its own.
  std::string alone(const std::string& device) { return host("0000:[00-ff]", port("0000:[01-ff]", device)); }

  std::string matrix(const std::string& name, const std::vector<std::string>& objects,
                     const std::vector<std::vector<int>>& values, bool typed = false) const {
    std::string indexes;
    for (const std::string& object : objects) {
      if (typed) indexes += object.find(':') == std::string::npos ? "OSDev:" : "PCIDev:";
      indexes += std::to_string(gp_.at(object)) + " ";
    }
    std::string numbers;
    for (const auto& row : values) {
      for (const int value : row) numbers += std::to_string(value) + " ";
    }
    const std::string element = typed ? "distances2hetero" : "distances2";
    return "<" + element + (typed ? "" : " type=\"OSDev\"") + " nbobjs=\"" + std::to_string(objects.size()) +
           "\" kind=\"9\" name=\"" + name + "\" indexing=\"gp\">\n<indexes length=\"" +
           std::to_string(indexes.size()) + "\">" + indexes + "</indexes>\n<u64values length=\"" +
           std::to_string(numbers.size()) + "\">" + numbers + "</u64values>\n</" + element + ">\n";
  }

  // The whole text: devices of the first and second package and of the machine, and what follows the objects.
  std::string text(const std::string& first = "", const std::string& second = "",
                   const std::string& machine = "", const std::string& tail = "") const {
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
           "<topology version=\"2.0\">\n<object type=\"Machine\" os_index=\"0\" " +
           sets("0x000000ff", "0x00000003") + " allowed_cpuset=\"" + allowed + "\" gp_index=\"1\">\n" +
           "<info name=\"HostName\" value=\"node17\"/>\n" + package(0, first) + package(1, second) + machine +
           extra_nodes + "</object>\n" + tail + "<support name=\"discovery.pu\"/>\n</topology>\n";
  }

  std::string allowed = "0x000000ff";
  std::string extra_nodes;  // children of the machine behind its devices

  static std::string sets(const std::string& cpus, const std::string& nodes) {
    return "cpuset=\"" + cpus + "\" complete_cpuset=\"" + cpus + "\" nodeset=\"" + nodes +
           "\" complete_nodeset=\"" + nodes + "\"";
  }

 private:
  std::string open(const std::string& type, const std::string& attributes) {
    return "<object type=\"" + type + "\" gp_index=\"" + std::to_string(next_++) + "\" " + attributes + ">\n";
  }
  static std::string close() { return "</object>\n"; }

  static std::string package(int number, const std::string& devices) {
    const std::array<std::string, 2> cpus{"0x0000000f", "0x000000f0"};
    const std::array<std::string, 2> node{"0x00000001", "0x00000002"};
    const auto at = static_cast<std::size_t>(number);
    const auto gp = [&](int n) { return " gp_index=\"" + std::to_string(10 * (number + 1) + n) + "\""; };
    const std::string own = sets(cpus[at], node[at]);
    std::string out =
        "<object type=\"Package\" os_index=\"" + std::to_string(number) + "\" " + own + gp(0) + ">\n";
    out += "<object type=\"NUMANode\" os_index=\"" + std::to_string(number) + "\" " + own + gp(1) + "/>\n";
    for (int core = 0; core < 2; ++core) {
      const int cpu = 4 * number + 2 * core;
      out += "<object type=\"Core\" os_index=\"" + std::to_string(core) + "\" " +
             sets(hex(3u << cpu), node[at]) + gp(2 + 3 * core) + ">\n";
      for (int thread = 0; thread < 2; ++thread) {
        out += "<object type=\"PU\" os_index=\"" + std::to_string(cpu + thread) + "\" " +
               sets(hex(1u << (cpu + thread)), node[at]) + gp(3 + 3 * core + thread) + "/>\n";
      }
      out += close();
    }
    return out + devices + close();
  }
  static std::string hex(unsigned value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out = "0x00000000";
    for (std::size_t i = 9; value != 0; --i, value >>= 4) out[i] = digits[value & 15];
    return out;
  }

  unsigned next_ = 100;
  std::map<std::string, unsigned> gp_;
};

}  // namespace cede
