"""Metric and log event names of the chassis, once."""

from __future__ import annotations

from typing import Final

RECORDS: Final = "dw_records"
BATCH_SECONDS: Final = "dw_batch_seconds"
DEAD_LETTERS: Final = "dw_dead_letters"
RETRIES: Final = "dw_retries"
CONSUMER_LAG: Final = "dw_consumer_lag"
TRIPPED: Final = "dw_consumer_tripped"
PUBLISHED: Final = "dw_published"
OUTBOX_PUBLISHED: Final = "dw_outbox_published"
HTTP_REQUESTS: Final = "dw_http_requests"
HTTP_SECONDS: Final = "dw_http_seconds"
