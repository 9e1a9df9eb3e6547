"""What travels on the topics: one module a message family."""
