"""What everything in a dossier is made of."""

from typing import dataclass_transform

import msgspec


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Base of everything in a dossier."""
