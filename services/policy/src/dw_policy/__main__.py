"""`python -m dw_policy`"""

from dw_policy.app import create_app
from dw_policy.settings import Settings
from dw_runtime import serve

if __name__ == "__main__":
    serve(create_app, Settings)
