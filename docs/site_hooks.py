# docs/site_hooks.py - Part of cilk2chan, under the Apache License v2.0 with LLVM
# Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hooks of mkdocs.yml: the pages work on GitHub, where their authors read them, and on
the site."""

import posixpath
import re

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
NO_PAGES = "CMakeLists.txt", "site_hooks.py"


def slug(heading, separator="-"):
    """The anchor that GitHub gives a heading, of the heading's text."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    return config


def on_files(files, config):
    for file in list(files):
        if file.src_path in NO_PAGES:
            files.remove(file)
    return files


def on_page_markdown(markdown, page, config, files):
    """A link to a file that is not on the site becomes its text."""

    def link(match):
        text, target = match.groups()
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_path), target))
        return text if path.startswith("../") else match[0]

    return LINK.sub(link, markdown)
