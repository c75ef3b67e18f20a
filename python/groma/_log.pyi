from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

def read(paths: Sequence[bytes], kind: str | None, flows: Sequence[int] | None,
         allow_damage: bool) -> tuple[str, dict[str, NDArray[Any]], list[dict[str, Any]], list[str]]: ...
