"""What griffe has to be told about stubs: `__new__` constructs, and overloads need no implementation."""

import re
from typing import Any

import griffe

# An example: from its first prompt to the next empty line.
EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)


class Stubs(griffe.Extension):
    """Shows the signature of ``__new__`` as the class's, functions that are overloads alone, and examples as code."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Any docstring: its examples are code, and no quotation."""
        if obj.docstring is not None:
            obj.docstring.value = EXAMPLE.sub(lambda it: f"```pycon\n{it[0]}\n```", obj.docstring.value)

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
                function.overloads = list(overloads)
                mod.set_member(name, function)
