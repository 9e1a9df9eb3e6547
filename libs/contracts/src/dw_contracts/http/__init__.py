"""Requests and answers of our HTTP routes: one module a service."""
