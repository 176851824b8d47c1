# SPDX-License-Identifier: MIT
"""What the library knows without an engine: its version, its options, its profiles and their settings."""
from __future__ import annotations

from typing import Any

from . import enums
from ._library import Document, ask, document, document_of, library, name, told
from .records import Option, Profile, Setting


def version() -> int:
    """Of the loaded library: 2000 is 0.2.0."""
    number: int = library.cede_version()
    return number


def version_text() -> str:
    return told(library.cede_version_text())


def has_feature(feature: str) -> bool:
    return bool(library.cede_has_feature(name(feature)))


def status_name(status: int) -> str:
    return told(library.cede_status_name(status))


def document_kind(text: Document) -> enums.DocumentKind:
    """The format that a document names."""
    data = document(text)
    return enums.DocumentKind(ask(library.cede_document_kind, data, len(data)))


def schema_formats() -> tuple[str, ...]:
    """The formats that schema() knows."""
    return tuple(told(library.cede_schema_format(schema)) for schema in range(library.cede_schema_count()))


def schema(format: str) -> dict[str, Any]:
    """The JSON Schema of a format: what an editor completes and checks with."""
    return document_of(library.cede_schema_json, name(format))


def options() -> tuple[Option, ...]:
    return tuple(Option(told(library.cede_option_name(option)), told(library.cede_option_default(option)),
                        told(library.cede_option_help(option)))
                 for option in range(library.cede_option_count()))


def profiles() -> tuple[Profile, ...]:
    """The profiles a policy may name, and every setting of each."""
    return tuple(Profile(told(library.cede_profile_name(profile)), told(library.cede_profile_help(profile)),
                         tuple(_setting(profile, setting) for setting in range(library.cede_setting_count(profile))))
                 for profile in range(library.cede_profile_count()))


def _setting(profile: int, setting: int) -> Setting:
    texts = {what.name.lower(): told(library.cede_setting_text(profile, setting, what)) for what in enums.SettingText}
    return Setting(**texts)
