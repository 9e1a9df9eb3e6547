"""The Learning Inbox and the admin API."""
