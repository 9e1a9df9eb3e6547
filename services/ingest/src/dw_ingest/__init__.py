"""Takes chat events over HTTP, redacts, seals and publishes them."""
