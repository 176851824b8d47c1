// SPDX-License-Identifier: MIT
#include "document/schema.h"

#include <algorithm>
#include <vector>

#include "document/answer_fields.h"
#include "document/json_writer.h"
#include "document/policy_fields.h"
#include "document/step_fields.h"

namespace cede {

namespace {

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";

// Regular expressions that JavaScript and Python read alike.
constexpr std::string_view kNamePattern = R"(^[^\u0000-\u001f\u007f-\u009f]+$)";
constexpr std::string_view kAmountPattern =
    R"(^\+?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+|n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$)";
constexpr std::string_view kTimePattern =
    R"(^(19[7-9][0-9]|[2-9][0-9]{3})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]([01][0-9]|2[0-3]):[0-5][0-9]:)"
    R"(([0-5][0-9]|60)(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$)";
constexpr std::string_view kDurationPattern =
    R"((([0-9]+\.?[0-9]*|\.[0-9]+)d)?(([0-9]+\.?[0-9]*|\.[0-9]+)h)?(([0-9]+\.?[0-9]*|\.[0-9]+)m)?)"
    R"((([0-9]+\.?[0-9]*|\.[0-9]+)s)?(([0-9]+\.?[0-9]*|\.[0-9]+)ms)?$)";

// Definitions that fields of several objects refer to, as JSON.
struct SharedDefinition {
  std::string_view name;
  std::string_view schema;
};
constexpr std::array kShared{
    SharedDefinition{
        "links",
        R"({"type":"array","items":{"anyOf":[{"$ref":"#/$defs/devices"},{"$ref":"#/$defs/link"}]}})"},
    SharedDefinition{"device_lists", R"({"type":"array","items":{"$ref":"#/$defs/devices"}})"},
    SharedDefinition{
        "devices",
        R"({"type":"array","items":{"type":"integer","minimum":0,"maximum":63},"uniqueItems":true})"},
    SharedDefinition{"names", R"({"type":"array","items":{"$ref":"#/$defs/name"}})"},
    SharedDefinition{
        "amounts",
        R"({"type":"object","additionalProperties":{"$ref":"#/$defs/amount"},"propertyNames":{"$ref":"#/$defs/name"}})"},
    SharedDefinition{
        "texts_by_name",
        R"({"type":"object","additionalProperties":{"type":"string","maxLength":1024},"propertyNames":{"$ref":"#/$defs/name"}})"},
};

std::string type_shown(const FieldSpec& spec) {
  switch (spec.type) {
    case FieldType::format: return "word";
    case FieldType::name: return "name";
    case FieldType::raw_text: return "text";
    case FieldType::file: return "file name";
    case FieldType::flag: return "true or false";
    case FieldType::integer: return "whole number";
    case FieldType::decimal: return "number";
    case FieldType::amount: return "amount";
    case FieldType::time: return "time";
    case FieldType::duration: return "duration";
    case FieldType::word: return "word";
    case FieldType::names: return "list of names";
    case FieldType::devices: return "list of devices";
    case FieldType::device_lists: return "lists of devices";
    case FieldType::amounts: return "amounts";
    case FieldType::texts_by_name: return "texts by name";
    case FieldType::object: return "object";
    case FieldType::objects: return "list of objects";
    case FieldType::objects_by_name: return "objects by name";
    case FieldType::settings: return "settings";
    case FieldType::custom: break;
  }
  return std::string(spec.shown);
}

class SchemaWriter {
 public:
  SchemaWriter() : json_(out_) {}

  std::string write(const DocumentSpec& document) {
    json_.begin_object().line().key("$schema").text(kDialect);
    json_.line().key("$id").text("urn:libcede:schema:" + std::string(document.format));
    json_.line().key("title").text(document.format);
    json_.line().key("description").text(document.object->help);
    json_.line();
    root(document);
    json_.line().key("$defs").begin_object();
    for (std::size_t i = 0; i < pending_.size(); ++i) object(*pending_[i]);
    for (const std::string& settings : settings_) json_.line().raw(settings);
    shared();
    json_.end_object().end_object();
    return out_ + '\n';
  }

 private:
  static std::string reference(std::string_view name) { return "#/$defs/" + std::string(name); }

  void root(const DocumentSpec& document) {
    use(*document.object);
    if (!document.other) {
      json_.key("$ref").text(reference(document.object->name));
      return;
    }
    use(*document.other);
    json_.key("anyOf").begin_array();
    for (const ObjectSpec* each : {document.object, document.other})
      json_.begin_object().key("$ref").text(reference(each->name)).end_object();
    json_.end_array();
  }

  void object(const ObjectSpec& spec) {
    json_.line().key(spec.name).begin_object().key("type").text("object");
    json_.key("description").text(spec.help);
    json_.line().key("properties").begin_object();
    for (const FieldSpec& field : spec.fields) property(field);
    json_.end_object();
    required(spec);
    if (spec.site_fields) json_.line().key("patternProperties").raw(R"({"^x-":{}})");
    json_.key("additionalProperties").flag(false);
    if (!spec.schema.empty()) json_.raw(spec.schema);
    for (const FieldSpec& field : spec.fields) {
      if (field.type == FieldType::settings && holder(field) == SettingHolder::policy) settings_by_profile();
    }
    json_.end_object();
  }

  void required(const ObjectSpec& spec) {
    if (std::ranges::none_of(spec.fields, &FieldSpec::required)) return;
    json_.line().key("required").begin_array();
    for (const FieldSpec& field : spec.fields) {
      if (field.required) json_.text(field.name);
    }
    json_.end_array();
  }

  void property(const FieldSpec& spec) {
    json_.line().key(spec.name).begin_object();
    value(spec);
    std::string help(spec.help);
    if (!spec.absent.empty()) help += "; default: " + std::string(spec.absent);
    json_.key("description").text(help);
    if (!spec.fallback.empty() && spec.type != FieldType::format) json_.key("default").raw(spec.fallback);
    json_.key("$comment").text(type_shown(spec) + (spec.unit.empty() ? "" : ", " + std::string(spec.unit)));
    json_.end_object();
  }

  void types(const FieldSpec& spec, std::initializer_list<std::string_view> names) {
    json_.key("type");
    if (names.size() == 1 && !spec.nullable) {
      json_.text(*names.begin());
      return;
    }
    json_.begin_array();
    for (const std::string_view name : names) json_.text(name);
    if (spec.nullable) json_.text("null");
    json_.end_array();
  }

  void value(const FieldSpec& spec) {
    switch (spec.type) {
      case FieldType::format: json_.key("const").text(spec.fallback); return;
      case FieldType::name: types(spec, {"string"}); return name_rules();
      case FieldType::raw_text:
      case FieldType::file: return types(spec, {"string"});
      case FieldType::flag: return types(spec, {"boolean"});
      case FieldType::integer: types(spec, {"integer"}); return bounds(spec, 0);
      case FieldType::decimal: types(spec, {"number"}); return bounds(spec, spec.places);
      case FieldType::amount: types(spec, {"number", "string"}); return amount(spec.max, spec.above_zero);
      case FieldType::time:
        types(spec, {"number", "string"});
        json_.key("minimum").number(0).key("maximum").raw(format_scaled(kMaxTime, 3));
        json_.key("pattern").text(kTimePattern);
        return;
      case FieldType::duration: return write_duration_schema(spec.nullable, spec.above_zero, false, json_);
      case FieldType::word: return words(spec);
      case FieldType::names: return refer(spec, "names");
      case FieldType::devices: return refer(spec, "devices");
      case FieldType::device_lists: return refer(spec, "device_lists");
      case FieldType::amounts: return refer(spec, "amounts");
      case FieldType::texts_by_name: return refer(spec, "texts_by_name");
      case FieldType::object: use(*spec.object); return refer(spec, spec.object->name);
      case FieldType::objects:
      case FieldType::objects_by_name: return objects(spec);
      case FieldType::settings: return settings(spec);
      case FieldType::custom:
        if (spec.object) use(*spec.object);
        json_.raw(spec.schema);
        return;
    }
  }

  void name_rules() {
    json_.key("minLength").number(1).key("maxLength").number(static_cast<std::int64_t>(kMaxNameBytes));
    json_.key("pattern").text(kNamePattern);
  }

  void bounds(const FieldSpec& spec, int places) {
    if (spec.above_zero) {
      json_.key("exclusiveMinimum").number(0);
    } else {
      json_.key("minimum").raw(format_scaled(spec.min, places));
    }
    json_.key("maximum").raw(format_scaled(spec.max, places));
  }

  void amount(std::int64_t max, bool above_zero) {
    json_.key(above_zero ? "exclusiveMinimum" : "minimum").number(0);
    json_.key("maximum").raw(format_amount(max == 0 ? kMaxAmount : max)).key("pattern").text(kAmountPattern);
  }

  void words(const FieldSpec& spec) {
    json_.key("enum").begin_array();
    for (const std::string_view word : spec.words) json_.text(word);
    if (spec.nullable) json_.raw("null");
    json_.end_array();
  }

  void refer(const FieldSpec& spec, std::string_view definition) {
    if (!spec.nullable) {
      json_.key("$ref").text(reference(definition));
      return;
    }
    json_.key("anyOf").begin_array().begin_object().key("$ref").text(reference(definition)).end_object();
    json_.raw(R"({"type":"null"})").end_array();
  }

  void objects(const FieldSpec& spec) {
    use(*spec.object);
    const bool list = spec.type == FieldType::objects;
    types(spec, {list ? "array" : "object"});
    json_.key(list ? "items" : "additionalProperties").begin_object();
    json_.key("$ref").text(reference(spec.object->name)).end_object();
    if (!list) json_.key("propertyNames").raw(R"({"$ref":"#/$defs/name"})");
    if (spec.min > 0) json_.key(list ? "minItems" : "minProperties").number(spec.min);
  }

  static SettingHolder holder(const FieldSpec& spec) { return static_cast<SettingHolder>(spec.min); }

  void settings(const FieldSpec& spec) {
    if (holder(spec) == SettingHolder::policy) return types(spec, {"object"});
    const std::string name = settings_definition(holder(spec));
    refer(spec, name);
    define_settings(name, [&](JsonWriter& json) { write_settings_schema(holder(spec), json); });
  }

  void settings_by_profile() {
    json_.line().key("allOf").begin_array();
    for (std::size_t i = 0; i < kProfiles.size(); ++i) {
      const auto profile = static_cast<Profile>(i);
      const std::string name = settings_definition(profile);
      json_.line().raw(R"({"if":{"properties":{"profile":{"const":")" + std::string(kProfiles[i]) +
                       R"("}}},"then":{"properties":{"settings":{"anyOf":[{"$ref":")" + reference(name) +
                       R"("},{"type":"null"}]}}}})");
      define_settings(name, [&](JsonWriter& json) { write_settings_schema(profile, json); });
    }
    json_.end_array();
  }

  template <class Write>
  void define_settings(const std::string& name, Write write) {
    std::string text;
    JsonWriter json(text);
    json.key(name).begin_object();
    write(json);
    json.end_object();
    if (std::ranges::find(settings_, text) == settings_.end()) settings_.push_back(std::move(text));
  }

  void use(const ObjectSpec& object) {
    if (std::ranges::find(pending_, &object) == pending_.end()) pending_.push_back(&object);
  }

  // The definitions that something refers to, and after them the scalar ones, to which these may refer.
  void shared() {
    const auto is_used = [&](std::string_view name) {
      return out_.find('"' + reference(name) + '"') != std::string::npos;
    };
    for (const SharedDefinition& each : kShared) {
      if (is_used(each.name)) json_.line().key(each.name).raw(each.schema);
    }
    if (is_used("amount")) {
      json_.line().key("amount").begin_object().raw(R"("type":["number","string"])");
      amount(0, false);
      json_.end_object();
    }
    if (is_used("name")) {
      json_.line().key("name").begin_object().raw(R"("type":"string")");
      name_rules();
      json_.end_object();
    }
  }

  std::string out_;
  JsonWriter json_;
  std::vector<const ObjectSpec*> pending_;
  std::vector<std::string> settings_;  // definitions, each `"name":{...}`
};

constexpr std::array kDocuments{
    DocumentSpec{kClusterFormat, &kClusterObject},
    DocumentSpec{kChangesFormat, &kChangesObject},
    DocumentSpec{kPolicyFormat, &kPolicyDocumentObject},
    DocumentSpec{kPlanFormat, &kPlanObject, &kBatchObject},
    DocumentSpec{kInFlightFormat, &kInFlightObject},
    DocumentSpec{kEventsFormat, &kEventsObject},
    DocumentSpec{kActionsFormat, &kActionsObject},
    DocumentSpec{kAdmissionFormat, &kAdmissionAnswerObject},
    DocumentSpec{kSharesFormat, &kSharesObject},
    DocumentSpec{kTopologyFormat, &kTopologyAnswerObject},
};

}  // namespace

std::span<const DocumentSpec> document_specs() { return kDocuments; }

std::string write_schema(const DocumentSpec& document) { return SchemaWriter().write(document); }

void write_duration_schema(bool nullable, bool above_zero, bool or_none, JsonWriter& json) {
  json.key("type").raw(nullable ? R"(["number","string","null"])" : R"(["number","string"])");
  json.key(above_zero ? "exclusiveMinimum" : "minimum").number(0);
  json.key("maximum").raw(format_scaled(kMaxDuration, 3)).key("minLength").number(2);
  const std::string duration = (above_zero ? "^(?=.*[1-9])" : "^") + std::string(kDurationPattern);
  json.key("pattern").text(or_none ? "^none$|" + duration : duration);
}

}  // namespace cede
