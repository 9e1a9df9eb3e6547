"""Words of chat in many languages: tokens, cues, features. Shared by triage, extractor and risk."""
