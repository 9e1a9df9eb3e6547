"""AccessGate: the one way to a model, bounded by money, rate, time and an off switch (R62, G1 to G34)."""
