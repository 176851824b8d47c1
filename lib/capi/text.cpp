// SPDX-License-Identifier: MIT
#include "capi/handles.h"

const char* cede_text_data(const cede_text* text) { return text ? text->text.c_str() : nullptr; }

size_t cede_text_size(const cede_text* text) { return text ? text->text.size() : 0; }

void cede_text_destroy(cede_text* text) { delete text; }
