// SPDX-License-Identifier: MIT
#include "topology/import/xml_reader.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace cede {
namespace {

bool is_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == ':';
}
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && !is_xml_space(c); }

// The references that hwloc writes; they name characters, so none of them can refer to anything else.
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

// Skips what has no meaning for us. A DOCTYPE subset could declare entities, so it is refused whatever it
// holds.
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
