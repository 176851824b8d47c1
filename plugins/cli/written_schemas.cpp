// SPDX-License-Identifier: MIT
#include <array>

#include "schemas.h"

namespace cli {

namespace {

using Field = WrittenField;

constexpr std::array kFindingFields{
    Field{"severity", R"("enum":["error","warning"])", "word", "whether the document is refused for it"},
    Field{"path", kTextValue, "text", "where in the document; empty: the document as a whole"},
    Field{"line", kCountValue, "whole number", "from 1; 0 if it has no place in the text"},
    Field{"column", kCountValue, "whole number", "in bytes, from 1; 0 if it has no place in the text"},
    Field{"text", kTextValue, "text", "what is wrong or odd, in one line"},
};
constexpr std::array kCheckedFields{
    Field{"file", kTextValue, "text",
          "the operand as it was written, with U+FFFD for bytes that are not UTF-8"},
    Field{"format", kTextOrNull, "text", "the format of the document; null if it is not known"},
    Field{"ok", kFlagValue, "true or false", "whether there is no error"},
    Field{"findings", R"("type":"array","items":{"$ref":"#/$defs/finding"})", "list of objects",
          "what is wrong or odd"},
    Field{"dropped", kCountValue, "whole number", "how many findings there are beyond those kept", false},
};
constexpr std::array kCheckFields{
    Field{"format", R"("const":"cede-check/1")", "word", "the format of the document"},
    Field{"files", R"("type":"array","items":{"$ref":"#/$defs/checked_file"})", "list of objects",
          "one entry per operand, in the order named"},
};
constexpr std::array kCheckObjects{
    WrittenObject{"check", "what cede check found", kCheckFields},
    WrittenObject{"checked_file", "what was found in one file", kCheckedFields},
    WrittenObject{"finding", "one mistake, or something odd", kFindingFields},
};

constexpr std::array kSettingFields{
    Field{"name", kTextValue, "text", "the name of the setting"},
    Field{"default", kTextValue, "text", "its default as in a policy document, or none"},
    Field{"unit", kTextValue, "text", "how it is counted"},
    Field{"range", kTextValue, "text", "what is allowed"},
    Field{"side", R"("enum":["requester","victim","both"])", "word", "whose queue it is read from"},
    Field{"help", kTextValue, "text", "what it does"},
};
constexpr std::array kProfileFields{
    Field{"name", kTextValue, "text", "the name of the profile"},
    Field{"help", kTextValue, "text", "what it is for"},
    Field{"settings", R"("type":"array","items":{"$ref":"#/$defs/setting"})", "list of objects",
          "its settings"},
};
constexpr std::array kProfilesFields{
    Field{"format", R"("const":"cede-profiles/1")", "word", "the format of the document"},
    Field{"profiles", R"("type":"array","items":{"$ref":"#/$defs/profile"})", "list of objects",
          "the profiles"},
};
constexpr std::array kProfilesObjects{
    WrittenObject{"profiles", "the profiles and their settings", kProfilesFields},
    WrittenObject{"profile", "a profile", kProfileFields},
    WrittenObject{"setting", "a setting; all values are texts", kSettingFields},
};

constexpr std::array kClassFields{
    Field{"files", kTextsValue, "list of texts", "the files that say the same"},
    Field{"topology", R"("$ref":"#/$defs/topology_answer")", "object",
          "what they say, a cede-topology/1 document"},
};
constexpr std::array kFailedFields{
    Field{"file", kTextValue, "text", "the file that could not be read"},
    Field{"line", kCountValue, "whole number", "the line with the mistake; 0 if there is none"},
    Field{"text", kTextValue, "text", "what is wrong with it"},
};
constexpr std::array kTopologiesFields{
    Field{"format", R"("const":"cede-topologies/1")", "word", "the format of the document"},
    Field{"classes", R"("type":"array","items":{"$ref":"#/$defs/topology_class"})", "list of objects",
          "what the files say, each thing once"},
    Field{"failed", R"("type":"array","items":{"$ref":"#/$defs/failed_file"})", "list of objects",
          "the files that could not be read"},
};
constexpr std::array kTopologiesObjects{
    WrittenObject{"topologies", "what files say about machines and networks", kTopologiesFields},
    WrittenObject{"topology_class", "files that say the same", kClassFields},
    WrittenObject{"failed_file", "a file that could not be read", kFailedFields},
};

}  // namespace

constinit const WrittenFormat kCheckFormat{"cede-check/1", kCheckObjects};
constinit const WrittenFormat kProfilesFormat{"cede-profiles/1", kProfilesObjects};
constinit const WrittenFormat kTopologiesFormat{"cede-topologies/1", kTopologiesObjects, "cede-topology/1"};

}  // namespace cli
