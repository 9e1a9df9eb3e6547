"""`python -m dw_context`"""

from dw_context.app import create_app
from dw_context.settings import Settings
from dw_runtime import serve

if __name__ == "__main__":
    serve(create_app, Settings)
