// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/node_class.h"
#include "topology/import/device_catalogue.h"

namespace cede {

struct PciAddress {
  std::uint32_t domain = 0;
  std::uint8_t bus = 0;
  std::uint8_t device = 0;
  std::uint8_t function = 0;
  auto operator<=>(const PciAddress&) const = default;
};

// `0000:3b:00.0`
bool parse_pci_address(std::string_view text, PciAddress& out);
std::string to_string(const PciAddress& address);

// An NCCL topology file as written: what is below which CPU, without conclusions.
struct NcclTree {
  struct Pci {
    PciAddress address;
    std::uint32_t pci_class = 0;  // `0x030200`; 0: not given
    PciId id;
    int numa = -1;          // of the CPU above it; -1: not known
    std::size_t top = 0;    // the outermost <pci> around it, or itself
    std::size_t gpus = 0;   // how many <gpu> it contains
    std::size_t below = 0;  // how many <pci> it contains
    std::uint32_t line = 0;
  };
  struct Link {
    PciAddress target;
    std::uint32_t target_class = 0;
    std::uint32_t count = 0;
  };
  struct Gpu {
    std::uint32_t dev = 0;
    std::size_t pci = 0;
    std::vector<Link> links;
    std::uint32_t line = 0;
  };
  struct Net {
    std::string name;
    int pci = -1;  // -1: directly below a CPU
    int numa = -1;
  };

  std::vector<int> cpus;  // their NUMA nodes
  std::vector<Pci> pci;
  std::vector<Gpu> gpus;
  std::vector<Net> nets;
};

// Reads the file under the limits of xml_reader.h. Unknown elements are skipped, because every version of
// NCCL adds some. On false `why` is one sentence with the line.
bool read_nccl_tree(std::string_view xml, NcclTree& out, std::string& why);

// Turns an NCCL topology (what NCCL and RCCL write to NCCL_TOPO_DUMP_FILE) into a node class. Returns false,
// with one sentence in `why` and `out` untouched, if the text is malformed or the machine exceeds the limits
// of hwloc_import.h.
//
// * Devices are the <gpu> elements by `dev`, which must count from 0. A file written as input for NCCL has
//   none; there, devices are the PCI devices of a GPU's class by address. Several <gpu> on one PCI device are
//   its partitions.
// * `numa` has an entry for every id up to the largest. Everything below one <pci> of a CPU is one `pcie`
//   mask, because NCCL leaves out the CPU's own ports. The file does not contain sockets, host bridges and
//   cores.
// * Two devices are linked if each names the other, or if both reach an NVSwitch (tclass 0x068000): all
//   switches of a machine are one fabric. Links are known if the file shows any and all of them lead to
//   another device.
// * NICs are the <net> elements or, if there are none, the PCI devices of a network class, by PCI address.
bool import_nccl_xml(std::string_view xml, NodeClass& out, std::string& why);

}  // namespace cede
