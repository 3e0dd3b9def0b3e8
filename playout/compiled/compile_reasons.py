"""Why a compilation failed, in the words of someone who wrote a problem.

Numba's account is long and nested, with the cause at its innermost point. Each entry of
`_REASONS` recognises one cause in that text and says what it means; the first that has something to
say wins, so the particular ones stand before the general ones.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from playout.errors import nearest

MARK = "playout says: "  # before a reason that the bridge itself gives, through Numba

# The classes that compiled code has met, by the name that stands in Numba's text.
known_classes: WeakValueDictionary[str, type] = WeakValueDictionary()

_CLASS = r"([\w.<>]+)#[0-9a-f]{20}#[0-9a-f]+"
_METHOD = re.compile(r"BoundFunction\(\(<class '[^']*'>, '(\w+)'\) for " + _CLASS)

_CALLEE = re.compile(r"resolving callee type: ([^\n]+)")
_CALLEES_NAME = re.compile(
    r"\(<class '[^']+'>, '(\w+)'\) for |<(?:(?:built-in )?function |class '|ufunc ')([\w.]+)"
)
_ERROR_NAME = re.compile(r"^\w+Error: ")
_NUMBAS_WORDS = (  # lines of Numba's account that lead to the reason, and are none
    "Failed in", "File ", "During:", "-", ">", "^", "Raised", "raised", "No implementation of",
    "There are", "Overload", "Intrinsic", "With argument", "Rejected as",
)  # fmt: skip

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
    "pow": "**", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "eq": "==", "ne": "!=",
    "iadd": "+=", "isub": "-=", "imul": "*=", "itruediv": "/=", "and_": "&", "or_": "|",
    "xor": "^", "lshift": "<<", "rshift": ">>", "contains": "in", "matmul": "@",
}  # fmt: skip

_OPCODES = (
    ("IMPORT", "an import inside a method: import at the top of the file"),
    ("MATCH", "`match` with patterns: use if and elif"),
    ("YIELD", "a generator (yield)"),
    ("GEN", "a generator (yield)"),
    ("WITH", "a `with` block"),
    ("SETUP_ANNOTATIONS", "annotated variables"),
    ("BUILD_CLASS", "a class inside a method"),
    ("DELETE", "`del`"),
    ("STORE_GLOBAL", "assigning a global variable"),
    ("AWAIT", "async code"),
    ("EXC", "this kind of try block"),
    ("RERAISE", "this kind of try block"),
)


def methods_named(text: str) -> list[tuple[str, str]]:
    """The methods (class name, method) whose calls the text goes through, innermost first."""
    return [(cls, method) for method, cls in _METHOD.findall(text)]


def function_of(cls_name: str, method: str) -> Any:
    """The Python function of a method named in Numba's text, or None."""
    cls = known_classes.get(cls_name)
    function = inspect.getattr_static(cls, method, None) if cls is not None else None
    return function if inspect.isfunction(function) else None


def reason(text: str, line: str) -> str:
    """What Numba's account means; `line` is the source line that it is about."""
    if match := re.match(r"self\.(\w+)\s*(?:[-+*/%@|&^]|//|\*\*|<<|>>)?=(?!=)", line):
        return _NO_REBINDING.format(match[1])
    if not text and (match := re.match(r"(\w+\.\w+)\s*=(?!=)", line)):
        return f"an array field is filled, not assigned: write {match[1]}[:] = ..."
    for pattern, meaning in _REASONS:
        if (match := pattern.search(text)) and (said := meaning(match, text, line)):
            return said
    for found in text.splitlines():
        found = _ERROR_NAME.sub("", found.strip())
        if found and not found.startswith(_NUMBAS_WORDS):
            return found[:300]
    return "Numba does not support it"


def plain_type(name: str) -> str:
    """A Numba type in plain words.

    >>> plain_type("array(float64, 1d, C)"), plain_type("Literal[str](a)")
    ('an array of float64', 'a string')
    """
    name = name.strip()
    if match := re.match(r"(?:unaligned |readonly )*array\((.*), \d+d, \w", name):
        inner = match[1]
        return "an array of records" if "Record(" in inner else f"an array of {inner}"
    for start, words in (
        ("Literal[int]", "an int"),
        ("Literal[str]", "a string"),
        ("Literal[bool]", "a boolean"),
        ("literal", "a constant"),
        ("int", "an int"),
        ("uint", "an unsigned int"),
        ("float", "a float"),
        ("bool", "a boolean"),
        ("unicode_type", "a string"),
        ("none", "None"),
        ("Record(", "a record"),
        ("unaligned Record(", "a record"),
        ("UniTuple", "a tuple"),
        ("Tuple", "a tuple"),
        ("reflected list", "a list"),
        ("List", "a list"),
        ("list", "a list"),
        ("DictType", "a dict"),
        ("reflected set", "a set"),
        ("set", "a set"),
        ("OptionalType", "sometimes None"),
        ("Module", "a module"),
    ):
        if name.startswith(start):
            return words
    if match := re.match(_CLASS, name):
        return f"a {match[1].rpartition('.')[2]}"
    return name


def _attribute_of_object(match: re.Match, text: str, line: str) -> str:
    attribute, cls_name = match[1], match[2]
    short = cls_name.rpartition(".")[2]
    cls = known_classes.get(cls_name)
    static = inspect.getattr_static(cls, attribute, None) if cls is not None else None
    if isinstance(static, staticmethod | classmethod | property):
        kind = type(static).__name__
        return (
            f"{short}.{attribute} is a {kind}; compiled code calls plain methods only: "
            f"write def {attribute}(self, ...)"
        )
    if static is None and (re.search(rf"\.{attribute}\s*\(", line) or not line):
        hint = ""
        if cls is not None:
            methods = [n for n, f in vars(cls).items() if inspect.isfunction(f) and n[:2] != "__"]
            near = nearest(attribute, methods)
            hint = f"; {near}" if near.startswith("did you mean") else ""
        return f"{short} has no method {attribute!r}{hint}"
    hint = ""
    if cls is not None:
        near = nearest(attribute, getattr(cls, "fields", ()))
        hint = f"; {near}" if near.startswith("did you mean") else ""
    return (
        f"self.{attribute} is read here, but {attribute!r} is not in {short}.fields, which names "
        f"what compiled code may read{hint}"
    )


def _attribute_of_record(match: re.Match, text: str, line: str) -> str:
    return missing_field(match[1], re.findall(r"(\w+)\[type=", match[2]))


def missing_field(name: str, fields: Any) -> str:
    """A field that a record does not have."""
    hint = f": {nearest(name, fields)}" if fields else ""
    return f"the record has no field {name!r}{hint}"


def _attribute_of_module(match: re.Match, text: str, line: str) -> str:
    attribute, module = match[1], match[2]
    value = getattr(sys.modules.get(module), attribute, None)
    if value is None:
        return f"the module {module} has no {attribute!r}"
    if inspect.isfunction(value) and not _is_installed(value.__code__.co_filename):
        return _plain_function(f"{module}.{attribute}")
    if isinstance(value, dict | list | set):
        return _bad_global(f"{module}.{attribute}", type(value).__name__)
    return f"{module}.{attribute} is not available in compiled code"


def _is_installed(path: str) -> bool:
    return "site-packages" in path or path.startswith((sys.base_prefix, "<frozen"))


_NO_REBINDING = (
    "self.{} is assigned, but compiled code cannot rebind attributes: keep what changes in the "
    "state, or in an array"
)
_NO_FORMAT = "text formatting is not available in compiled code"
_NO_SUPER = "super() is not available in compiled code: give the base class's method a name"


def _plain_function(name: str) -> str:
    return (
        f"{name} is a plain Python function; put @helper above its definition, so that compiled "
        "code can call it (from playout.compiled import helper)"
    )


def _bad_global(name: str, kind: str) -> str:
    return (
        f"the global {name!r} is a {kind}; compiled code can read global numbers, strings, tuples "
        "and NumPy arrays"
    )


def _global(match: re.Match, text: str, line: str) -> str:
    name, kind = match[1], match[2] or "thing"
    if kind == "function":
        return _plain_function(name)
    if name == "super":
        return _NO_SUPER
    if kind == "type":
        return f"the class {name!r} cannot be used in compiled code"
    return _bad_global(name, kind)


def _unified(match: re.Match, text: str, line: str) -> str:
    first, second = plain_type(match[1]), plain_type(match[2])
    if first == second:
        first, second = match[1], match[2]
    if match[3].startswith("$"):
        return f"a value is {first} in one place and {second} in another: give it one type"
    name = match[3].partition(".")[0]
    return (
        f"the variable {name!r} is {first} in one place and {second} in another: give it one type"
    )


def _returns(match: re.Match, text: str, line: str) -> str:
    kinds = list(dict.fromkeys(plain_type(part) for part in _split(match[1])))
    return f"the method returns {' in one place and '.join(kinds)} in another: return one type"


def _split(types: str) -> list[str]:
    """Split at the commas that are outside brackets."""
    parts, depth = [""], 0
    for letter in types:
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _arguments(match: re.Match, text: str, line: str) -> str:
    callee = _CALLEE.search(text, match.end())
    if callee and not _METHOD.match(callee[1]):
        return _arguments_of_function(match[0], callee[1])
    for cls_name, method in methods_named(text[match.start() :]):
        function = function_of(cls_name, method)
        if function is None:
            continue
        short = cls_name.rpartition(".")[2]
        ours = inspect.signature(function)
        if function.__code__.co_kwonlyargcount:
            return f"{short}.{method} has keyword-only arguments, which compiled code does not"
        wanted = None
        for base in known_classes[cls_name].__mro__:
            inherited = vars(base).get(method)
            if inspect.isfunction(inherited):
                wanted = inspect.signature(inherited)
        names = ", ".join(ours.parameters)
        said = f"{short}.{method} is defined as {method}({names})"
        if wanted is not None and list(wanted.parameters) != list(ours.parameters):
            return f"{said}; it should be {method}({', '.join(wanted.parameters)})"
        return f"{said}, but is called with other arguments ({match[0]})"
    return f"a function is called with the wrong arguments ({match[0]})"


def _arguments_of_function(said: str, callee: str) -> str:
    """A function that is no method of the user's got other arguments than it takes."""
    found = _CALLEES_NAME.search(callee)
    name = (found[1] or found[2]) if found else "a function"
    if keyword := re.search(r"unexpected keyword argument '(\w+)'", said):
        return f"{name}() takes no {keyword[1]!r} in compiled code: write a loop"
    if "built-in" in callee:
        return ""  # one of several forms of it: the types tell more
    return f"{name}() is called with the wrong arguments ({said})"


def _opcode(match: re.Match, text: str, line: str) -> str:
    # newer Pythons have instructions of their own for these
    if "FORMAT" in match[1]:
        return _NO_FORMAT
    if "SUPER" in match[1]:
        return _NO_SUPER
    for part, words in _OPCODES:
        if part in match[1]:
            return f"compiled code cannot have {words}"
    return "compiled code does not have this part of Python"


def _operator(match: re.Match, text: str, line: str) -> str:
    name, kinds = match[1], [plain_type(part) for part in _split(match[2])]
    if name == "getitem" and kinds[0] in ("an int", "an unsigned int", "a float", "a boolean"):
        return f"{kinds[0]} cannot be indexed"
    if name == "getitem":
        return f"{kinds[0]} cannot be indexed with {kinds[-1]}"
    if name == "setitem" and len(kinds) == 3:
        if kinds[0] == "a dict":
            return "all keys of a dict must have one type, and all its values one type"
        return f"{kinds[2]} cannot be stored in {kinds[0]}"
    if name in _OPERATORS:
        if "None" in kinds:
            return f"`{_OPERATORS[name]}` is used with None: does every path end in a return?"
        return f"`{_OPERATORS[name]}` cannot be used with {' and '.join(kinds)}"
    return f"{name}() cannot be compiled with {' and '.join(kinds)}"


def _function(match: re.Match, text: str, line: str) -> str:
    if re.search(r"\bplayout\." + _CLASS, match[2]):
        return ""  # the package's own, through which the user's method was called
    kinds = " and ".join(plain_type(part) for part in _split(match[2]))
    return f"{match[1]}() cannot be compiled with {kinds}"


def _says(words: str) -> Callable[[re.Match, str, str], str]:
    return lambda match, text, line: words.format(*match.groups())


_Meaning = Callable[[re.Match, str, str], str]
_REASONS: tuple[tuple[re.Pattern, _Meaning], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (MARK + r"([^\n]+)", _says("{0}")),
        (r"Unknown attribute '(\w+)' of type " + _CLASS, _attribute_of_object),
        (r"No definition for lowering " + _CLASS + r"\.(\w+) = ",
         lambda match, text, line: _NO_REBINDING.format(match[2])),
        (r"Unknown attribute '(\w+)' of type (?:unaligned )?(Record\([^\n]*)",
         _attribute_of_record),
        (r"Field '(\w+)' was not found in record with fields \(([^\n]*)\)",
         lambda match, text, line: missing_field(match[1], re.findall(r"'(\w+)'", match[2]))),
        (r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'", _attribute_of_module),
        (r"Use of unsupported NumPy function '([\w.]+)'",
         _says("{0} is not available in compiled code, or not with these arguments")),
        (r"Unknown attribute '(\w+)' of type ([^\n]+)",
         lambda match, text, line: f"{plain_type(match[2])} has no {match[1]!r} in compiled code"),
        (r"Cannot resolve setattr: \((?:u?int|float|bool)\w*\)\.(\w+) =",
         _says("a plain number has no {0!r}: write moves[n] = ..., or make the type with "
               "playout.record({0}=...)")),
        (r"Cannot capture the non-constant value associated with variable '(\w+)'",
         _says("a lambda or a function inside a method cannot read {0!r} in compiled code: write "
               "a loop")),
        (r"compiler re-entrant to the same function signature",
         _says("a method that calls itself cannot be compiled: write a loop in its place")),
        (r"Exception matching is limited to",
         _says("compiled code has no `except` of one kind: ask with `if` before it can fail")),
        (r"Untyped global name '(\w+)'[^\n]*?(?:<class '([\w.]+)'>|$)", _global),
        (r"The use of a ([^\n]+?) type, assigned to variable '(\w+)' in globals",
         lambda match, text, line: _bad_global(match[2], plain_type(match[1]).split()[-1])),
        (r"unsupported dtype for <BLAS|arguments must all have the same dtype",
         _says("`@` and np.dot need arrays of one type, float64 or float32, in compiled code")),
        (r"NameError: name '(\w+)' is not defined", _says("the name {0!r} is not defined")),
        (r"name '(\w+)' is not defined", _says("the name {0!r} is not defined")),
        (r"Variable '(\w+)' referenced before assignment",
         _says("the variable {0!r} may be read before it is set")),
        (r"Can't unify return type from the following types: ([^\n]+)", _returns),
        (r"Cannot unify ([^\n]+?) and ([^\n]+?) for '([\w$.]+)'", _unified),
        (r"too many positional arguments|missing a required (?:keyword-only )?argument: '\w+'"
         r"|got an unexpected keyword argument '\w+'|multiple values for argument '\w+'",
         _arguments),
        (r"unsupported opcode \((\w+)\)", _opcode),
        (r"Exception object cannot be stored into variable \((\w+)\)",
         _says("`except ... as {0}` is not available in compiled code: leave out `as {0}`")),
        (r"format spec in f-strings", _says(_NO_FORMAT)),
        (r"The use of yield in a closure", _says("a generator expression is not available in "
                                                 "compiled code: write a loop")),
        (r"with \(context manager\)", _says("compiled code cannot have a `with` block")),
        (r"Invalid use of ([^\n]+?) with parameters[^\n]*\n\s*No type info available",
         lambda match, text, line: f"{plain_type(match[1])} is called like a function"),
        (r"Function\(<built-in function (\w+)>\) found for signature:\s*>>> \w+\(([^\n]*)\)",
         _operator),
        (r"Function\(<(?:function|ufunc|class) '?(?!_|implementation|rollout)([\w.]+)'?[^>]*>\) "
         r"found for signature:\s*>>> [\w.]+\(([^\n]*)\)", _function),
        (r"Type of variable '\$[^\n]* cannot be determined",
         _says("a part of this line cannot be compiled: write it in several lines")),
        (r"[Cc]annot determine Numba type of <class '([\w.]+)'>",
         _says("a {0} cannot be used in compiled code")),
        (r"cannot safely cast (\w+) to (\w+)",
         lambda match, text, line: f"{plain_type(match[1])} stands where {plain_type(match[2])} "
                                   "was before: give it one type"),
    )
)  # fmt: skip
