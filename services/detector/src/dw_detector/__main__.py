"""`python -m dw_detector`"""

from dw_detector.app import create_app
from dw_detector.settings import Settings
from dw_runtime import serve

if __name__ == "__main__":
    serve(create_app, Settings)
