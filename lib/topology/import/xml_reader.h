// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cede {

inline constexpr std::size_t kMaxXmlBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxXmlObjects = 20'000;
inline constexpr std::size_t kMaxMatrixObjects = 256;

// The root object of a cleaned text carries this info. A topology without it did not come from that text.
inline constexpr const char* kScanMark = "CedeScan";

// The part of the input that hwloc may see.
struct CleanXml {
  std::string text;
  // The CPUs that jobs may use, as hwloc writes sets; empty: all. hwloc does not get them: it would cut the
  // machine down to them and, with HWLOC_THISSYSTEM in the environment, to those of the local machine.
  std::string allowed_cpuset;
};

// Reads an hwloc XML export (1.x or 2.x) as untrusted input and writes the part that hwloc may see. hwloc 2.9
// crashes, asserts or prints on some malformed texts, so it never gets the original. `clean` holds only
// elements, attributes and link matrices that the import uses, in the form that hwloc itself would write.
// Every rule that hwloc relies on without checking is checked here:
//
// * at most kMaxXmlBytes, kMaxXmlDepth levels, kMaxXmlObjects objects, kMaxMatrixObjects per matrix, no
//   userdata;
// * every object of the CPU and memory tree has all its sets, they are inside its parent's, siblings are
//   disjoint and in order, a PU or NUMA node is exactly the member that its os_index names;
// * objects are nested as hwloc nests them; gp_index is present, unique and below 2^31; matrices name
//   existing objects.
//
// One pass, time linear in the text. On false `why` is one sentence with the line.
bool scan_hwloc_xml(std::string_view xml, CleanXml& clean, std::string& why);

inline constexpr std::size_t kMaxXmlDepth = 64;
inline constexpr std::size_t kMaxXmlAttributes = 64;

// Both views point into the text. The value is as written, with its references not replaced.
struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

// Reads the subset of XML that hwloc writes, in one pass, never backwards: elements, attributes, text,
// comments, one declaration and a DOCTYPE without a subset. Everything else is a fault, because input that is
// never read cannot attack the parser behind this one.
class XmlReader {
 public:
  enum class Token : std::uint8_t { open, close, text, end, fault };

  // `expected` describes what the text should be, for the error if it is not XML at all.
  explicit XmlReader(std::string_view text, std::string_view expected = "an hwloc XML export")
      : text_(text), expected_(expected) {}

  // An empty element gives open and then close. Text of white space only is skipped.
  Token next();

  std::string_view name() const { return name_; }
  std::span<const XmlAttribute> attributes() const { return attributes_; }
  std::string_view text() const { return content_; }
  // The value, or a view without data if the element has no such attribute.
  std::string_view attribute(std::string_view name) const;
  std::size_t depth() const { return open_.size(); }
  // Where the token starts.
  std::uint32_t line() const { return line_; }
  const std::string& why() const { return why_; }

 private:
  struct Element {
    std::string_view name;
    std::uint32_t line;
  };

  Token fault(std::string why);
  Token ended_early(std::string_view inside);
  bool at(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void advance(std::size_t to);
  bool skip_space();
  std::string_view take_name();
  Token read_markup();
  Token read_special();
  Token read_close();
  Token read_open();
  bool read_attribute();
  Token read_text();

  std::string_view text_;
  std::string_view expected_;
  std::size_t at_ = 0;
  std::uint32_t at_line_ = 1;  // of at_
  std::uint32_t line_ = 1;
  std::string_view name_;
  std::string_view content_;
  std::vector<XmlAttribute> attributes_;
  std::vector<Element> open_;
  bool close_pending_ = false;
  bool started_ = false;  // the first element was seen
  std::string why_;
};

}  // namespace cede
