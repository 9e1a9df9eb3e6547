"""`python -m dw_context`"""

import gc

from dw_context.app import create_app
from dw_context.settings import Settings
from dw_learning.history.glossary import shipped
from dw_runtime import serve

if __name__ == "__main__":
    shipped()  # the first reply would wait for it, and with it all others
    gc.freeze()  # what was imported stays for good: looking through it again and again costs a fifth of each pack
    gc.set_threshold(20_000, 20, 50)
    serve(create_app, Settings)
