"""Rules of AccessGate: who may call a model for what, what it may cost, when to try again, when to leave it alone."""
