"""What context reaches beyond itself: keys, and the record of packs."""
