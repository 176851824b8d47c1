// SPDX-License-Identifier: MIT
#pragma once

#include "document.h"

namespace cli {

// Recognises a cede-slurm/1 document and names its format; the library knows nothing of it.
void recognise_slurm_settings(Document& document);

// Adds what is wrong with such a document, the policy and the queues in it included.
void check_slurm_settings(const Engine& engine, Document& document);

bool is_slurm_settings(const Document& document);

}  // namespace cli
