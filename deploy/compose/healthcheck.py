"""Is the process of this container ready? Ends with status 0 or says why not. Standard library only: it runs often."""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request


def main() -> int:
    """Ask /health/ready of the service that the image was built for."""
    port = os.environ[f"DW_{os.environ['SERVICE'].upper()}_PORT"]
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=3) as answer:
            answer.read()
        return 0
    except urllib.error.HTTPError as error:
        sys.stdout.write("; ".join(json.load(error).get("reasons", [])) + "\n")
    except (OSError, ValueError) as error:
        sys.stdout.write(f"no answer: {error}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
