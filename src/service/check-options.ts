// Options of an embedded service, as a host without a compiler may give them: each has its form, and there are no others.
import * as z from "zod"
import { collectProblems } from "../base/problem.ts"
import { suggest } from "../base/suggest.ts"
import * as forms from "../settings/forms.ts"
import { maskedValue } from "../settings/setting.ts"
import { settingOf } from "../settings/settings.ts"
import type { EmbedOptions } from "./embedded-options.ts"

const whole = (least: number, most: number, what: string) =>
  forms.wholeNumber(least, most, `Give ${what} from ${least} to ${most}.`)

const called = z.custom<unknown>((given) => typeof given === "function", "Give a function.")

const baseExpected = "Give a path such as /api, without a slash at its end."

const members = {
  database: settingOf("database").schema,
  secret: forms.secret,
  base: z
    .string(baseExpected)
    .refine(
      (given) => given === "" || (given.startsWith("/") && forms.basePath.safeParse(given).data === given),
      baseExpected,
    ),
  identify: called,
  open: forms.choice(["read", "write"]),
  dev: forms.onOrOff,
  cors: forms.origins,
  compression: settingOf("compression").schema,
  // Bounds that seconds or hours, as settings of `serve` have them, do not meet.
  deadline: whole(100, 3_600_000, "milliseconds"),
  bodyLimit: whole(1, 2 ** 30, "bytes"),
  maxRequests: settingOf("maxRequests").schema,
  patience: whole(10, 3_600_000, "milliseconds"),
  proxies: settingOf("proxies").schema,
  limitsStore: settingOf("limitsStore").schema,
  limitsDown: settingOf("limitsDown").schema,
  clientTraces: settingOf("clientTraces").schema,
  keepAnswers: whole(3_600, 366 * 86_400_000, "milliseconds"),
  singleFlight: forms.onOrOff,
  background: forms.onOrOff,
  acceptDataLoss: forms.onOrOff,
  jit: settingOf("jit").schema,
  metrics: forms.choice(["service", "process"]),
  serverTiming: forms.onOrOff,
  instance: forms.text("Give a name for the service."),
  file: forms.text("Give the name of the service file."),
  observe: called,
} satisfies Record<keyof EmbedOptions, z.ZodType>

const names = Object.keys(members) as readonly (keyof EmbedOptions)[]

/** Throws a Refusal that says every option that cannot be. */
export function checkOptions(options: Readonly<Record<string, unknown>>): void {
  const problems = collectProblems(Number.POSITIVE_INFINITY)
  const refuse = (message: string, hint: string): void => problems.add("invalid_command", [], message, hint)
  for (const name of Object.keys(options))
    if (!Object.hasOwn(members, name))
      refuse(`createService has no option ${name}.`, suggest(name, names) ?? `It has ${names.join(", ")}.`)
  if (options["database"] === undefined || options["database"] === "")
    refuse(
      "The option database is missing.",
      "Give the address of one: shop.db, or postgres://user:password@host/shop.",
    )
  for (const name of names) {
    const given = options[name]
    if (given === undefined || (name === "database" && given === "")) continue
    const read = members[name].safeParse(given)
    if (!read.success) refuse(`The option ${name} is ${shownAs(name, given)}.`, expectedOf(read.error))
  }
  problems.settle()
}

const expectedOf = ({ issues: [issue] }: z.ZodError): string => issue?.message ?? ""

function shownAs(name: keyof EmbedOptions, given: unknown): string {
  if (name === "secret") return "not a secret that can be used"
  if (name === "database" || name === "limitsStore") return maskedValue(settingOf(name), given)
  return typeof given === "function" ? "a function" : (JSON.stringify(given) ?? String(given))
}
