# syntax=docker/dockerfile:1
# The image of Bifold: the official Node, its libraries and the package, without a shell. docs/operate/deploying.md says how it is run.

# Any image with glibc. node:24-trixie-slim has a shell to look around with, and some 60 MB more.
ARG RUNTIME=gcr.io/distroless/cc-debian13:nonroot

FROM node:24-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-trixie-slim AS modules
WORKDIR /opt/bifold
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY --from=build /build/dist ./dist
# Types, source maps and pages serve nobody here.
RUN find . -type f \( -name '*.map' -o -name '*.ts' -o -name '*.cts' -o -name '*.mts' -o -name '*.md' \) -delete
# Volumes take over its owner.
RUN mkdir /data

FROM ${RUNTIME}
COPY --from=modules /usr/local/bin/node /usr/local/bin/node
COPY --from=modules /opt/bifold /opt/bifold
COPY --from=modules --chown=65532:65532 /data /data
COPY LICENSE /opt/bifold/LICENSE
WORKDIR /service
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    BIFOLD_HOST=0.0.0.0
USER 65532:65532
EXPOSE 4000
STOPSIGNAL SIGTERM
# The process only: a restart does not bring back a database that is away. Balancers ask /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["/usr/local/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.BIFOLD_PORT ?? process.env.PORT ?? 4000}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/local/bin/node", "/opt/bifold/dist/cli/main.js"]
CMD ["serve", "service.ts"]
