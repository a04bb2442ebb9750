# Hyperbaton with its English parser and the playground; nothing is downloaded when it runs.
#   docker build -t hyperbaton .
#   docker run --rm --network none -u "$(id -u)" -v "$PWD:/work" hyperbaton    the demo; its report is in ./demo
#   docker run --rm --network host hyperbaton play --no-open                   the playground; open the link it prints
#   docker run --rm -u "$(id -u)" -v "$PWD:/work" hyperbaton wordorder --help  any other command
# The playground answers on 127.0.0.1 only, so the container needs the network of the host.
FROM python:3.12-slim AS build
COPY . /build
RUN python -m venv /opt/hyperbaton && /opt/hyperbaton/bin/pip install --no-cache-dir "/build[en,play]"

FROM python:3.12-slim
COPY --from=build /opt/hyperbaton /opt/hyperbaton
ENV PATH=/opt/hyperbaton/bin:$PATH HYPERBATON_CACHE=/tmp/hyperbaton NUMBA_CACHE_DIR=/tmp/numba HF_HUB_OFFLINE=1
RUN mkdir -m 777 /work
WORKDIR /work
USER 1000:1000
ENTRYPOINT ["hyperbaton"]
CMD ["demo", "--no-open", "--out", "demo"]
