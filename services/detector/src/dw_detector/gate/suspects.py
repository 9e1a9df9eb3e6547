"""Questions that models did not answer in time, and when each model last answered any."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from dw_detector.gate.calls import ModelCall, Target
from dw_learning.gate.suspicion import Suspicion, Verdict

MOST: Final = 10_000  # remembered at once; the oldest is forgotten, and begins anew
_Key = tuple[str, str]


class Suspects:
    """One a process. Time is passed in, in seconds."""

    def __init__(self) -> None:
        self._of: OrderedDict[_Key, Suspicion] = OrderedDict()
        self._answered: dict[str, float] = {}

    def verdict(self, call: ModelCall, target: Target, now: float) -> Verdict:
        """May it be asked now?"""
        found = self._of.get(_key(call, target))
        return "ask" if found is None else found.verdict(now, self._answered.get(target.model))

    def timed_out(self, call: ModelCall, target: Target, began: float, now: float) -> None:
        """No answer came, from a model that counts as well."""
        key = _key(call, target)
        self._of[key] = self._of.pop(key, Suspicion(began)).timed_out(now)
        if len(self._of) > MOST:
            self._of.popitem(last=False)

    def answered(self, call: ModelCall, target: Target, now: float) -> None:
        """One came: the model is there."""
        self._answered[target.model] = now
        self._of.pop(_key(call, target), None)

    def acquit(self, model: str) -> None:
        """It was the model: all its questions begin anew."""
        for key in [key for key in self._of if key[0] == model]:
            del self._of[key]

    def forget(self, call: ModelCall) -> None:
        """It was given up. Whoever brings it back may ask anew."""
        name = name_of(call)
        for key in [key for key in self._of if key[1] == name]:
            del self._of[key]


def name_of(call: ModelCall) -> str:
    """Of a question, whichever model is asked."""
    return f"{call.caller.org_id}:{call.caller.decision_id}:{call.feature.key}"


def _key(call: ModelCall, target: Target) -> _Key:
    return (target.model, name_of(call))
