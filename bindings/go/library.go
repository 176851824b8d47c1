// SPDX-License-Identifier: MIT

package cede

// #include <cede/cede.h>
import "C"

// ABI is the number behind libcede.so; it changes only when programs must be rebuilt.
const ABI = C.CEDE_ABI

// Version is the version of the loaded library: "0.2.0".
func Version() string { return C.GoString(C.cede_version_text()) }

// VersionNumber is the same as one number: major * 1000000 + minor * 1000 + patch.
func VersionNumber() uint32 { return uint32(C.cede_version()) }

// HasFeature reports whether the loaded library has the feature of that name: "plan", "relief", "claims" ...; cede.h
// lists them.
func HasFeature(name string) bool {
	text, err := cstring("name", name)
	return err == nil && C.cede_has_feature(text) == 1
}

// OptionText describes an option that WithOption sets.
type OptionText struct{ Name, Default, Help string }

// Options lists the options of New.
func Options() []OptionText {
	out := make([]OptionText, C.cede_option_count())
	for i := range out {
		k := C.size_t(i)
		out[i] = OptionText{C.GoString(C.cede_option_name(k)), C.GoString(C.cede_option_default(k)), C.GoString(C.cede_option_help(k))}
	}
	return out
}

// ProfileText describes a profile that a policy may name.
type ProfileText struct {
	Name, Help string
	Settings   []SettingText
}

// SettingText describes a setting of a profile.
type SettingText struct {
	Name    string
	Default string // "none" if there is none; a remark may follow after "; "
	Unit    string // "duration", "count", "flag" ...
	Range   string // what is allowed: "0..100", "oldest, newest, fewest or smallest" ...
	Side    string // whose queue it is read from: "requester", "victim" or "both"
	Help    string // one line
}

// Profiles lists the profiles, and every setting of each.
func Profiles() []ProfileText {
	out := make([]ProfileText, C.cede_profile_count())
	for i := range out {
		p := C.size_t(i)
		out[i] = ProfileText{Name: C.GoString(C.cede_profile_name(p)), Help: C.GoString(C.cede_profile_help(p))}
		for s := C.size_t(0); s < C.cede_setting_count(p); s++ {
			text := func(what C.int32_t) string { return C.GoString(C.cede_setting_text(p, s, what)) }
			out[i].Settings = append(out[i].Settings, SettingText{
				Name:    text(C.CEDE_SETTING_NAME),
				Default: text(C.CEDE_SETTING_DEFAULT),
				Unit:    text(C.CEDE_SETTING_UNIT),
				Range:   text(C.CEDE_SETTING_RANGE),
				Side:    text(C.CEDE_SETTING_SIDE),
				Help:    text(C.CEDE_SETTING_HELP),
			})
		}
	}
	return out
}

// Schemas lists the formats whose schema the library knows: "cede-cluster/1" and so on.
func Schemas() []string {
	out := make([]string, C.cede_schema_count())
	for i := range out {
		out[i] = C.GoString(C.cede_schema_format(C.size_t(i)))
	}
	return out
}

// Schema is the JSON Schema (draft 2020-12) of a format: editors complete and check with it. It refuses no document that
// the library takes; what a schema cannot say, such as names that must exist, only Check checks.
func Schema(format string) ([]byte, error) {
	name, err := cstring("format", format)
	if err != nil {
		return nil, err
	}
	var text *C.cede_text
	var told C.cede_error
	if err := outcome(C.cede_schema_json(name, &text, &told), &told); err != nil {
		return nil, err
	}
	return takeText(text), nil
}
