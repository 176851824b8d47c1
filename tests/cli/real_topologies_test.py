# SPDX-License-Identifier: MIT
"""hwloc XML of real machines, where they are at hand: the folder CEDE_DATA, or shared/data beside the project."""
import json
import os
import sys
import unittest

from cede_run import SOURCE, CommandTest

DATA = os.environ.get("CEDE_DATA", os.path.join(SOURCE, "..", "shared", "data"))
FILES = sorted(os.path.realpath(os.path.join(folder, name)) for folder, _, names in os.walk(DATA) for name in names
               if name.endswith(".xml"))


class RealTopologiesTest(CommandTest):
    def test_every_file_is_answered(self):
        good = 0
        for file in FILES:
            with self.subTest(file=file):
                status, out, err = self.cede("check", "-", input=json.dumps(
                    {"format": "cede-cluster/1", "topologies": {"box": {"hwloc_xml_file": file}}}))
                good += status == 0
                self.assertIn(status, (0, 2))
                self.assertNotIn("parsing this XML ended with", err)
                if status == 2:
                    self.assertRegex(err, r"^standard input:(1:\d+:)? topologies\.box\.hwloc_xml_file: ")
        self.assertGreater(good, 0)


if not FILES:
    print(f"no XML files under '{DATA}'; name a folder in CEDE_DATA")
    sys.exit(77)
if __name__ == "__main__":
    unittest.main()
