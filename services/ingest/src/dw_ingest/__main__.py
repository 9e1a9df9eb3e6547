"""`python -m dw_ingest`"""

from dw_ingest.app import create_app
from dw_ingest.settings import Settings
from dw_runtime import serve

if __name__ == "__main__":
    serve(create_app, Settings)
