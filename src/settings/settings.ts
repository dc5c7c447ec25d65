// All settings. Options of commands, variables of the environment, keys of bifold.config.ts and docs/reference/settings.md
// are derived from this list.
import type * as z from "zod"
import { clientTraces, defaultClientTraces } from "../base/tracing.ts"
import { brokerSettings } from "../events/sinks/brokers.ts"
import * as forms from "./forms.ts"
import type { Setting } from "./setting.ts"

const setting = <const Given extends Setting>(given: Given): Given => given

/** A text among several. */
const oneOf = <const Names extends readonly [string, ...string[]]>(choices: Names, usual: Names[number]) =>
  ({ form: "text", schema: forms.choice(choices), choices, default: usual }) as const

/** In the order of the help. The key is the one of a configuration file, and of the options in the program. */
const settings = {
  database: setting({
    flags: "--database <url>",
    description: "the database of a service file",
    form: "text",
    schema: forms.database,
    customary: "DATABASE_URL",
    secret: "address",
  }),
  port: setting({
    flags: "-p, --port <number>",
    description: "port to listen on; 0 takes a free one",
    form: "number",
    schema: forms.port,
    default: 4000,
    customary: "PORT",
  }),
  host: setting({
    flags: "--host <address>",
    description: "address to listen on",
    form: "text",
    schema: forms.text("Give an address or a name of this machine, such as 127.0.0.1 or 0.0.0.0."),
    default: "127.0.0.1",
  }),
  base: setting({
    flags: "--base <path>",
    description: "path before both faces, such as /api",
    form: "text",
    schema: forms.basePath,
    default: "",
  }),
  secret: setting({
    flags: "--secret <text>",
    description: "signs cursors and makes ids of events: the same in every process and after a restart",
    form: "text",
    schema: forms.secret,
    secret: "whole",
  }),
  cors: setting({
    flags: "--cors <origin>",
    description: "origin whose pages may read answers; can be repeated",
    form: "list",
    schema: forms.origins,
    default: [],
  }),
  compression: setting({
    flags: "--compression <how>",
    description: "auto compresses answers from 1 KiB; off leaves that to a proxy",
    ...oneOf(["auto", "off"], "auto"),
  }),
  workers: setting({
    flags: "--workers <number>",
    description: "processes that share the work; auto is one per processor",
    form: "number",
    schema: forms.workers,
    default: 1,
  }),
  deadline: setting({
    flags: "--deadline <seconds>",
    description: "the longest time for the database to answer a request",
    form: "number",
    schema: forms.seconds(0.1, 3_600),
    default: 10,
    unit: "seconds",
  }),
  drainDelay: setting({
    flags: "--drain-delay <seconds>",
    description:
      "between the signal to end and the closing of the port; 5, or 0 with --dev or on a local address",
    form: "number",
    schema: forms.seconds(0, 3_600),
    unit: "seconds",
  }),
  proxies: setting({
    flags: "--proxies <number>",
    description: "number of trusted proxies, which set X-Forwarded-For",
    form: "number",
    schema: forms.wholeNumber(0, 9, "Give the number of proxies that every request passes, from 0 to 9."),
    default: 0,
  }),
  trustProxy: setting({
    flags: "--trust-proxy <who>",
    description: "trusted proxies: how many, or their addresses, networks, loopback, private, unix",
    form: "list",
    schema: forms.trustedProxies,
    default: [],
  }),
  proxyHeader: setting({
    flags: "--proxy-header <name>",
    description: "header of trusted proxies: x-forwarded-for or forwarded",
    ...oneOf(["x-forwarded-for", "forwarded"], "x-forwarded-for"),
  }),
  hsts: setting({
    flags: "--hsts <seconds>",
    description: "seconds of Strict-Transport-Security in answers by TLS; 0 sends none",
    form: "number",
    schema: forms.wholeNumber(0, 99_999_999, "Give whole seconds, such as 31536000; 0 says nothing."),
    default: 0,
  }),
  tlsCert: setting({
    flags: "--tls-cert <path>",
    description: "certificate chain in PEM, for HTTPS in HTTP/2 or HTTP/1.1",
    form: "text",
    schema: forms.text("Give the path of a PEM file."),
  }),
  tlsKey: setting({
    flags: "--tls-key <path>",
    description: "key of the certificate in PEM",
    form: "text",
    schema: forms.text("Give the path of a PEM file."),
  }),
  h2c: setting({
    flags: "--h2c",
    description: "also takes HTTP/2 without TLS, such as from a proxy",
    form: "switch",
    schema: forms.onOrOff,
    default: false,
  }),
  socket: setting({
    flags: "--socket <path>",
    description: "listen on a unix socket in place of host and port",
    form: "text",
    schema: forms.text("Give a path such as /run/bifold/http.sock."),
  }),
  socketMode: setting({
    flags: "--socket-mode <mode>",
    description: "permissions of the socket file",
    form: "text",
    schema: forms.fileMode,
    default: "660",
  }),
  maxRequests: setting({
    flags: "--max-requests <number>",
    description: "requests at a time; more are refused at once",
    form: "number",
    schema: forms.wholeNumber(1, 9_999_999, "Give a whole number above 0."),
    default: 2_000,
  }),
  patience: setting({
    flags: "--patience <seconds>",
    description: "the longest wait behind requests of other clients; a longer one is refused at once",
    form: "number",
    schema: forms.seconds(0.01, 3_600),
    default: 2,
    unit: "seconds",
  }),
  maxConnections: setting({
    flags: "--max-connections <number>",
    description: "connections of one address without a proxy; 0 for any number",
    form: "number",
    schema: forms.wholeNumber(0, 9_999_999, "Give a whole number."),
    default: 2_000,
  }),
  socketMessages: setting({
    flags: "--socket-messages <number>",
    description: "messages of a WebSocket in a second; more wait, and end it after 10 seconds",
    form: "number",
    schema: forms.wholeNumber(1, 9_999_999, "Give a whole number above 0."),
    default: 1_000,
  }),
  socketBytes: setting({
    flags: "--socket-bytes <number>",
    description: "bytes of a WebSocket in a second, likewise",
    form: "number",
    schema: forms.wholeNumber(1, 9_999_999_999, "Give a whole number above 0."),
    default: 1_048_576,
  }),
  limitsStore: setting({
    flags: "--limits-store <url>",
    description: "store of callers' points: memory, redis://…, rediss://… or postgres://…",
    form: "text",
    schema: forms.limitsStore,
    default: "memory",
    secret: "address",
  }),
  limitsDown: setting({
    flags: "--limits-down <how>",
    description: "while that store is down: open answers without limits, closed refuses with 503",
    ...oneOf(["open", "closed"], "open"),
  }),
  keepAnswers: setting({
    flags: "--keep-answers <hours>",
    description: "time in which a write can be repeated with its Idempotency-Key",
    form: "number",
    schema: forms.hours(0.001, 8_760),
    default: 24,
    unit: "hours",
  }),
  acceptDataLoss: setting({
    flags: "--accept-data-loss",
    description: "write to a PostgreSQL server that may lose acknowledged writes (fsync = off)",
    form: "switch",
    schema: forms.onOrOff,
    default: false,
  }),
  jit: setting({
    flags: "--jit <how>",
    description: "off: PostgreSQL compiles no statement of Bifold; server: as the server is set",
    ...oneOf(["off", "server"], "off"),
  }),
  singleFlight: setting({
    flags: "--no-single-flight",
    description: "sends each of several equal requests to the database",
    form: "switch",
    schema: forms.onOrOff,
    default: true,
  }),
  metrics: setting({
    flags: "--metrics <port or path>",
    description:
      "serves Prometheus metrics on a port of 127.0.0.1, on <address>:<port>, or on a path of the server",
    form: "text",
    schema: forms.metricsPlace,
  }),
  serverTiming: setting({
    flags: "--server-timing",
    description: "shows clients the time of each stage in Server-Timing",
    form: "switch",
    schema: forms.onOrOff,
    default: false,
  }),
  clientTraces: setting({
    flags: "--client-traces <how>",
    description:
      "a client's traceparent: link starts a trace with a link to it, join continues it, ignore does neither",
    ...oneOf(clientTraces, defaultClientTraces),
  }),
  ...brokerSettings,
  logFormat: setting({
    flags: "--log-format <form>",
    description: "json: a line per event; auto: pretty on a terminal, else json",
    ...oneOf(["auto", "json", "pretty"], "auto"),
  }),
  logLevel: setting({
    flags: "--log-level <level>",
    description: "the lowest level to log",
    ...oneOf(["debug", "info", "warn", "error"], "info"),
  }),
  logRequests: setting({
    flags: "--log-requests <which>",
    description: "requests to log; slow includes errors",
    ...oneOf(["none", "errors", "slow", "all"], "none"),
  }),
  logSample: setting({
    flags: "--log-sample <share>",
    description: "share of other requests that --log-requests all logs, from 0 to 1",
    form: "number",
    schema: forms.share,
    default: 1,
  }),
  slowRequest: setting({
    flags: "--slow-request <ms>",
    description: "milliseconds after which a request is slow",
    form: "number",
    schema: forms.wholeNumber(1, 9_999_999, "Give milliseconds, a whole number above 0."),
    default: 1_000,
  }),
  slowStatement: setting({
    flags: "--slow-statement <ms>",
    description: "milliseconds after which a statement is logged; 0 logs none",
    form: "number",
    schema: forms.wholeNumber(0, 9_999_999, "Give milliseconds, a whole number."),
    default: 0,
  }),
}

type All = typeof settings
export type SettingKey = keyof All
type Defaulted = { [Key in SettingKey]: All[Key] extends { default: unknown } ? Key : never }[SettingKey]

/** The effective values, as the program uses them: times are milliseconds. */
export type Settings = { readonly [Key in Defaulted]: z.output<All[Key]["schema"]> } & {
  readonly [Key in Exclude<SettingKey, Defaulted>]?: z.output<All[Key]["schema"]>
}

/** The default export of `bifold.config.ts`. Options and variables of the environment go before it. */
export type Config = {
  readonly [Key in SettingKey]?: z.input<All[Key]["schema"]> | undefined
}

/** Checks the types of `bifold.config.ts`, and gives it back as it is. */
export const defineConfig = (config: Config): Config => config

export const settingKeys = Object.keys(settings) as readonly SettingKey[]

/** The list, by key, without the types of the single values. */
export const settingOf = (key: SettingKey): Setting => settings[key]
