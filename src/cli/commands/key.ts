// `bifold key`: manages the API keys of a service, with access to its database.

import { randomBytes } from "node:crypto"
import { Command, Option } from "commander"
import {
  createKeyPlans,
  type KeyInput,
  type KeyPlans,
  readKey,
  readKeys,
  type StoredKey,
} from "../../access/identity/key-plans.ts"
import { withArticle } from "../../base/article.ts"
import { Refusal, refusal } from "../../base/problem.ts"
import { suggest } from "../../base/suggest.ts"
import { createEngine } from "../../engine/engine.ts"
import { anonymousTier } from "../../model/limits.ts"
import type { Model } from "../../model/model.ts"
import { apiKey, apiKeyOwner } from "../../model/system/api-key.ts"
import { canonicalDateTime } from "../../model/values/datetime.ts"
import type { Terminal } from "../../observe/terminal/terminal.ts"
import type { Answer } from "../../plan/read-plan.ts"
import { readId } from "../../plan/values/ids.ts"
import { type MadeKey, makeKey } from "../../plan/values/typeid.ts"
import { type CommandArguments, type DatabaseOptions, onDatabase, withDatabase } from "../on-database.ts"
import { columns } from "../output/columns.ts"
import { lifetime, several } from "../settings/options.ts"

interface CreateOptions extends DatabaseOptions {
  readonly name: string
  readonly asViewer?: string
  readonly role: readonly string[]
  readonly scope: readonly string[]
  readonly tier?: string
  /** Milliseconds. */
  readonly expires?: number | "never"
}

interface MoveOptions extends DatabaseOptions {
  readonly to: string
}

export function keyCommand(terminal: Terminal): Command {
  const key = new Command("key")
    .summary("create, list, revoke, rotate and move API keys")
    .description(
      "Creates, lists, revokes and rotates the API keys that programs sign in with, and pins them to versions.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ bifold key create service.ts --database shop.db --name "nightly import" --scope catalogue --expires 90d
  $ bifold key create service.ts --database shop.db --as-viewer cus_01h455vb4pex5vsknk084sn02q
  $ bifold key list service.ts --database shop.db
  $ bifold key rotate key_01h455vb4pex5vsknk084sn02q service.ts --database shop.db
  $ bifold key move key_01h455vb4pex5vsknk084sn02q service.ts --database shop.db --to 2026-11-01

The service file has to say identity: { keys: true }. A key is shown once, when it is made: only a digest of it is kept.
What is revoked, rotated or moved changes within five seconds.`,
    )
  key.addCommand(
    onDatabase(new Command("create").description("Makes a key and shows it, this once."))
      .argument("[service]", "the service file; service.ts when absent")
      .option("--name <text>", "what it is for", "key")
      .option("--as-viewer <id>", "the record that it signs in as")
      .addOption(new Option("--role <name>", "can be given again").default([]).argParser(several))
      .addOption(new Option("--scope <name>", "can be given again").default([]).argParser(several))
      .option("--tier <name>", "the tier of `limits` that applies to it")
      .addOption(
        new Option(
          "--expires <time>",
          "such as 12h, 90d, 8w or 1y, or never; `expires` of `keys` in the service when absent, or never",
        ).argParser(lifetime),
      )
      .action((service: string | undefined, options: CreateOptions) => create(terminal, service, options)),
  )
  key.addCommand(
    onDatabase(new Command("list").description("Lists all keys, the newest first."))
      .argument("[service]", "the service file; service.ts when absent")
      .action((service: string | undefined, options: DatabaseOptions) => list(terminal, service, options)),
  )
  key.addCommand(
    onDatabase(new Command("revoke").description("Ends a key and forgets it."))
      .argument("<key>", "its id, as the list shows it")
      .argument("[service]", "the service file; service.ts when absent")
      .action((id: string, service: string | undefined, options: DatabaseOptions) =>
        revoke(terminal, id, { service, options }),
      ),
  )
  key.addCommand(
    onDatabase(
      new Command("rotate").description("Ends a key and makes another in its place, shown this once."),
    )
      .argument("<key>", "its id, as the list shows it")
      .argument("[service]", "the service file; service.ts when absent")
      .action((id: string, service: string | undefined, options: DatabaseOptions) =>
        rotate(terminal, id, { service, options }),
      ),
  )
  key.addCommand(
    onDatabase(new Command("move").description("Pins a key to another version of the API."))
      .argument("<key>", "its id, as the list has it")
      .argument("[service]", "the service file; service.ts when absent")
      .requiredOption("--to <version>", "such as 2026-11-01")
      .action((id: string, service: string | undefined, options: MoveOptions) =>
        move(terminal, id, { service, options }),
      ),
  )
  return key
}

interface Keys {
  readonly model: Model
  readonly plans: KeyPlans
  ask(plan: ReturnType<KeyPlans["list"] | KeyPlans["create"]>): Promise<Answer>
}

function withKeys<Result>(given: CommandArguments, work: (keys: Keys) => Promise<Result>): Promise<Result> {
  return withDatabase(given, keysWanted, (model, storage) => {
    const cursors = { seal: () => "", open: () => undefined }
    const { answer } = createEngine({ storage, cursors, singleFlight: false })
    const plans = createKeyPlans(model)
    return work({ model, plans, ask: (plan) => answer(plan, plans.actor) })
  })
}

const keysWanted = {
  says: "whether there are keys",
  declared({ identity }: Model, file: string): void {
    if (!identity?.keys)
      throw refusal("invalid_command", `${file} does not say that there are keys.`, {
        hint: "Add identity: { keys: true } to the service.",
      })
  },
  needs: () => ({ resources: [apiKey] }),
}

async function create(
  terminal: Terminal,
  service: string | undefined,
  options: CreateOptions,
): Promise<void> {
  const { key, made } = await withKeys({ service, options }, async ({ model, plans, ask }) => {
    const input = readInput(model, options)
    const fresh = makeKey(model.name, randomBytes)
    const { hint, digest } = fresh
    const keep = async () => stored(await ask(plans.create({ ...input, hint, digest })))
    return { made: fresh, key: await keep().catch(ownerRefused(model, options)) }
  })
  show(terminal, { key, made }, options)
}

function readInput(model: Model, { name, asViewer, role, scope, tier, expires }: CreateOptions): KeyInput {
  const [roles, scopes] = [declared(role, model.roles, "role"), declared(scope, model.scopes, "scope")]
  const tiers = [...model.limits.tiers.keys()].filter((one) => one !== anonymousTier)
  return {
    name,
    roles,
    scopes,
    ...(tier !== undefined && { tier: declared([tier], tiers, "tier")[0] ?? tier }),
    ...(asViewer !== undefined && { ownerId: readOwner(model, asViewer) }),
    ...(expires !== undefined && {
      expiresAt: expires === "never" ? null : canonicalDateTime(Date.now() + expires),
    }),
  }
}

function declared(given: readonly string[], known: readonly string[], what: string): readonly string[] {
  for (const name of given)
    if (!known.includes(name))
      throw refusal("invalid_command", `There is no ${what} ${JSON.stringify(name)}.`, {
        hint: suggest(name, known) ?? `The service declares no ${what}s.`,
      })
  return [...new Set(given)]
}

function readOwner({ viewer: name, resources }: Model, id: string): string {
  const viewer = name === undefined ? undefined : resources.get(name)
  const owned = resources.get(apiKey)?.relations.has(apiKeyOwner) === true
  if (!viewer || !owned)
    throw refusal("invalid_command", "Keys of this service have no owner: the service declares no viewer.", {
      hint: 'Say which records those are that sign in: viewer: "user".',
    })
  if (readId(viewer, id)) return id
  throw refusal("invalid_command", `${JSON.stringify(id)} is no id of ${withArticle(viewer.name)}.`, {
    hint: `Give one such as ${viewer.prefix}_….`,
  })
}

/** The record that the key signs in as, in the words of its option. */
const ownerRefused =
  ({ viewer }: Model, { asViewer }: CreateOptions) =>
  (error: unknown): never => {
    const isOwner = error instanceof Refusal && error.problems.some(({ place }) => place?.[0] === "ownerId")
    if (!isOwner || viewer === undefined) throw error
    throw refusal("missing_reference", `--as-viewer: there is no ${viewer} ${JSON.stringify(asViewer)}.`)
  }

async function list(
  terminal: Terminal,
  service: string | undefined,
  options: DatabaseOptions,
): Promise<void> {
  const keys = await withKeys({ service, options }, async ({ plans, ask }) =>
    readKeys(await ask(plans.list())),
  )
  if (options.json) terminal.print(JSON.stringify({ keys: keys.map(keyJson) }, null, 2))
  else if (keys.length === 0) terminal.say("There are no keys.")
  else terminal.print(keyTable(terminal, keys))
}

/** A text that is no id is not repeated: it may be the key itself. */
function readKeyId(text: string): string {
  if (/^(key_)?[0-9a-z]{26}$/.test(text)) return text
  throw refusal("invalid_command", "This is no id of a key.", {
    hint: "Give its id, key_…, as bifold key list shows it; neither its name nor the key itself.",
  })
}

async function revoke(terminal: Terminal, text: string, given: CommandArguments): Promise<void> {
  const id = readKeyId(text)
  const key = await withKeys(given, async ({ plans, ask }) => stored(await ask(plans.remove(id))))
  if (given.options.json) terminal.print(JSON.stringify({ ok: true, ...keyJson(key) }, null, 2))
  else terminal.print(`${terminal.out.green("✓")} ${key.hint}… (${key.name}) ends within five seconds.`)
}

async function rotate(terminal: Terminal, text: string, given: CommandArguments): Promise<void> {
  const id = readKeyId(text)
  const { key, made } = await withKeys(given, async ({ model, plans, ask }) => {
    const fresh = makeKey(model.name, randomBytes)
    const { hint, digest } = fresh
    return { made: fresh, key: stored(await ask(plans.update(id, { hint, digest }))) }
  })
  show(terminal, { key, made }, given.options)
  terminal.say("The one that it had ends within five seconds.")
  if (!isExpired(key)) return
  const { yellow, dim } = terminal.err
  terminal.say(yellow(`Expired, and no longer accepted, since ${key.expiresAt}.`))
  terminal.say(dim("  → Make another with bifold key create, or set its expiresAt by the API."))
}

async function move(
  terminal: Terminal,
  text: string,
  { service, options }: { readonly service: string | undefined; readonly options: MoveOptions },
): Promise<void> {
  const id = readKeyId(text)
  const key = await withKeys({ service, options }, async ({ model, plans, ask }) => {
    const names = (model.versions ?? []).map(({ name }) => name)
    const [version = options.to] = declared([options.to], names, "version")
    return stored(await ask(plans.update(id, { version })))
  })
  if (options.json) terminal.print(JSON.stringify({ ok: true, ...keyJson(key) }, null, 2))
  else
    terminal.print(
      `${terminal.out.green("✓")} ${key.hint}… (${key.name}) gets version ${key.version} within five seconds.`,
    )
}

function stored(answer: Answer): StoredKey {
  const key = readKey(answer)
  if (!key)
    throw refusal("not_found", "There is no such key.", { hint: "bifold key list shows all of them." })
  return key
}

function show(
  terminal: Terminal,
  { key, made }: { readonly key: StoredKey; readonly made: MadeKey },
  { json }: DatabaseOptions,
): void {
  if (json) {
    terminal.print(JSON.stringify({ ...keyJson(key), secret: made.secret }, null, 2))
    return
  }
  const { out } = terminal
  terminal.print(
    columns([
      ["Key", out.bold(made.secret)],
      ["Id", key.id],
      ["Name", key.name],
      ["Signs in as", whoIs(key)],
      ...(key.tier === null ? [] : [["Tier", key.tier]]),
      ["Expires", key.expiresAt ?? "never"],
    ]),
  )
  terminal.say("Shown once. Send it as: Authorization: Bearer <key>")
}

const whoIs = ({ owner, roles, scopes }: StoredKey): string =>
  [
    ...(owner === null ? [] : [owner]),
    ...roles.map((name) => `role:${name}`),
    ...scopes.map((name) => `scope:${name}`),
  ].join(" + ") || "a signed-in actor"

const isExpired = ({ expiresAt }: StoredKey): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

function keyTable({ out }: Terminal, keys: readonly StoredKey[]): string {
  const expiry = (key: StoredKey): string =>
    key.expiresAt === null ? "never" : isExpired(key) ? out.red("expired") : day(key.expiresAt)
  return columns([
    ["Id", "Begins", "Name", "Signs in as", "Last used", "Expires"].map((head) => out.dim(head)),
    ...keys.map((key) => [
      key.id,
      `${key.hint}…`,
      key.name,
      whoIs(key),
      key.lastUsedAt === null ? "never" : day(key.lastUsedAt),
      expiry(key),
    ]),
  ])
}

/** To the minute, in UTC. */
const day = (moment: string): string => `${moment.slice(0, 10)} ${moment.slice(11, 16)}`

/** All that is known of it, but for its digest. */
const keyJson = ({ digest: _, ...key }: StoredKey): Omit<StoredKey, "digest"> => key
