"""Property tests look for wrong answers; that a busy machine is slow is none."""

from hypothesis import HealthCheck, settings

settings.register_profile("dw", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("dw")
