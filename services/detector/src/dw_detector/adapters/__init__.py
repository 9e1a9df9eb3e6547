"""Providers: who answers what a message teaches."""
