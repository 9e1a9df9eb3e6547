"""`python -m dw_channels`"""

from dw_runtime import serve

from dw_channels.app import create_app
from dw_channels.settings import Settings

if __name__ == "__main__":
    serve(create_app, Settings)
