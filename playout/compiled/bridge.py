"""Lets a compiled kernel call the methods of a plain Python object.

A subclass of `Compiled` lists the attributes that a kernel may read in `fields`, and
writes its methods in the part of Python that Numba compiles. Passing an instance to a
kernel specialises the kernel on the class: a method call costs what a C call costs and
is usually inlined.

A specialisation is known by the class's name and a digest of its code (`digest.py`), in
memory and on disk. So a class that was edited, or defined again in a notebook, is a new
Numba type with methods of its own, and a class that is gone is only a name.
"""

from __future__ import annotations

import hashlib
import inspect
import operator
import types as pytypes
from typing import Any

from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    models,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)

from playout.compiled.compile_errors import CompileError, never_returns
from playout.compiled.compile_reasons import MARK, known_classes
from playout.compiled.digest import digest_of_class


class Compiled:
    """A plain Python class whose methods compiled kernels can call.

    `fields` names the attributes that compiled code may read: NumPy arrays, numbers and
    booleans. Methods may change the contents of arrays but not rebind attributes.
    """

    fields: tuple[str, ...] = ()


class CompiledType(types.Type):
    """The Numba type of one class with one set of field types.

    It pickles as names and a digest, never as the class: the cache on disk stays readable
    when the class is edited or removed.
    """

    def __init__(self, module: str, qualname: str, digest: str, fields: tuple) -> None:
        self.module, self.qualname, self.digest = module, qualname, digest
        self.fields = fields
        # short: Numba spells the name out in the symbol of every function that takes the type
        shape = hashlib.blake2b(str(fields).encode(), digest_size=8).hexdigest()
        super().__init__(name=f"{module}.{qualname}#{digest}#{shape}")

    @property
    def key(self) -> tuple:
        return self.module, self.qualname, self.digest, self.fields

    def __hash__(self) -> int:
        return hash(self.name)  # that of the key would be worked out anew at every call

    __eq__ = types.Type.__eq__

    def __reduce__(self) -> tuple:
        return _rebuild, self.key


def _rebuild(module: str, qualname: str, digest: str, fields: tuple) -> CompiledType:
    return _type_class(module, qualname, digest)(module, qualname, digest, fields)


class _Model(models.PrimitiveModel):
    """A pointer to a struct of the fields: passing it on costs one word, however many there are."""

    def __init__(self, dmm: Any, fe_type: CompiledType) -> None:
        members = [dmm.lookup(field).get_value_type() for _, field in fe_type.fields]
        super().__init__(dmm, fe_type, ir.LiteralStructType(members).as_pointer())


_type_classes: dict[tuple[str, str, str], type[CompiledType]] = {}
_with_methods: set[type[CompiledType]] = set()


def _type_class(module: str, qualname: str, digest: str) -> type[CompiledType]:
    """One Numba type class for each version of each Python class: methods attach to it."""
    key = module, qualname, digest
    if key not in _type_classes:
        new = type(f"{qualname}Type", (CompiledType,), {})
        register_model(new)(_Model)
        _type_classes[key] = new
    return _type_classes[key]


def methods_of(cls: type) -> dict[str, pytypes.FunctionType]:
    """The instance methods of a class that a kernel may call, inherited ones included."""
    found = {}
    for name in dir(cls):
        value = inspect.getattr_static(cls, name)
        if not name.startswith("__") and isinstance(value, pytypes.FunctionType):
            found[name] = value
    return found


def _attach_methods(cls: type, type_class: type[CompiledType]) -> None:
    if type_class in _with_methods:
        return
    _with_methods.add(type_class)
    for name, function in methods_of(cls).items():
        options = {"no_cfunc_wrapper": True}  # saves time at compiling
        attach = overload_method(type_class, name, jit_options=options, strict=False)
        attach(_implementation(cls, function))


def _implementation(cls: type, function: pytypes.FunctionType) -> Any:
    """What Numba asks for the code of a method, at each call that it meets."""

    def implementation(*args: Any, **kwargs: Any) -> Any:
        if said := never_returns(function):
            raise TypingError(f"{MARK}{cls.__name__}.{said}")
        return function

    # Numba wants the method's own signature, not *args
    implementation.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return implementation


@infer_getattr
class _Attributes(AttributeTemplate):
    key = CompiledType

    def generic_resolve(self, typ: CompiledType, attr: str) -> Any:
        return dict(typ.fields).get(attr)


@lower_getattr_generic(CompiledType)
def _getattr(context: Any, builder: Any, typ: CompiledType, value: Any, attr: str) -> Any:
    index = [name for name, _ in typ.fields].index(attr)
    field_type = typ.fields[index][1]
    loaded = builder.load(cgutils.gep_inbounds(builder, value, 0, index))
    if isinstance(field_type, types.Array):
        # Not counted: the object keeps its arrays alive for the length of the call. Counting
        # would cost an atomic operation at each access, on a word that threads share.
        array = cgutils.create_struct_proxy(field_type)(context, builder, value=loaded)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        array.parent = cgutils.get_null_value(array.parent.type)
        loaded = array._getvalue()
    return loaded


class _Memory:
    """What was worked out for an instance, kept in it; one that is pickled forgets."""

    def __init__(self, digest: str) -> None:
        self.digest = digest
        self.values: list[Any] = []
        self.type: CompiledType | None = None

    def __reduce__(self) -> tuple:
        return _nothing, ()


def _nothing() -> None:
    return None


@typeof_impl.register(Compiled)
def _typeof(value: Compiled, context: Any) -> CompiledType:
    cls = type(value)
    memory = value.__dict__.get("_memory")
    if memory is None:
        # once for each instance: a constant that changed in a notebook is seen by the next one
        memory = value.__dict__["_memory"] = _Memory(digest_of_class(cls))
        known_classes[f"{cls.__module__}.{cls.__qualname__}"] = cls
    values = [getattr(value, name, None) for name in cls.fields]
    if memory.type is None or any(map(operator.is_not, values, memory.values)):
        fields = tuple((name, _type_of_field(value, name)) for name in cls.fields)
        type_class = _type_class(cls.__module__, cls.__qualname__, memory.digest)
        _attach_methods(cls, type_class)
        memory.type = type_class(cls.__module__, cls.__qualname__, memory.digest, fields)
        memory.values = values
    return memory.type


def _type_of_field(owner: Compiled, name: str) -> types.Type:
    """The Numba type of a field, of a kind that the struct can hold without owning it."""
    where = f"{type(owner).__name__}.{name}"
    try:
        value = getattr(owner, name)
    except AttributeError:
        raise CompileError(
            f"{type(owner).__name__}.fields names {name!r}, but the object has no such "
            f"attribute: __init__ should set self.{name}"
        ) from None
    try:
        found = typeof(value)
    except ValueError:
        found = None
    if isinstance(found, types.Array):
        if value.dtype.hasobject:
            raise CompileError(f"{where} is an array of Python objects: make it one of numbers")
        if getattr(owner, name) is not value:
            # the array would be gone before the kernel reads it
            raise CompileError(f"{where} is made anew at each access: keep it in an attribute")
    elif not _is_plain(found):
        raise CompileError(
            f"{where} is a {type(value).__name__}, which compiled code cannot read: a field is "
            "a NumPy array, a number or a boolean, or a tuple of numbers"
        )
    return found


def _is_plain(found: Any) -> bool:
    if isinstance(found, types.BaseTuple):
        return all(_is_plain(item) for item in found)
    return isinstance(found, types.Number | types.Boolean | types.NoneType | CompiledType)


@unbox(CompiledType)
def _unbox(typ: CompiledType, obj: Any, c: Any) -> NativeValue:
    struct_type = c.context.get_value_type(typ).pointee
    struct = cgutils.alloca_once(c.builder, struct_type)
    for index, (name, field_type) in enumerate(typ.fields):
        attribute = c.pyapi.object_getattr_string(obj, name)
        value = c.unbox(field_type, attribute).value
        c.builder.store(value, cgutils.gep_inbounds(c.builder, struct, 0, index))
        c.context.nrt.decref(c.builder, field_type, value)
        c.pyapi.decref(attribute)
    return NativeValue(struct)
