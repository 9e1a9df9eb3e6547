"""`python -m dw_triage`"""

from dw_runtime import serve
from dw_triage.app import create_app
from dw_triage.settings import Settings

if __name__ == "__main__":
    serve(create_app, Settings)
