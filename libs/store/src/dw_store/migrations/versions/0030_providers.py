"""The prompt of detections says what each field of an answer is, and where a span is counted from (R66, G27).

pre: runs before the code that needs it; code of before asks with it as with any version.
"""

from dw_store.migrations.sql import run_file

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    run_file("0030_providers")
