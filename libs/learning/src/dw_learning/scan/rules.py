"""The rules for injections: which concepts must meet, how closely, and what speaks against."""

from dataclasses import dataclass

from dw_learning.scan import concepts as c
from dw_learning.scan.hits import REJECT_FROM

_SURE = REJECT_FROM + 0.03
_LIKELY = 0.75
_MAYBE = 0.6


@dataclass(frozen=True, slots=True)
class Rule:
    """It applies when every pair is met within its distance and every group of `needs` occurs.

    `asks` says that a question counts too; `names` lists concepts that make the match certain.
    """

    name: str
    type: str
    confidence: float
    pairs: tuple[tuple[int, int, int], ...]
    needs: tuple[int, ...] = ()
    bars: int = 0
    asks: bool = False
    certain: int = 0

    @property
    def anchors(self) -> tuple[int, ...]:
        return (*(side for first, second, _ in self.pairs for side in (first, second)), *self.needs)


_SCOPE = c.ALL | c.FROM_NOW | c.AUTO | c.EVEN_IF | c.MEMORY | c.AI | c.CONCEAL
_LIFT = c.WITHOUT | c.SKIP | c.DISABLE | c.IGNORE
_GUISE = c.MODE | c.PRETEXT | c.SPOOF | c.ACT | c.EVEN_IF | c.IGNORE

RULES: tuple[Rule, ...] = (
    # rules and instructions set aside
    Rule("ignore_prior", "ignore_policy", 0.85, ((c.IGNORE, c.RULES | c.PROMPT, 48),), (c.PRIOR | c.PROMPT | c.YOU | c.AI,), c.VENDOR,
         certain=c.GATE | c.SECRETS | c.PRIV | c.REVEAL | c.CONCEAL),
    Rule("ignore_all", "ignore_policy", 0.8, ((c.IGNORE, c.RULES, 30),), (c.ALL | c.GATE | c.CONTROL | c.PRIV | c.SECRETS | c.CONCEAL,), c.VENDOR | c.RESET,
         certain=c.GATE | c.SECRETS | c.PRIV),
    Rule("ignore_org_rules", "ignore_policy", 0.8, ((c.IGNORE | c.SKIP | c.DISABLE, c.ORG_RULES, 24),), (), c.VENDOR | c.RESET | c.TALK, certain=c.GATE | c.PRIV | c.SECRETS),
    Rule("not_to_comply", "ignore_policy", 0.7, ((c.DEFY, c.RULES | c.ORG_RULES, 48),), (c.ME | c.GRANT | c.ALL | c.YOU | c.AI | c.FROM_NOW | c.AUTO | c.PRIV | c.GATE,), c.VENDOR | c.TALK | c.RESET | c.NEW),
    Rule("over_the_rules", "ignore_policy", 0.7, ((c.EVEN_IF, c.RULES | c.AUTHORITY, 24),), (c.ALL | c.OBEY | c.GRANT,), c.VENDOR | c.NEED | c.TALK, certain=c.PRIV),
    Rule("rules_void", "ignore_policy", _LIKELY, ((c.IGNORE | c.WITHOUT | c.SKIP, c.RULES, 26),), (c.YOU | c.AI | c.MODE,), c.VENDOR | c.NEED),
    Rule("rules_no_more", "ignore_policy", _LIKELY, ((c.VOID, c.RULES | c.PROMPT | c.ORG_RULES, 48),), (c.YOU | c.AI | c.MODE | c.PROMPT | c.GATE | c.GRANT,), c.VENDOR | c.RESET | c.TALK, certain=c.GATE | c.PRIV),
    Rule("ignore_house_rules", "ignore_policy", _LIKELY, ((c.IGNORE, c.RULES, 30), (c.RULES, c.ORG, 20)), (), c.VENDOR | c.RESET | c.TALK | c.NEW, certain=c.GATE | c.PRIV | c.SECRETS),
    Rule("ignore_prior_request", "ignore_policy", _LIKELY, ((c.IGNORE, c.PRIOR, 20), (c.IGNORE, c.RULES | c.REQUEST, 40)), (c.ALL,), c.VENDOR),
    Rule("only_this", "ignore_policy", _MAYBE, ((c.EVEN_IF, c.PRIOR | c.RULES, 30),), (c.GRANT | c.REVEAL | c.SEND | c.ACT | c.AI,), c.VENDOR),
    # approval rewritten
    Rule("approval_lifted", "approval_rewrite", 0.85, ((_LIFT, c.GATE, 40),), (c.FROM_NOW | c.ALL | c.AUTO | c.EVEN_IF | c.CONCEAL, c.ME | c.AI | c.SKILL | c.PRIV | c.MEMORY | c.REQUEST | c.GRANT | c.CONCEAL | c.YOU | c.AUTO), c.VENDOR | c.AUTO_GATE | c.NEED,
         certain=c.MEMORY | c.SKILL | c.PRIV | c.CONCEAL | c.REQUEST),
    Rule("approval_lifted_for_me", "approval_rewrite", 0.8, ((_LIFT, c.GATE, 36), (c.GATE, c.ME | c.SKILL | c.PRIV | c.MEMORY | c.AI | c.PRETEXT, 44)), (c.ME | c.SKILL | c.PRIV | c.MEMORY | c.AI | c.PRETEXT,), c.VENDOR | c.RESET | c.NEED, certain=c.SKILL | c.PRIV),
    Rule("approve_everything", "approval_rewrite", 0.85, ((c.AUTO | c.EDIT, c.GATE, 26),), (c.ALL | c.FROM_NOW | c.MEMORY, c.REQUEST | c.ME | c.SKILL | c.MEMORY | c.PRIV), c.NEED | c.DISABLE | c.VENDOR,
         certain=c.REQUEST | c.MEMORY | c.SKILL),
    Rule("approval_automatic", "approval_rewrite", 0.7, ((c.AUTO, c.GATE, 24), (c.EDIT | c.DISABLE, c.GATE, 30)), (), c.AUTO_GATE | c.RESET | c.VENDOR | c.TALK | c.NEED),
    Rule("approval_off", "approval_rewrite", 0.7, ((c.DISABLE, c.GATE, 30),), (), c.AUTO_GATE | c.RESET | c.VENDOR | c.TALK | c.NEED, certain=c.PRIV | c.MEMORY | c.CONCEAL),
    Rule("auto_approval", "approval_rewrite", 0.8, ((c.AUTO_GATE, c.ALL | c.FROM_NOW | c.MEMORY | c.ME | c.REQUEST, 90),), (), c.NEED | c.DISABLE | c.VENDOR | c.TALK, certain=c.MEMORY | c.REQUEST),
    Rule("approve_all_requests", "approval_rewrite", 0.85, ((c.GATE, c.ALL, 34), (c.GATE, c.REQUEST, 60)), (), c.NEED | c.NEG | c.VENDOR, certain=c.REQUEST),
    Rule("approver_is_me", "approval_rewrite", 0.8, ((c.GATE, c.ME, 14),), (c.FROM_NOW | c.ALL, c.MEMORY | c.REQUEST | c.AUTHORITY), c.NEED | c.VENDOR, certain=c.MEMORY),
    Rule("approval_rule_edited", "approval_rewrite", 0.85, ((c.EDIT, c.GATE, 20), (c.GATE, c.RULES, 16)), (c.ME | c.YOU | c.AUTO | c.WITHOUT,), c.VENDOR, certain=c.WITHOUT | c.AUTO),
    Rule("straight_to_memory", "approval_rewrite", 0.85, ((c.MEMORY, c.AUTO, 40),), (c.GATE | c.SKILL, c.ALL | c.WITHOUT | c.DISABLE | c.IGNORE), 0, certain=c.WITHOUT | c.GATE),
    Rule("skill_unreviewed", "approval_rewrite", 0.85, ((c.SKILL, c.WITHOUT | c.SKIP, 60), (c.GATE, c.WITHOUT | c.SKIP, 24)), (c.ME | c.AUTO | c.FROM_NOW,), c.VENDOR, certain=c.WITHOUT),
    # loyalty
    Rule("obey_over_admin", "obey_user", 0.85, ((c.OBEY, c.EVEN_IF | c.AUTHORITY, 70),), (c.EVEN_IF, c.AUTHORITY | c.MEMORY | c.AI | c.RULES | c.ME), 0, certain=c.AUTHORITY),
    Rule("obey_always", "obey_user", _LIKELY, ((c.OBEY, c.ALL, 40),), (c.MEMORY | c.AI | c.EVEN_IF,), c.VENDOR, certain=c.EVEN_IF),
    Rule("obey_blindly", "obey_user", _LIKELY, ((c.OBEY, c.WITHOUT | c.SKIP | c.IGNORE, 50),), (), c.RULES | c.TALK | c.VENDOR),
    Rule("word_over_rules", "obey_user", _LIKELY, ((c.OBEY, c.EVEN_IF, 60),), (c.AUTHORITY | c.RULES | c.ME | c.MEMORY | c.ALL,), c.TALK | c.VENDOR, certain=c.AUTHORITY),
    Rule("obey_twice", "obey_user", 0.7, ((c.OBEY, c.OBEY, 30),), (), c.RULES | c.TALK | c.NEED | c.VENDOR),
    Rule("obey_kept", "obey_user", 0.7, ((c.MEMORY, c.OBEY, 60),), (), c.RULES | c.NEED | c.TALK),
    Rule("obey_me", "obey_user", _LIKELY, ((c.OBEY, c.ME, 24),), (c.ALL | c.EVEN_IF | c.MEMORY | c.FROM_NOW,), c.VENDOR, certain=c.EVEN_IF),
    Rule("made_authority", "obey_user", 0.8, ((c.OBEY, c.AUTHORITY, 70),), (c.MEMORY | c.ME | c.WHEN | c.FROM_NOW | c.ALL | c.PRETEXT | c.SPOOF,), c.NEED, certain=c.MEMORY),
    Rule("trusted_sender", "obey_user", _LIKELY, ((c.OBEY | c.MEMORY, c.TRUSTED, 50),), (c.DATA | c.ME | c.ALL, c.OBEY | c.MEMORY), c.PAY | c.EXTERNAL | c.NEED),
    Rule("grant_on_sight", "obey_user", 0.85, ((c.GRANT, c.PRIV, 60),), (c.WHEN | c.ALL | c.FROM_NOW, c.WITHOUT | c.AUTO | c.SKIP | c.CONCEAL | c.MEMORY), c.NEED, certain=c.WITHOUT),
    # credentials and data carried out
    Rule("secrets_revealed", "cred_exfil", 0.8, ((c.REVEAL, c.SECRETS, 40),), (c.ALL | c.PROMPT | c.EXTERNAL | c.CONCEAL | c.AI | c.DECODE | c.PRETEXT | c.MODE | c.IGNORE | c.PRIOR,), c.RESET | c.TALK | c.VENDOR, True,
         certain=c.PROMPT | c.EXTERNAL | c.CONCEAL),
    Rule("secrets_leaked", "cred_exfil", 0.8, ((c.LEAK, c.SECRETS, 44),), (), c.RESET | c.TALK | c.VENDOR),
    Rule("agents_secrets", "cred_exfil", _LIKELY, ((c.REVEAL | c.SEND | c.GRANT, c.SECRETS, 40), (c.SECRETS, c.AI | c.AUTHORITY | c.ALL, 16)), (), c.RESET | c.TALK | c.NEED),
    Rule("secrets_sent", "cred_exfil", 0.85, ((c.SEND, c.SECRETS, 60),), (c.EXTERNAL | c.CONCEAL | c.ALL | c.WHEN | c.MEMORY | c.ASK,), c.RESET | c.NEED, certain=c.EXTERNAL | c.ASK | c.CONCEAL),
    Rule("secrets_collected", "cred_exfil", 0.85, ((c.ASK, c.SECRETS, 50),), (c.MEMORY | c.SEND | c.SKILL | c.ALL,), c.RESET, certain=c.SEND | c.MEMORY),
    Rule("secrets_passed_on", "cred_exfil", 0.8, ((c.ASK, c.SECRETS, 30), (c.ASK, c.SEND | c.MEMORY, 70)), (), c.NEED | c.TALK, certain=c.CONCEAL),
    Rule("secrets_kept", "cred_exfil", _LIKELY, ((c.MEMORY, c.SECRETS, 40),), (c.ASK | c.SEND, c.ALL | c.WHEN), c.RESET),
    Rule("secrets_encoded", "cred_exfil", _SURE, ((c.DECODE, c.SECRETS, 60),), (c.REVEAL | c.CONCEAL | c.SEND,), c.RESET | c.TALK, True),
    Rule("data_sent_out", "cred_exfil", 0.85, ((c.SEND, c.DATA, 44), (c.SEND | c.DATA, c.EXTERNAL, 60)), (), c.TALK, certain=c.EVIL | c.ALL),
    Rule("data_sent_when", "cred_exfil", _LIKELY, ((c.SEND, c.DATA, 60),), (c.WHEN | c.ALL | c.SKILL, c.EXTERNAL | c.CONCEAL | c.EVIL), c.TALK, certain=c.EVIL | c.CONCEAL),
    Rule("data_to_anyone", "cred_exfil", _LIKELY, ((c.SEND | c.REVEAL, c.DATA, 40),), (c.ALL | c.ME, _GUISE | c.PRIOR), c.TALK | c.VENDOR | c.RESET),
    Rule("secrets_to_me", "cred_exfil", 0.8, ((c.SEND | c.ASK, c.SECRETS, 60), (c.SEND | c.ASK, c.ME, 30)), (c.SOURCE | c.ALL | c.WHEN,), c.RESET | c.NEED | c.TALK, certain=c.CONCEAL),
    # poisoned facts
    Rule("warnings_harmless", "memory_poison", _LIKELY, ((c.CONTROL, c.TRUSTED, 60),), (c.MEMORY | c.ALL | c.AI,), c.NEED | c.RESET | c.TALK | c.VENDOR),
    Rule("payee_changed", "memory_poison", 0.85, ((c.PAY, c.NEW | c.FROM_NOW | c.CONCEAL | c.MEMORY, 90),), (c.CONCEAL | c.FROM_NOW | c.MEMORY | c.ALL, c.CONCEAL | c.NEW), c.TALK, certain=c.CONCEAL),
    Rule("control_lowered", "memory_poison", 0.8, ((c.DISABLE | c.WITHOUT | c.SKIP | c.IGNORE, c.CONTROL, 40),), (c.MEMORY | c.ALL | c.FROM_NOW | c.SKILL | c.EXTERNAL | c.SPOOF | c.TRUSTED, c.MEMORY | c.AI | c.SPOOF | c.SKILL | c.EVIL | c.CONCEAL | c.TRUSTED), c.TALK,
         certain=c.EVIL | c.CONCEAL | c.SPOOF),
    Rule("checks_stopped", "memory_poison", _LIKELY, ((c.DISABLE | c.SKIP, c.CONTROL | c.GATE, 24),), (c.MEMORY,), c.RESET | c.TALK),
    Rule("evil_place", "memory_poison", 0.8, ((c.EVIL, c.MEMORY | c.NEW | c.TRUSTED | c.SEND | c.ALL, 120),), (c.MEMORY | c.TRUSTED | c.SEND | c.NEW,), c.TALK, certain=c.DATA | c.SECRETS),
    Rule("place_replaced", "memory_poison", _LIKELY, ((c.EXTERNAL, c.TRUSTED, 90),), (c.MEMORY | c.NEW | c.ALL, c.DISABLE | c.WITHOUT | c.NEW | c.MEMORY), c.TALK | c.NEED),
    # planted skills
    Rule("skill_grants", "skill_inject", 0.85, ((c.GRANT | c.EDIT, c.PRIV, 60),), (c.SKILL, c.EDIT | c.GRANT), c.NEED | c.TALK, certain=c.GRANT | c.EDIT),
    Rule("skill_runs", "skill_inject", _SURE, ((c.SKILL | c.EDIT, c.PAYLOAD, 200),), (c.SKILL,), c.TALK),
    Rule("skill_fetches", "skill_inject", 0.8, ((c.SKILL | c.EDIT, c.EVIL, 160),), (c.SKILL,), c.TALK),
    Rule("skill_conceals", "skill_inject", 0.85, ((c.SKILL, c.CONCEAL, 200),), (c.EDIT | c.GATE | c.GRANT | c.SEND | c.PAY | c.PRIV | c.WITHOUT,), c.TALK, certain=c.WITHOUT | c.PRIV | c.SEND),
    Rule("skill_lifts", "skill_inject", 0.8, ((c.SKILL, _LIFT | c.DELETE, 120), (_LIFT | c.DELETE, c.GATE | c.CONTROL | c.AUDIT | c.PAY, 40)), (c.EDIT | c.ALL | c.PAY | c.AUTO | c.GATE,), c.TALK | c.NEED, certain=c.CONCEAL),
    Rule("skill_lies", "skill_inject", 0.8, ((c.SKILL, c.EVEN_IF, 140),), (c.EDIT, c.ALL | c.CONCEAL), c.TALK),
    Rule("skill_sends", "skill_inject", 0.8, ((c.SKILL, c.SEND | c.ASK, 120),), (c.EVIL | c.SECRETS, c.EDIT | c.ALL | c.EXTERNAL), c.TALK | c.RESET, certain=c.EVIL),
    # system and tools spoofed
    Rule("spoofed_order", "system_spoof", 0.8, ((c.SPOOF, c.RULES | c.GATE | c.CONTROL | c.PRIV | c.MODE | c.OBEY | c.SECRETS | c.GRANT, 160),), (c.IGNORE | c.VOID | c.DISABLE | c.GRANT | c.OBEY | c.WITHOUT | c.SKIP | c.MODE | c.SEND | c.REVEAL | c.YOU | c.AI,), c.TALK,
         certain=c.IGNORE | c.WITHOUT | c.SKIP | c.PRIV),
    Rule("agent_must_grant", "system_spoof", 0.8, ((c.AI, c.GRANT | c.SEND | c.REVEAL | c.DISABLE, 60),), (c.PRIV | c.SECRETS | c.AUDIT, c.NEED | c.SPOOF | c.ALL), c.TALK, certain=c.PRIV),
    Rule("mode_switched", "jailbreak", 0.8, ((c.MODE, c.YOU | c.AI | c.RULES | c.ACT | c.REVEAL | c.GRANT | c.SEND | c.GATE, 60),), (c.YOU | c.AI | c.ACT | c.IGNORE | c.WITHOUT | c.REVEAL | c.GRANT, c.YOU | c.AI | c.RULES | c.PRIV | c.SECRETS | c.DATA | c.GATE), c.TALK,
         certain=c.IGNORE),
    Rule("role_unbound", "jailbreak", _LIKELY, ((c.ACT, c.MODE | c.WITHOUT | c.IGNORE, 140),), (c.RULES | c.MODE | c.GATE,), c.TALK),
    Rule("guise_and_payload", "pretext", _LIKELY, ((c.GRANT, c.PRIV, 40),), (_GUISE,), c.NEED | c.TALK | c.RESET),
    # the agent's own instructions
    Rule("prompt_leak", "prompt_leak", 0.8, ((c.REVEAL, c.PROMPT, 72),), (), c.TALK | c.VENDOR, True),
    # pretexts, orders hidden in what is passed on, delayed triggers
    Rule("pretext_reset", "pretext", 0.8, ((c.PRETEXT, c.CONTROL | c.GATE | c.SECRETS | c.PRIV, 120),), (c.WITHOUT | c.AUTO | c.SKIP | c.REVEAL | c.CONCEAL, c.ME | c.AI | c.REVEAL | c.GRANT | c.RESET), c.TALK | c.NEED),
    Rule("skip_is_good", "pretext", _LIKELY, ((c.SKIP, c.GATE, 30),), (c.AI | c.YOU,), c.NEED | c.TALK, True),
    Rule("audit_off", "audit_off", 0.85, ((c.DISABLE | c.DELETE | c.IGNORE | c.CONCEAL, c.AUDIT, 34),), (), c.TALK, certain=c.CONCEAL | c.GATE),
    Rule("addressed_order", "indirect", 0.8, ((c.ADDRESS, c.AI, 40),), (c.SEND | c.GRANT | c.SKIP | c.REVEAL | c.GATE | c.CONCEAL | c.IGNORE | c.DATA | c.PRIV | c.DELETE | c.DISABLE,), c.TALK, certain=c.CONCEAL | c.PRIV),
    Rule("reader_addressed", "indirect", 0.7, ((c.READER, c.AI, 12),), (), c.TALK, certain=c.CONCEAL | c.PRIV),
    Rule("source_orders", "indirect", 0.7, ((c.SOURCE, c.AI, 120),), (c.SEND | c.GRANT | c.REVEAL | c.SKIP | c.PAYLOAD, c.DATA | c.PRIV | c.SECRETS | c.GATE | c.CONTROL | c.CONCEAL | c.PAYLOAD), c.TALK),
    Rule("runs_for_readers", "indirect", 0.8, ((c.AI | c.ADDRESS | c.SOURCE, c.PAYLOAD, 160),), (c.NEED | c.AI,), c.TALK),
    Rule("bot_renamed", "jailbreak", 0.7, ((c.ACT, c.AI, 40),), (c.REVEAL | c.OBEY,), c.TALK),
    Rule("later", "delayed", _LIKELY, ((c.WHEN, c.SEND | c.GRANT | c.REVEAL | c.DELETE, 90),), (c.CONCEAL | c.EVIL | c.PRIV, c.DATA | c.SECRETS | c.PRIV | c.ALL | c.CONCEAL), c.TALK | c.NEED, certain=c.CONCEAL | c.EVIL),
    Rule("in_silence", "concealed_order", _LIKELY, ((c.CONCEAL, c.GRANT | c.GATE | c.PRIV | c.AUDIT | c.SEND | c.CONTROL, 80),), (c.PRIV | c.AUDIT | c.GATE | c.DATA | c.SECRETS | c.PAY | c.CONTROL,), c.TALK | c.NEED),
)  # fmt: skip
