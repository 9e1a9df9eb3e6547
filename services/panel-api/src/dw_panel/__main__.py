"""`python -m dw_panel`"""

from dw_panel.app import create_app
from dw_panel.settings import Settings
from dw_runtime import serve

if __name__ == "__main__":
    serve(create_app, Settings)
