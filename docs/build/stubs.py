"""What griffe has to be told about stubs: `__new__` constructs, and overloads need no implementation."""

import re
from pathlib import Path
from typing import Any

import griffe

# An example: from its first prompt to the next empty line.
EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


def _shown(example: re.Match[str]) -> str:
    return f"```pycon\n{re.sub(r' *# doctest: .*', '', example[0])}\n```"


class Stubs(griffe.Extension):
    """Shows the signature of ``__new__`` as the class's, functions that are overloads alone, and examples as code."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Where a module has a stub, the stub documents it: what the module says beside that is for its own readers."""
        path = obj.filepath
        if isinstance(path, Path) and path.suffix == ".py" and path.with_suffix(".pyi").is_file():
            obj.docstring = None
            if isinstance(obj, griffe.Attribute):
                obj.value = None

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Any docstring: its examples are code, and no quotation. Of overloads one has it."""
        if isinstance(obj, griffe.Function) and obj.docstring is None and obj.overloads:
            obj.docstring = next((one.docstring for one in obj.overloads if one.docstring is not None), None)
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(_shown, obj.docstring.value)

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """A class that is constructed by ``__new__``."""
        new = cls.members.get("__new__")
        if isinstance(new, griffe.Function) and "__init__" not in cls.members:
            init = griffe.Function(
                "__init__", lineno=new.lineno, endlineno=new.endlineno, parameters=new.parameters, returns=None
            )
            cls.set_member("__init__", init)

    def on_module_members(self, *, mod: griffe.Module, **_: Any) -> None:
        """Functions of a stub that have overloads alone: the first one documents them."""
        for name, overloads in mod.overloads.items():
            if name not in mod.members and overloads:
                first = overloads[0]
                function = griffe.Function(
                    name,
                    lineno=first.lineno,
                    endlineno=first.endlineno,
                    parameters=first.parameters,
                    returns=first.returns,
                    docstring=first.docstring,
                )
                function.overloads = list(overloads[1:])
                mod.set_member(name, function)
