"""The hooks of `mkdocs.yml`: pages made at build time, papers from the root, links between all of them."""

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import explorer  # noqa: E402 - a neighbour, found through the line above
from revcap import Revision  # noqa: E402

# Papers that stand outside docs/, and the page each becomes.
PAPERS = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "examples/README.md": "examples.md",
}
# A paper that is named and not linked.
PATH = re.compile(r"(?<!\[)`docs/([\w/-]+\.md)`")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made."""
    made = explorer.pages() | {page: (ROOT / paper).read_text("utf-8") for paper, page in PAPERS.items()}
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links as they are in the repository to the site's pages; what the site has not becomes plain text."""
    del config
    source = page.file.src_uri
    paper = next((paper for paper, made in PAPERS.items() if made == source), f"docs/{source}")

    def lead(link: re.Match[str]) -> str:
        words, target, anchor = link[1], link[2], link[3] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(paper), target))
        wanted = PAPERS.get(path, path.removeprefix("docs/") if path.startswith("docs/") else None)
        if wanted is None or files.get_file_from_path(wanted) is None:
            if path.startswith("docs/"):
                return link[0]  # the strict build names it
            return words if words.startswith("`") else f"{words} (`{path}`)"
        return f"[{words}]({posixpath.relpath(wanted, posixpath.dirname(source) or '.')}{anchor})"

    def named(path: re.Match[str]) -> str:
        if files.get_file_from_path(path[1]) is None:
            return path[0]
        return f"[{path[0]}]({posixpath.relpath(f'docs/{path[1]}', posixpath.dirname(paper) or '.')})"

    return LINK.sub(lead, PATH.sub(named, markdown))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Complete the navigation by the explorer's pages, and leave out what is not there."""
    config.nav = _completed(config.nav, {*explorer.pages(), *PAPERS.values()}, Path(config.docs_dir))
    return config


def _completed(nav: Any, made: set[str], docs: Path) -> Any:
    if isinstance(nav, list):
        items = (item for entry in nav for item in _spread(entry) if _is_there(item, made, docs))
        return [_completed(item, made, docs) for item in items]
    if isinstance(nav, dict):
        return {title: _completed(part, made, docs) for title, part in nav.items()}
    return nav


def _spread(entry: Any) -> list[Any]:
    match entry:
        case "revisions/*":
            return [{str(revision): f"revisions/{revision}.md"} for revision in reversed(Revision)]
        case "revisions/*-to-*":
            changes = [(a, b) for b in reversed(Revision) for a in reversed(Revision) if a < b]
            return [{f"{a} → {b}": f"revisions/{explorer.change_page(a, b)}"} for a, b in changes]
        case _:
            return [entry]


def _is_there(item: Any, made: set[str], docs: Path) -> bool:
    page = next(iter(item.values())) if isinstance(item, dict) else item
    return not isinstance(page, str) or page in made or (docs / page).is_file()
