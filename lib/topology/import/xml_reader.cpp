// SPDX-License-Identifier: MIT
#include "topology/import/xml_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/text.h"
#include "topology/import/xml_objects.h"

namespace cede {

namespace {

using Token = XmlReader::Token;

// The infos that the import uses: names of devices that its catalogue does not know.
constexpr std::array<std::string_view, 2> kInfos{"GPUModel", "PCIDevice"};

class Scan {
 public:
  Scan(std::string_view xml, CleanXml& clean, std::string& why)
      : reader_(xml), out_(clean), clean_(clean.text), why_(why) {}

  bool run() {
    if (reader_.next() != Token::open) return fault();
    if (!read_version()) return false;
    const Token token = reader_.next();
    if (token == Token::fault) return fault();
    if (token != Token::open || reader_.name() != "object")
      return fail("the topology does not start with an object");
    if (!read_object(nullptr) || !check_indexes()) return false;
    if (!read_rest()) return false;
    clean_ += "</topology>\n";
    return reader_.next() == Token::end || fault();
  }

 private:
  bool fail(std::string text) const { return fail_at(reader_.line(), std::move(text)); }
  bool fail_at(std::uint32_t line, std::string text) const {
    why_ = std::move(text) + " (line " + std::to_string(line) + ")";
    return false;
  }
  bool fault() const {
    why_ = reader_.why();
    return false;
  }

  bool read_version() {
    if (reader_.name() != "topology") {
      return fail("the outermost element is " + quote(reader_.name()) +
                  "; an hwloc XML export starts with 'topology'");
    }
    const std::string_view text = reader_.attribute("version");
    if (text.data()) {
      const char* const end = text.data() + text.size();
      const auto [at, error] = std::from_chars(text.data(), end, version_);
      if (error != std::errc{} || (at != end && *at != '.'))
        return fail("version " + quote(text) + " is not a version");
      if (version_ > 2) {
        return fail("hwloc " + std::to_string(version_) +
                    " XML is not read; export it with 'lstopo --export-xml-flags v2 FILE.xml'");
      }
      if (version_ < 1) return fail("version " + quote(text) + " of hwloc XML is not read; 1 and 2 are");
    }
    clean_ += version_ == 1 ? "<topology>\n" : "<topology version=\"2.0\">\n";
    return true;
  }

  bool read_object(XmlObject* parent) {
    if (++objects_ > kMaxXmlObjects)
      return fail("there are more than " + std::to_string(kMaxXmlObjects) + " objects");
    XmlObject object;
    const std::uint32_t line = reader_.line();
    if (!read_xml_object(reader_, version_, parent, object, clean_, why_)) return false;
    if (object.dropped) return skip_element();
    if (version_ == 2) indexed_.push_back({object.gp_index, line, object.type});
    if (object.kind == XmlKind::numa && !take_node(object, line)) return false;
    if (!parent && object.cpuset.empty()) return fail("the machine has no CPU");
    if (!parent && !read_allowed()) return false;
    if (!parent) clean_ += "<info name=\"" + std::string(kScanMark) + "\" value=\"1\"/>\n";
    for (;;) {
      switch (reader_.next()) {
        case Token::open:
          if (!read_child(object)) return false;
          break;
        case Token::close:
          clean_ += "</object>\n";
          if (!is_complete(object, version_)) {
            return fail_at(line,
                           "object of type " + quote(object.type) + " has CPUs that no object in it has");
          }
          // 1.x wrote no nodesets for a machine with a single memory; hwloc handles that.
          if (!parent && object.has_nodesets && (nodes_.empty() || !nodes_.contains(object.nodeset))) {
            return fail_at(line, "the machine's nodeset has members that are not NUMA nodes");
          }
          return true;
        case Token::text: return fail("text " + quote(reader_.text()) + " between elements");
        default: return fault();
      }
    }
  }

  bool read_allowed() {
    const std::string_view text = reader_.attribute("allowed_cpuset");
    XmlSet set;
    if (text.data() && !set.parse(text))
      return fail("allowed_cpuset " + quote(text) + " is not a finite set");
    out_.allowed_cpuset = text;
    return true;
  }

  bool read_child(XmlObject& object) {
    const std::string_view name = reader_.name();
    if (name == "object") {
      object.has_children = true;
      return read_object(&object);
    }
    if (name == "userdata") return fail("userdata is not read; export without it");
    if (name == "info") {
      if (object.has_children) return fail("an info behind the objects it should stand before");
      read_info();
      return skip_element();
    }
    if (name == "distances") {
      std::uint64_t size = 0;
      if (!parse_decimal(reader_.attribute("nbobjs"), kMaxMatrixObjects, size)) {
        return fail("a matrix has nbobjs " + quote(reader_.attribute("nbobjs")) + ", outside 0.." +
                    std::to_string(kMaxMatrixObjects));
      }
      return skip_element();
    }
    return name == "page_type" ? skip_element() : fail("element " + quote(name) + " inside an object");
  }

  void read_info() {
    const std::string_view name = reader_.attribute("name");
    if (std::count(kInfos.begin(), kInfos.end(), name) == 0 || reader_.attribute("value").empty()) return;
    clean_ += "<info";
    append_attribute(clean_, "name", name);
    append_attribute(clean_, "value", reader_.attribute("value"));
    clean_ += "/>\n";
  }

  bool take_node(const XmlObject& node, std::uint32_t line) {
    if (nodes_.intersects(node.complete_nodeset))
      return fail_at(line, "two NUMA nodes have the same os_index");
    nodes_.add(node.complete_nodeset);
    return true;
  }

  bool skip_element() {
    const std::size_t depth = reader_.depth();
    for (;;) {
      switch (reader_.next()) {
        case Token::open:
          if (reader_.name() == "userdata") return fail("userdata is not read; export without it");
          if (reader_.name() == "object" && ++objects_ > kMaxXmlObjects) {
            return fail("there are more than " + std::to_string(kMaxXmlObjects) + " objects");
          }
          break;
        case Token::close:
          if (reader_.depth() < depth) return true;
          break;
        case Token::text: break;
        default: return fault();
      }
    }
  }

  bool check_indexes() {
    std::sort(indexed_.begin(), indexed_.end(), [](const XmlIndexedObject& a, const XmlIndexedObject& b) {
      return a.gp_index != b.gp_index ? a.gp_index < b.gp_index : a.line < b.line;
    });
    const auto twice = std::adjacent_find(indexed_.begin(), indexed_.end(), [](const auto& a, const auto& b) {
      return a.gp_index == b.gp_index;
    });
    if (twice == indexed_.end()) return true;
    return fail_at(twice[1].line, "gp_index '" + std::to_string(twice->gp_index) +
                                      "' is already that of the object on line " +
                                      std::to_string(twice->line));
  }

  // The elements after the objects. Memory attributes, kinds of CPU and the like say nothing about devices.
  bool read_rest() {
    std::vector<std::string_view> seen;
    for (;;) {
      switch (reader_.next()) {
        case Token::open: {
          const std::string_view name = reader_.name();
          if (name == "object") return fail("a second outermost object");
          if (name != "distances2" && name != "distances2hetero") {
            if (name == "userdata") return fail("userdata is not read; export without it");
            if (!skip_element()) return false;
            break;
          }
          const std::string_view matrix = reader_.attribute("name");
          if (std::count(kLinkMatrices.begin(), kLinkMatrices.end(), matrix) > 0) {
            if (std::count(seen.begin(), seen.end(), matrix) > 0)
              return fail("a second matrix " + quote(matrix));
            seen.push_back(matrix);
          }
          if (!read_xml_matrix(reader_, indexed_, clean_, why_)) return false;
          break;
        }
        case Token::close: return true;
        case Token::text: return fail("text " + quote(reader_.text()) + " between elements");
        default: return fault();
      }
    }
  }

  XmlReader reader_;
  CleanXml& out_;
  std::string& clean_;
  std::string& why_;
  unsigned version_ = 1;  // hwloc 1.x wrote none
  std::size_t objects_ = 0;
  std::vector<XmlIndexedObject> indexed_;
  XmlSet nodes_;
};

}  // namespace

bool scan_hwloc_xml(std::string_view xml, CleanXml& clean, std::string& why) {
  clean = {};
  why.clear();
  if (xml.size() > kMaxXmlBytes) {
    why = "the text has " + std::to_string(xml.size()) + " bytes; at most " + std::to_string(kMaxXmlBytes) +
          " are read";
    return false;
  }
  if (!is_utf8(xml)) {
    why = "the text is not UTF-8";
    return false;
  }
  clean.text.reserve(xml.size());
  return Scan(xml, clean, why).run();
}

namespace {

bool is_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
}
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && !is_xml_space(c); }

// The references that hwloc writes. Each names a character, so none can refer to anything else.
constexpr std::array<std::string_view, 8> kReferences{"&lt;",   "&gt;", "&amp;", "&quot;",
                                                      "&apos;", "&#9;", "&#10;", "&#13;"};

}  // namespace

XmlReader::Token XmlReader::fault(std::string why) {
  why_ = std::move(why) + " (line " + std::to_string(at_line_) + ")";
  return Token::fault;
}

XmlReader::Token XmlReader::ended_early(std::string_view inside) {
  return fault("the text ends inside " + std::string(inside) + ": it was cut off");
}

void XmlReader::advance(std::size_t to) {
  at_line_ += static_cast<std::uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                    text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  at_ = to;
}

bool XmlReader::skip_space() {
  std::size_t to = at_;
  while (to < text_.size() && is_xml_space(text_[to])) ++to;
  const bool any = to != at_;
  advance(to);
  return any;
}

std::string_view XmlReader::take_name() {
  std::size_t to = at_;
  if (to < text_.size() && is_letter(text_[to])) {
    while (to < text_.size() && is_name_character(text_[to])) ++to;
  }
  const std::string_view name = text_.substr(at_, to - at_);
  at_ = to;
  return name;
}

std::string_view XmlReader::attribute(std::string_view name) const {
  for (const XmlAttribute& attribute : attributes_) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

XmlReader::Token XmlReader::next() {
  if (!why_.empty()) return Token::fault;
  if (close_pending_) {
    close_pending_ = false;
    name_ = open_.back().name;
    open_.pop_back();
    return Token::close;
  }
  for (;;) {
    skip_space();
    line_ = at_line_;
    if (at_ == text_.size()) {
      if (!open_.empty()) {
        return ended_early("element " + quote(open_.back().name) + " of line " +
                           std::to_string(open_.back().line));
      }
      return started_ ? Token::end
                      : fault("the text has no element; " + std::string(expected_) + " is expected");
    }
    if (text_[at_] != '<') return read_text();
    if (!at("<!") && !at("<?")) return read_markup();
    if (const Token token = read_special(); token == Token::fault) return token;
  }
}

XmlReader::Token XmlReader::read_markup() {
  if (at("</")) return read_close();
  if (open_.empty() && started_) return fault("there is something behind the end of the outermost element");
  return read_open();
}

// Skips tokens without meaning here. A DOCTYPE subset could declare entities, so it is always refused.
XmlReader::Token XmlReader::read_special() {
  std::string_view end = ">";
  std::string_view what = "the DOCTYPE";
  if (at("<!--")) {
    end = "-->";
    what = "a comment";
  } else if (at("<?xml ") && at_ == 0) {
    end = "?>";
    what = "the XML declaration";
  } else if (!at("<!DOCTYPE ") || started_) {
    return fault("markup " + quote(text_.substr(at_, text_.substr(at_).find_first_of(" \n>["))) +
                 " is not read; only elements, attributes and comments are");
  }
  const std::size_t found = text_.find(end, at_ + (what == "a comment" ? 4 : 0));
  const std::string_view body = text_.substr(at_, found == std::string_view::npos ? found : found - at_);
  if (end == ">" && body.find('[') != std::string_view::npos) {
    return fault("a DOCTYPE with an internal subset or entities is not read; remove the DOCTYPE");
  }
  if (found == std::string_view::npos) return ended_early(what);
  advance(found + end.size());
  return Token::open;
}

XmlReader::Token XmlReader::read_close() {
  at_ += 2;
  name_ = take_name();
  skip_space();
  if (at_ == text_.size()) return ended_early("a closing tag");
  if (text_[at_] != '>') return fault("a closing tag is malformed");
  if (open_.empty() || open_.back().name != name_) {
    return fault("closing tag " + quote(name_) + " does not match " +
                 (open_.empty() ? std::string("any element")
                                : "element " + quote(open_.back().name) + " of line " +
                                      std::to_string(open_.back().line)));
  }
  ++at_;
  open_.pop_back();
  return Token::close;
}

XmlReader::Token XmlReader::read_open() {
  ++at_;
  name_ = take_name();
  if (name_.empty()) return at_ == text_.size() ? ended_early("a tag") : fault("an element without a name");
  attributes_.clear();
  for (;;) {
    const bool spaced = skip_space();
    if (at_ == text_.size()) return ended_early("element " + quote(name_));
    if (text_[at_] == '>') break;
    if (text_[at_] == '/') {
      ++at_;
      if (at_ == text_.size()) return ended_early("element " + quote(name_));
      if (text_[at_] != '>') return fault("element " + quote(name_) + " has a stray '/'");
      close_pending_ = true;
      break;
    }
    if (!spaced) return fault("element " + quote(name_) + " lacks a space before an attribute");
    if (!read_attribute()) return Token::fault;
  }
  ++at_;
  if (open_.size() == kMaxXmlDepth) {
    return fault("elements are nested deeper than " + std::to_string(kMaxXmlDepth));
  }
  open_.push_back({name_, line_});
  started_ = true;
  return Token::open;
}

bool XmlReader::read_attribute() {
  const auto refuse = [this](std::string why) { return fault(std::move(why)), false; };
  const std::string_view name = take_name();
  if (name.empty()) return refuse("element " + quote(name_) + " has a malformed attribute");
  if (attributes_.size() == kMaxXmlAttributes) {
    return refuse("element " + quote(name_) + " has more than " + std::to_string(kMaxXmlAttributes) +
                  " attributes");
  }
  if (attribute(name).data() != nullptr) {
    return refuse("element " + quote(name_) + " has attribute " + quote(name) + " twice");
  }
  if (at_ == text_.size()) return ended_early("element " + quote(name_)), false;
  const char equals = text_[at_++];
  const char mark = at_ < text_.size() ? text_[at_] : '"';
  if (equals != '=' || (mark != '"' && mark != '\'')) {
    return refuse("attribute " + quote(name) + " has no quoted value");
  }
  std::size_t to = std::min(at_ + 1, text_.size());
  const std::size_t from = to;
  while (to < text_.size() && text_[to] != mark) {
    const char c = text_[to];
    if (c == '<' || is_control(c)) {
      advance(to);
      return refuse("attribute " + quote(name) + " holds a character that must be written as a reference");
    }
    if (c == '&') {
      const std::string_view rest = text_.substr(to);
      if (std::none_of(kReferences.begin(), kReferences.end(), [&](auto r) { return rest.starts_with(r); })) {
        advance(to);
        return refuse("attribute " + quote(name) + " holds a reference that is not one of " +
                      one_of(kReferences));
      }
    }
    ++to;
  }
  advance(to);
  if (at_ == text_.size()) return ended_early("attribute " + quote(name)), false;
  attributes_.push_back({name, text_.substr(from, to - from)});
  ++at_;
  return true;
}

XmlReader::Token XmlReader::read_text() {
  if (open_.empty()) return fault("text outside of any element; " + std::string(expected_) + " is expected");
  const std::size_t found = text_.find('<', at_);
  const std::size_t to = found == std::string_view::npos ? text_.size() : found;
  content_ = text_.substr(at_, to - at_);
  if (content_.find('&') != std::string_view::npos ||
      std::any_of(content_.begin(), content_.end(), is_control)) {
    return fault("text in element " + quote(open_.back().name) + " holds more than plain characters");
  }
  while (is_xml_space(content_.back())) content_.remove_suffix(1);
  advance(to);
  return Token::text;
}

}  // namespace cede
