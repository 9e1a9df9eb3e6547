"""The demo: real HTTP calls against a running stack, explained as they go."""

from dw_devstack.demo.play import play

__all__ = ["play"]
