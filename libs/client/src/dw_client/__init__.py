"""What a user of ours imports: publish events, build context."""
