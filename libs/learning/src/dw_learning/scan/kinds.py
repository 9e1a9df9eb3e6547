"""What an attack is most likely after, where no rule names it."""

from dw_learning.scan import concepts as c

CORE = (
    c.IGNORE | c.VOID | c.RULES | c.ORG_RULES | c.GATE | c.AUTO_GATE | c.PRIV | c.SECRETS | c.CONCEAL | c.OBEY | c.CONTROL
    | c.PROMPT | c.SPOOF | c.MODE | c.PAY | c.AUDIT | c.EVIL | c.GRANT | c.MEMORY | c.SKILL | c.AI | c.EVEN_IF | c.WITHOUT
    | c.DISABLE | c.REVEAL | c.SEND | c.DATA | c.LEAK | c.ACT | c.AUTHORITY | c.ASK | c.PRETEXT | c.PAYLOAD | c.SKIP
)  # fmt: skip
"""The concepts that attacks are made of: one of them is in nearly every one."""

_TYPES: tuple[tuple[int, str], ...] = (
    (c.PROMPT, "prompt_leak"),
    (c.SPOOF | c.MODE, "system_spoof"),
    (c.SKILL, "skill_inject"),
    (c.GATE | c.AUTO_GATE, "approval_rewrite"),
    (c.OBEY | c.EVEN_IF | c.AUTHORITY, "obey_user"),
    (c.SECRETS | c.DATA, "cred_exfil"),
    (c.MEMORY | c.CONTROL | c.PAY | c.EVIL, "memory_poison"),
)


def kind_of(bits: int) -> str:
    """What an attack with these concepts is most likely after."""
    return next((name for wanted, name in _TYPES if bits & wanted), "ignore_policy")
