# One image a process: docker build --build-arg SERVICE=ingest .
# SERVICE is ingest, triage, detector, policy, context, panel or channels; `tools` has the dw command for jobs.
# All of them share every layer but the last, so that eight images cost the disk of one.
FROM python:3.11-slim AS packages
WORKDIR /build
COPY requirements.lock ./
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

FROM python:3.11-slim
RUN useradd --system --uid 10001 --create-home --home-dir /home/dw dw
COPY --from=packages /opt/venv /opt/venv
COPY libs /app/libs
COPY services /app/services
COPY deploy/compose/healthcheck.py /app/healthcheck.py
# The members are used in place: building wheels would fetch a build tool that no lock knows.
RUN printf '%s\n' /app/libs/*/src /app/services/*/src > /opt/venv/lib/python3.11/site-packages/members.pth \
    && /opt/venv/bin/python -m compileall -q /app
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
USER 10001
ARG SERVICE
ENV SERVICE=$SERVICE
RUN test -n "$SERVICE" || { echo "say which: --build-arg SERVICE=ingest"; exit 1; }
HEALTHCHECK --interval=5s --timeout=4s --start-period=60s --retries=6 CMD ["python", "/app/healthcheck.py"]
CMD ["sh", "-c", "exec python -m dw_$SERVICE"]
