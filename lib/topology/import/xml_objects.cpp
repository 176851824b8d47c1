// SPDX-License-Identifier: MIT
#include "topology/import/xml_objects.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <vector>

#include "base/text.h"
#include "topology/import/xml_reader.h"

namespace cede {

namespace {

bool parse_field(std::string_view field, std::uint32_t& out) {
  out = 0;
  if (field.empty()) return true;
  if (!field.starts_with("0x") || field.size() < 3 || field.size() > 10) return false;
  const char* const end = field.data() + field.size();
  const auto [at, error] = std::from_chars(field.data() + 2, end, out, 16);
  return error == std::errc{} && at == end;
}

}  // namespace

bool XmlSet::parse(std::string_view text) {
  words_.clear();
  if (!text.starts_with("0x")) return false;
  for (;;) {
    const std::size_t comma = text.rfind(',');
    const bool last = comma == std::string_view::npos;
    std::uint32_t word = 0;
    if (!parse_field(last ? text : text.substr(comma + 1), word)) return false;
    if (words_.size() == kMaxSetBits / 32) return false;
    words_.push_back(word);
    if (last) break;
    text = text.substr(0, comma);
  }
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
  return true;
}

bool XmlSet::contains(const XmlSet& other) const {
  if (other.words_.size() > words_.size()) return false;
  return std::equal(
      other.words_.begin(), other.words_.end(), words_.begin(),
      [](std::uint32_t other_word, std::uint32_t own_word) { return (other_word & ~own_word) == 0; });
}

bool XmlSet::intersects(const XmlSet& other) const {
  const std::size_t shared = std::min(words_.size(), other.words_.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if ((words_[i] & other.words_[i]) != 0) return true;
  }
  return false;
}

bool XmlSet::is_only(std::uint32_t member) const {
  return words_.size() == member / 32 + 1 && words_.back() == std::uint32_t{1} << member % 32 &&
         first() == member;
}

std::uint32_t XmlSet::first() const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] != 0)
      return static_cast<std::uint32_t>(i * 32) + static_cast<std::uint32_t>(std::countr_zero(words_[i]));
  }
  return kMaxSetBits;
}

void XmlSet::add(const XmlSet& other) {
  if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
  std::transform(other.words_.begin(), other.words_.end(), words_.begin(), words_.begin(), std::bit_or<>{});
}

namespace {

class MatrixReader {
 public:
  MatrixReader(XmlReader& reader, std::span<const XmlIndexedObject> objects, std::string& why)
      : reader_(reader),
        objects_(objects),
        why_(why),
        line_(reader.line()),
        typed_(reader.name() == "distances2hetero") {}

  bool read(std::string& clean) {
    const std::string_view name = reader_.attribute("name");
    std::uint64_t kind = 0;
    if (!parse_decimal(reader_.attribute("nbobjs"), kMaxMatrixObjects, size_)) {
      return fail("matrix " + quote(name) + " has nbobjs " + quote(reader_.attribute("nbobjs")) +
                  ", outside 0.." + std::to_string(kMaxMatrixObjects));
    }
    const bool kept = size_ >= 2 && std::count(kLinkMatrices.begin(), kLinkMatrices.end(), name) > 0;
    if (kept && (!parse_decimal(reader_.attribute("kind"), 1u << 16, kind) || kind == 0)) {
      return fail("matrix " + quote(name) + " has no kind");
    }
    if (kept && !typed_ && reader_.attribute("indexing") != "gp") {
      return fail("matrix " + quote(name) + " does not name its objects by gp_index");
    }
    if (!read_content(kept)) return false;
    if (!kept) return true;
    if (indexes_.size() != size_ || values_.size() != size_ * size_) {
      return fail("matrix " + quote(name) + " of " + std::to_string(size_) + " objects has " +
                  std::to_string(indexes_.size()) + " indexes and " + std::to_string(values_.size()) +
                  " values");
    }
    return resolve(name) && write(clean, name, kind);
  }

 private:
  bool fail(std::string text) const {
    why_ = std::move(text) + " (line " + std::to_string(line_) + ")";
    return false;
  }

  bool read_content(bool kept) {
    const std::size_t depth = reader_.depth();
    std::string_view element;
    for (;;) {
      switch (reader_.next()) {
        case XmlReader::Token::open: element = reader_.name(); break;
        case XmlReader::Token::close:
          if (reader_.depth() < depth) return true;
          break;
        case XmlReader::Token::text:
          if (kept && element == "indexes" && !read_numbers(indexes_, size_, typed_)) return false;
          if (kept && element == "u64values" && !read_numbers(values_, size_ * size_, false)) return false;
          break;
        default: why_ = reader_.why(); return false;
      }
    }
  }

  // hwloc would read a leading zero as an octal number, so the parsed value is written back.
  bool read_numbers(std::vector<std::uint64_t>& out, std::uint64_t most, bool typed) {
    std::string_view text = reader_.text();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
      std::string_view word = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (word.empty()) continue;
      if (typed) word.remove_prefix(std::min(word.find(':') + 1, word.size()));
      std::uint64_t value = 0;
      if (!parse_decimal(word, ~std::uint64_t{0}, value))
        return fail(quote(word) + " in a matrix is not a number");
      if (out.size() == most)
        return fail("a matrix of " + std::to_string(size_) + " objects has more numbers than that");
      out.push_back(value);
    }
    return true;
  }

  bool resolve(std::string_view name) {
    for (const std::uint64_t index : indexes_) {
      const auto found =
          std::lower_bound(objects_.begin(), objects_.end(), index,
                           [](const XmlIndexedObject& o, std::uint64_t gp) { return o.gp_index < gp; });
      if (found == objects_.end() || found->gp_index != index) {
        return fail("matrix " + quote(name) + " names gp_index '" + std::to_string(index) +
                    "', which no object has");
      }
      types_.push_back(found->type);
    }
    std::vector<std::uint64_t> sorted = indexes_;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      return fail("matrix " + quote(name) + " names an object twice");
    }
    if (typed_) return true;
    const bool uniform =
        std::all_of(types_.begin(), types_.end(), [&](auto type) { return type == types_.front(); });
    return uniform || fail("matrix " + quote(name) + " names objects of different types");
  }

  bool write(std::string& clean, std::string_view name, std::uint64_t kind) const {
    std::string indexes;
    for (std::size_t i = 0; i < indexes_.size(); ++i) {
      if (typed_) indexes += std::string(types_[i]) + ':';
      indexes += std::to_string(indexes_[i]) + ' ';
    }
    std::string values;
    for (const std::uint64_t value : values_) values += std::to_string(value) + ' ';

    const std::string element = typed_ ? "distances2hetero" : "distances2";
    clean += '<' + element;
    if (!typed_) append_attribute(clean, "type", types_.front());
    append_attribute(clean, "nbobjs", std::to_string(size_));
    append_attribute(clean, "kind", std::to_string(kind));
    append_attribute(clean, "name", name);
    if (!typed_) append_attribute(clean, "indexing", "gp");
    clean += ">\n<indexes length=\"" + std::to_string(indexes.size()) + "\">" + indexes + "</indexes>\n";
    clean += "<u64values length=\"" + std::to_string(values.size()) + "\">" + values + "</u64values>\n</" +
             element + ">\n";
    return true;
  }

  XmlReader& reader_;
  std::span<const XmlIndexedObject> objects_;
  std::string& why_;
  std::uint32_t line_;
  bool typed_;
  std::uint64_t size_ = 0;
  std::vector<std::uint64_t> indexes_, values_;
  std::vector<std::string_view> types_;
};

}  // namespace

bool read_xml_matrix(XmlReader& reader, std::span<const XmlIndexedObject> objects, std::string& clean,
                     std::string& why) {
  return MatrixReader(reader, objects, why).read(clean);
}

namespace {

struct TypeName {
  std::string_view name;
  XmlKind kind;
  unsigned first, last;  // major versions that write it
};

constexpr std::array<TypeName, 23> kTypes{{
    {"Machine", XmlKind::machine, 1, 2},
    {"System", XmlKind::machine, 1, 1},
    {"Socket", XmlKind::group, 1, 1},
    {"Package", XmlKind::group, 1, 2},
    {"Die", XmlKind::group, 2, 2},
    {"Core", XmlKind::group, 1, 2},
    {"Group", XmlKind::group, 1, 2},
    {"PU", XmlKind::pu, 1, 2},
    {"Cache", XmlKind::cache, 1, 1},
    {"L1Cache", XmlKind::cache, 2, 2},
    {"L2Cache", XmlKind::cache, 2, 2},
    {"L3Cache", XmlKind::cache, 2, 2},
    {"L4Cache", XmlKind::cache, 2, 2},
    {"L5Cache", XmlKind::cache, 2, 2},
    {"L1iCache", XmlKind::cache, 2, 2},
    {"L2iCache", XmlKind::cache, 2, 2},
    {"L3iCache", XmlKind::cache, 2, 2},
    {"NUMANode", XmlKind::numa, 1, 2},
    {"MemCache", XmlKind::memory_cache, 2, 2},
    {"Bridge", XmlKind::bridge, 1, 2},
    {"PCIDev", XmlKind::pci, 1, 2},
    {"OSDev", XmlKind::os, 1, 2},
    {"Misc", XmlKind::misc, 1, 2},
}};

// In a pattern `X` is one hexadecimal digit, `~` one or more, and `?` makes the rest optional.
bool matches(std::string_view text, std::string_view pattern) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  for (const char p : pattern) {
    if (p == '?') {
      if (text.empty()) return true;
      continue;
    }
    if (text.empty()) return false;
    if (p == 'X' || p == '~') {
      if (!is_hex(text.front())) return false;
      text.remove_prefix(1);
      while (p == '~' && !text.empty() && is_hex(text.front())) text.remove_prefix(1);
    } else {
      if (text.front() != p) return false;
      text.remove_prefix(1);
    }
  }
  return text.empty();
}

std::uint64_t leading_hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && at != text.data() ? value : ~std::uint64_t{0};
}

// The tree of CPUs; in 1.x it also contained the NUMA nodes.
bool is_normal(XmlKind kind, unsigned version) {
  return kind <= XmlKind::pu || (kind == XmlKind::numa && version == 1);
}

bool may_hold(XmlKind parent, XmlKind child, unsigned version) {
  if (child == XmlKind::machine) return false;
  if (is_normal(child, version)) return is_normal(parent, version) && parent != XmlKind::pu;
  switch (child) {
    case XmlKind::numa:
    case XmlKind::memory_cache:
      return (is_normal(parent, version) && parent != XmlKind::pu) || parent == XmlKind::memory_cache;
    case XmlKind::bridge:
    case XmlKind::pci: return is_normal(parent, version) || parent == XmlKind::bridge;
    case XmlKind::os:
      return is_normal(parent, version) || parent == XmlKind::bridge || parent == XmlKind::pci ||
             parent == XmlKind::os;
    default: return true;  // misc, which is dropped with its contents
  }
}

class ObjectReader {
 public:
  ObjectReader(const XmlReader& reader, unsigned version, XmlObject* parent, XmlObject& out, std::string& why)
      : reader_(reader), version_(version), parent_(parent), out_(out), why_(why) {}

  bool read() {
    if (!read_type()) return false;
    if (out_.dropped) return true;
    return read_index() && read_sets() && check_members() && check_place() && check_device();
  }

  void write(std::string& clean) const {
    clean += "<object";
    append_attribute(clean, "type", out_.type);
    // The order is hwloc's. Only these attributes can reach its parser.
    for (const std::string_view name :
         {"os_index", "cpuset", "complete_cpuset", "nodeset", "complete_nodeset", "name", "pci_busid",
          "pci_type", "bridge_type", "bridge_pci", "osdev_type"}) {
      copy(clean, name);
    }
    if (out_.kind == XmlKind::cache || out_.kind == XmlKind::memory_cache) {
      copy(clean, "depth");
      copy(clean, "cache_type");
    }
    if (version_ == 2) {
      copy(clean, "gp_index");
      copy(clean, "subtype");
    }
    clean += ">\n";
  }

 private:
  bool fail(std::string text) const {
    why_ = std::move(text) + " (line " + std::to_string(reader_.line()) + ")";
    return false;
  }
  std::string what() const { return "object of type " + quote(out_.type); }
  void copy(std::string& clean, std::string_view name) const {
    if (const std::string_view value = reader_.attribute(name); value.data())
      append_attribute(clean, name, value);
  }

  bool read_type() {
    out_.type = reader_.attribute("type");
    const auto* const known = std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& type) {
      return type.name == out_.type && type.first <= version_ && version_ <= type.last;
    });
    if (out_.type.empty() || known == kTypes.end()) {
      return fail(out_.type.data() ? quote(out_.type) + " is not an object type of hwloc " +
                                         std::to_string(version_) + ".x"
                                   : "an object has no type");
    }
    out_.kind = known->kind;
    // 1.x also wrote groups of CPUs as Misc; hwloc 2 turns those with a cpuset into groups.
    if (out_.kind == XmlKind::misc && version_ == 1 && reader_.attribute("cpuset").data())
      out_.kind = XmlKind::group;
    if (!parent_) {
      return out_.kind == XmlKind::machine ||
             fail("the outermost object is " + quote(out_.type) + ", not 'Machine'");
    }
    if (!may_hold(parent_->kind, out_.kind, version_)) {
      return fail(what() + " inside one of type " + quote(parent_->type));
    }
    // hwloc 2.9 cannot store a PCI domain of more than 16 bits (disks behind Intel VMD have one).
    const bool is_pci = out_.kind == XmlKind::pci || out_.kind == XmlKind::bridge;
    const auto wide = [&](std::string_view name) {
      const std::string_view value = reader_.attribute(name);
      return matches(value, name == "pci_busid" ? "~:XX:XX.X" : "~:[XX-XX]") && leading_hex(value) > 0xffff;
    };
    out_.dropped = out_.kind == XmlKind::misc || (is_pci && (wide("pci_busid") || wide("bridge_pci")));
    return true;
  }

  bool read_index() {
    if (version_ < 2) return true;
    const std::string_view text = reader_.attribute("gp_index");
    if (!text.data()) return fail(what() + " has no gp_index; hwloc 2 writes one for every object");
    std::uint64_t value = 0;
    if (!parse_decimal(text, (std::uint64_t{1} << 31) - 1, value) || value == 0) {
      return fail("gp_index " + quote(text) + " is outside 1..2147483647");
    }
    out_.gp_index = static_cast<std::uint32_t>(value);
    return true;
  }

  bool read_set(std::string_view name, XmlSet& set) {
    const std::string_view text = reader_.attribute(name);
    if (!text.data()) {
      return fail(what() + " lacks " + std::string(name) + ", which every object of CPUs or memory needs");
    }
    return set.parse(text) ||
           fail(std::string(name) + " " + quote(text) + " is not a finite set of at most " +
                std::to_string(kMaxSetBits) + " members");
  }

  bool read_sets() {
    const bool has_sets = is_normal(out_.kind, version_) || out_.kind <= XmlKind::memory_cache;
    if (!has_sets) {
      for (const std::string_view name : {"cpuset", "complete_cpuset", "nodeset", "complete_nodeset"}) {
        if (reader_.attribute(name).data())
          return fail(what() + " has a " + std::string(name) + ", but is a device");
      }
      return true;
    }
    if (!read_set("cpuset", out_.cpuset) || !read_set("complete_cpuset", out_.complete_cpuset)) return false;
    out_.has_nodesets = version_ == 2 || reader_.attribute("nodeset").data() ||
                        reader_.attribute("complete_nodeset").data() || out_.kind == XmlKind::numa;
    if (out_.has_nodesets &&
        (!read_set("nodeset", out_.nodeset) || !read_set("complete_nodeset", out_.complete_nodeset))) {
      return false;
    }
    return true;
  }

  // PUs and NUMA nodes are the members of all other sets.
  bool check_members() {
    std::uint64_t os_index = 0;
    const std::string_view text = reader_.attribute("os_index");
    if (text.data() && !parse_decimal(text, 0xffffffffu, os_index)) {
      return fail("os_index " + quote(text) + " is outside 0..4294967295");
    }
    if (out_.kind != XmlKind::pu && out_.kind != XmlKind::numa) return true;
    const bool is_pu = out_.kind == XmlKind::pu;
    const XmlSet& own = is_pu ? out_.complete_cpuset : out_.complete_nodeset;
    if (!text.data() || os_index >= kMaxSetBits || !own.is_only(static_cast<std::uint32_t>(os_index))) {
      return fail(what() + " must have " + (is_pu ? "complete_cpuset" : "complete_nodeset") +
                  " hold its os_index and nothing else");
    }
    return true;
  }

  bool check_place() {
    if (!is_normal(out_.kind, version_) && out_.kind > XmlKind::memory_cache) return true;
    if (!out_.complete_cpuset.contains(out_.cpuset) || !out_.complete_nodeset.contains(out_.nodeset)) {
      return fail(what() + " has a set that is larger than its complete set");
    }
    if (!parent_) return true;
    if (!parent_->cpuset.contains(out_.cpuset) || !parent_->complete_cpuset.contains(out_.complete_cpuset) ||
        !parent_->nodeset.contains(out_.nodeset) ||
        !parent_->complete_nodeset.contains(out_.complete_nodeset)) {
      return fail(what() + " has members that the object around it lacks");
    }
    if (!is_normal(out_.kind, version_)) return true;
    const std::uint32_t first = out_.complete_cpuset.first();
    if (parent_->complete_child_cpus.intersects(out_.complete_cpuset))
      return fail(what() + " shares CPUs with one before it");
    if (first < parent_->last_child) return fail(what() + " is not in the order of CPUs");
    parent_->complete_child_cpus.add(out_.complete_cpuset);
    parent_->child_cpus.add(out_.cpuset);
    parent_->last_child = first;
    return true;
  }

  bool check_format(std::string_view name, std::string_view pattern, std::string_view example) const {
    const std::string_view value = reader_.attribute(name);
    if (matches(value, pattern)) return true;
    return fail(
        what() +
        (value.data() ? " has " + std::string(name) + " " + quote(value) : " lacks " + std::string(name)) +
        "; it looks like '" + std::string(example) + "'");
  }

  bool check_device() {
    switch (out_.kind) {
      case XmlKind::cache:
      case XmlKind::memory_cache: return check_cache();
      case XmlKind::bridge: {
        const std::string_view type = reader_.attribute("bridge_type");
        if (type != "0-1" && type != "1-1")
          return fail("bridge_type " + quote(type) + " is neither '0-1' nor '1-1'");
        if (!check_format("bridge_pci", "~:[XX-XX]", "0000:[00-05]")) return false;
        return type == "0-1" || check_pci();
      }
      case XmlKind::pci: return check_pci();
      case XmlKind::os: {
        std::uint64_t type = 0;
        const std::string_view text = reader_.attribute("osdev_type");
        return parse_decimal(text, 31, type) ||
               fail(what() + " has osdev_type " + quote(text) + ", not a small number");
      }
      default: return true;
    }
  }

  bool check_pci() const {
    return check_format("pci_busid", "~:XX:XX.X", "0000:3b:00.0") &&
           check_format("pci_type", "XXXX [XXXX:XXXX] [XXXX:XXXX] XX? XX", "0302 [10de:2330] [10de:16c1] a1");
  }

  // A cache states its type twice: `L1iCache` has depth 1 and cache_type 2.
  bool check_cache() const {
    std::uint64_t depth = 0;
    std::uint64_t type = 0;
    const bool read = parse_decimal(reader_.attribute("depth"), 5, depth) && depth >= 1 &&
                      parse_decimal(reader_.attribute("cache_type"), 2, type) && (type != 2 || depth <= 3);
    const bool named = out_.kind == XmlKind::cache && out_.type != "Cache";
    const bool agrees =
        !named || (out_.type[1] == static_cast<char>('0' + depth) && (out_.type[2] == 'i') == (type == 2));
    return (read && agrees) || fail(what() + " has a depth or cache_type that is not its own");
  }

  const XmlReader& reader_;
  unsigned version_;
  XmlObject* parent_;
  XmlObject& out_;
  std::string& why_;
};

}  // namespace

bool parse_decimal(std::string_view text, std::uint64_t max, std::uint64_t& out) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, out);
  return !text.empty() && error == std::errc{} && at == end && out <= max;
}

void append_attribute(std::string& clean, std::string_view name, std::string_view value) {
  clean += ' ';
  clean += name;
  clean += "=\"";
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '"') {
      clean += "&quot;";
    } else if (value[i] == '>') {
      clean += "&gt;";
    } else if (value.substr(i).starts_with("&apos;")) {
      clean += '\'';
      i += 5;
    } else {
      clean += static_cast<unsigned char>(value[i]) < 0x80 ? value[i] : '?';
    }
  }
  clean += '"';
}

bool is_complete(const XmlObject& object, unsigned version) {
  return !is_normal(object.kind, version) || object.kind == XmlKind::pu ||
         object.child_cpus.contains(object.cpuset);
}

bool read_xml_object(const XmlReader& reader, unsigned version, XmlObject* parent, XmlObject& out,
                     std::string& clean, std::string& why) {
  ObjectReader object(reader, version, parent, out, why);
  if (!object.read()) return false;
  if (!out.dropped) object.write(clean);
  return true;
}

}  // namespace cede
