"""The rules, pure: risk, scans, decision, state machines, authority, ContextPack assembly."""
