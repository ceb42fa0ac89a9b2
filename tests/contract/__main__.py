# SPDX-License-Identifier: Apache-2.0
"""Writes the files of the public contract anew, from the types.

    .venv/bin/python -m tests.contract            what ships, in studio/contract/files
    .venv/bin/python -m tests.contract --publish  and the copy that later ones are held to

``--publish`` belongs to a release: from then on front-ends are written against these schemas. It
refuses a schema that breaks what was published before.
"""

import sys

from tests.contract.published import breaks, published, write_published
from tests.contract.written import FILES, files, write

if __name__ == "__main__":
    write(FILES, files())
    if sys.argv[1:] == ["--publish"]:
        found = breaks(published())
        if found:
            sys.exit("\n".join(found))
        write_published()
