// The forms of values, each with the sentence that says which are expected.
import { availableParallelism } from "node:os"
import * as z from "zod"
import { isProxyText, proxyNames } from "../base/networks.ts"

export const text = (expected: string) => z.string(expected).min(1, expected)

export const wholeNumber = (least: number, most: number, expected: string) =>
  z.int(expected).min(least, expected).max(most, expected)

const shareExpected = "Give a number from 0 to 1, such as 0.1."

export const share = z.number(shareExpected).min(0, shareExpected).max(1, shareExpected)

export const onOrOff = z.boolean("Give true or false.")

/** As Commander says it of an option. */
export const choice = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `Allowed choices are ${names.join(", ")}.`)

const databaseExpected = "Give the path of a SQLite file, or postgres://user:password@host:5432/database."

/** DATABASE_URL may be meant for another program, on a database that Bifold does not know. */
export const database = text(databaseExpected).refine(
  (given) => !/^[a-z][a-z0-9+.-]*:\/\//i.test(given) || /^(postgres(ql)?|sqlite|file):/i.test(given),
  databaseExpected,
)

const limitsStoreExpected = "Give memory, redis://…, rediss://… or postgres://…."

export const limitsStore = text(limitsStoreExpected).refine(
  (given) => given === "memory" || /^(rediss?|postgres(ql)?):\/\/./.test(given),
  limitsStoreExpected,
)

/** Milliseconds from seconds. */
export const seconds = (least: number, most: number) => duration("seconds", 1_000, { least, most })

/** Milliseconds from hours. */
export const hours = (least: number, most: number) => duration("hours", 3_600_000, { least, most })

/** @param milliseconds of one unit */
function duration(
  unit: string,
  milliseconds: number,
  { least, most }: { readonly least: number; readonly most: number },
) {
  const expected = `Give ${unit} from ${least} to ${most}.`
  return z
    .number(expected)
    .min(least, expected)
    .max(most, expected)
    .transform((given) => Math.round(given * milliseconds))
}

export const port = wholeNumber(0, 65_535, "Give a number from 0 to 65535; 0 takes any port that is free.")

const pathExpected = "Give a path such as /api."

/** `/api` for `/api/` and `api`; empty for `/`. */
export const basePath = z
  .string(pathExpected)
  .transform((given) => given.replace(/^\/*/, "/").replace(/\/+$/, ""))
  .refine(
    (path) => path === "" || (/^(\/[A-Za-z0-9._~-]+)+$/.test(path) && !/\/\.{1,2}(\/|$)/.test(path)),
    pathExpected,
  )

const originExpected = "Give an origin such as https://shop.example, or * for every one."

export const origins = z
  .array(
    z
      .string(originExpected)
      .refine(
        (given) => given === "*" || (URL.canParse(given) && new URL(given).origin === given),
        originExpected,
      ),
    "Give a list of origins such as https://shop.example.",
  )
  .readonly()

export const secret = z
  .string("Give a text.")
  .min(16, "Give at least 16 characters, as `openssl rand -hex 32` makes them.")

const workersExpected = "Give a number from 1 to 256, or auto for one per processor."

/** A number of processes: `auto` is as many as the machine runs at once. */
export const workers = z
  .union([z.literal("auto"), wholeNumber(1, 256, workersExpected)], workersExpected)
  .transform((given) => (given === "auto" ? availableParallelism() : given))

const metricsExpected =
  "Give a port, an address of this machine with a port (0.0.0.0:9464), or a path (/metrics)."

/** The place where metrics are served: an address of their own, or a path of the server. */
export const metricsPlace = z
  .union([wholeNumber(0, 65_535, metricsExpected), z.string(metricsExpected)], metricsExpected)
  .transform((given, context): MetricsPlace => {
    const place = readMetricsPlace(String(given))
    if (place) return place
    context.addIssue({ code: "custom", message: metricsExpected })
    return z.NEVER
  })

export type MetricsPlace =
  | { readonly kind: "address"; readonly host: string; readonly port: number }
  | { readonly kind: "path"; readonly path: string }

function readMetricsPlace(text: string): MetricsPlace | undefined {
  if (/^(\/[A-Za-z0-9._~-]+)+$/.test(text) && !/\/\.{1,2}(\/|$)/.test(text))
    return { kind: "path", path: text }
  const [, own, host, number = text] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text) ?? []
  const port = Number(number)
  if (!/^\d{1,5}$/.test(number) || port > 65_535) return undefined
  return { kind: "address", host: own ?? host ?? "127.0.0.1", port }
}

const spelt = (form: RegExp, expected: string) => z.string(expected).max(200, expected).regex(form, expected)

const proxiesExpected = `Give how many proxies there are, from 1 to 9, or addresses and networks such as 10.0.0.0/8, ${proxyNames.join(", ")}.`

const hopCount = /^[1-9]$/

/** Addresses and networks, or one number. */
export const trustedProxies = z
  .array(z.union([z.string(), z.int().transform(String)], proxiesExpected), proxiesExpected)
  .refine(
    (given) => given.every(isProxyText) || (given.length === 1 && hopCount.test(given[0] ?? "")),
    proxiesExpected,
  )
  .readonly()

/** Permissions of a file from their octal digits. */
export const fileMode = spelt(/^0?[0-7]{3}$/, "Give three octal digits, such as 660.").transform((given) =>
  Number.parseInt(given, 8),
)
