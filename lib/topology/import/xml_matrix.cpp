// SPDX-License-Identifier: MIT
#include "topology/import/xml_matrix.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "topology/import/xml_objects.h"
#include "topology/import/xml_scan.h"

namespace cede {
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

  // hwloc would take a leading zero for an octal number; we write back what we read.
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

}  // namespace cede
