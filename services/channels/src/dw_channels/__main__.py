"""`python -m dw_channels`"""

from dw_channels.app import create_app
from dw_channels.settings import Settings
from dw_runtime import serve

if __name__ == "__main__":
    serve(create_app, Settings)
