"""Only what Python calls becomes machine code; what a kernel calls is optimised within the kernel.

Numba optimises every function that it compiles, and makes machine code of it, before it links it
into the functions that call it, which are optimised again with all that was linked into them. Of a
kernel and its fifty helpers and methods, only the kernel is ever called by Python. So here a
function that Python cannot call waits as it is: it is linked into those that call it, and optimised
and made machine code as a part of them. That takes a third off the time of compiling.
"""

from __future__ import annotations

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen, RuntimeLinker
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment

_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba's names of environments begin
_executable = CPUContext.get_executable


def link_before_optimising() -> None:
    """To be called once, before anything is compiled."""
    JITCPUCodegen._library_class = LinkedLibrary
    CPUContext.get_executable = _get_executable


class LinkedLibrary(JITCodeLibrary):
    """A function with all that it calls, of which machine code need not be made."""

    awaits_code = False

    def finalize(self) -> None:
        if self.awaits_code:
            self._link()
        else:
            super().finalize()

    def _link(self) -> None:
        """Numba's `finalize` without optimising, and without code."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True
        # functions that call each other in a circle find each other by the address of their code
        if any(name.startswith(RuntimeLinker.PREFIX) for name in self.variables()):
            self._make_code()

    def _make_code(self) -> None:
        self.awaits_code = False
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if self.awaits_code:
            self._make_code()
        return super().get_pointer_to_function(name)

    def variables(self) -> list[str]:
        """The names of the global variables of all that was linked together."""
        return [variable.name for variable in self._final_module.global_variables]

    def defines(self, function: str) -> bool:
        try:
            return not self.get_function(function).is_declaration
        except NameError:
            return False


def _get_executable(self: Any, library: LinkedLibrary, fndesc: Any, env: Any) -> Any:
    """Numba's, but for a function that Python cannot call: there is nothing to be executed."""
    if not library._finalized and not library.defines(fndesc.llvm_cpython_wrapper_name):
        library.awaits_code = True
        library.finalize()
        name = fndesc.qualname.split(".")[-1]
        return _dynfunc.make_function(fndesc.lookup_module(), name, "", 0, env, (library,))
    found = _executable(self, library, fndesc, env)
    for name in library.variables():  # what those that are linked in need to raise errors
        if name.startswith(_ENVIRONMENT):
            environment = lookup_environment(name)
            if environment is not None:
                library.codegen.set_env(name, environment)
    return found
