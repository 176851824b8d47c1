# SPDX-License-Identifier: MIT
"""Captures of real machines and networks, where they are at hand: the folder CEDE_DATA, or shared/data beside the project."""
import json
import os
import sys
import unittest

from cede_run import SOURCE, CommandTest

DATA = os.environ.get("CEDE_DATA", os.path.join(SOURCE, "..", "shared", "data"))
FILES = sorted(os.path.realpath(os.path.join(folder, name)) for folder, _, names in os.walk(DATA) for name in names
               if name.endswith(".xml"))
CONFIGURATIONS = sorted(os.path.realpath(os.path.join(folder, name)) for folder, _, names in os.walk(DATA)
                        for name in names if name.endswith(".conf"))


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

    def test_every_file_is_drawn_or_refused(self):
        """Each file alone: a picture of at most 100 columns, or one line that says what is wrong."""
        for file in FILES + CONFIGURATIONS:
            with self.subTest(file=file):
                status, out, err = self.cede("topology", file)
                if status == 2:
                    self.assertEqual((out, err.count("\n")), ("", 1))
                    self.assertNotIn("ended with", err)
                    continue
                self.assertEqual((status, err), (0, ""))
                self.assertTrue(out.startswith(os.path.basename(file) + ": "), out)
                self.assertLessEqual(max(len(line) for line in out.splitlines()), 100)

    @unittest.skipUnless(any("sierra2-" in file for file in FILES), "no captures of several equal nodes")
    def test_equal_nodes_are_one_class(self):
        nodes = [file for file in FILES if "sierra2-" in file]
        status, out, _ = self.cede("topology", *nodes)
        self.assertEqual((status, out.splitlines()[0]), (0, f"{len(nodes)} files: 1 class of machines"))

    def test_all_together(self):
        status, out, _ = self.cede("topology", "--json", *FILES, *CONFIGURATIONS)
        document = json.loads(out)
        seen = [file for c in document["classes"] for file in c["files"]] + [f["file"] for f in document["failed"]]
        self.assertEqual(sorted(seen), sorted(FILES + CONFIGURATIONS))
        self.assertEqual(status, 2 if document["failed"] else 0)
        self.assertGreater(len(document["classes"]), 1)


if not FILES:
    print(f"no XML files under '{DATA}'; name a folder in CEDE_DATA")
    sys.exit(77)
if __name__ == "__main__":
    unittest.main()
