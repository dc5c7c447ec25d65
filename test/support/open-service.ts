// The services that cases, properties and documents ask, opened on a real database with their records.

import { join } from "node:path"
import { storefrontData } from "../../examples/storefront/data.ts"
import storefrontDeclaration from "../../examples/storefront/service.ts"
import { actorFromText } from "../../src/access/identity/actor-text.ts"
import { createEngine, type Engine } from "../../src/engine/engine.ts"
import type { SavedTexts } from "../../src/graphql/document/saved-texts.ts"
import { graphqlFace } from "../../src/graphql/face.ts"
import { load } from "../../src/model/load.ts"
import type { Model, Resource } from "../../src/model/model.ts"
import { type Actor, everybodyOf } from "../../src/plan/access/actor.ts"
import { openModel } from "../../src/plan/access/visible-model.ts"
import { createCursors } from "../../src/plan/draft/cursor.ts"
import type { Fresh, PlanContext } from "../../src/plan/draft/draft.ts"
import type { Value } from "../../src/plan/read-plan.ts"
import { readId } from "../../src/plan/values/ids.ts"
import { readValue, valueTypeOf } from "../../src/plan/values/values.ts"
import { restFace } from "../../src/rest/face.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import type { Storage, StorageOptions } from "../../src/storage/storage.ts"
import { gallery, galleryRows } from "../services/gallery.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "./database.ts"
import { loadOpen } from "./everybody.ts"
import { filledDatabase } from "./filled-database.ts"
import { fromOne } from "./fresh.ts"
import { asText, type TextFace, type TextResponse } from "./text-face.ts"
import type { Records as BareRecords } from "./world.ts"

export const dialects = ["sqlite", "postgres"] as const
export type Database = (typeof dialects)[number]

export interface OpenService {
  readonly model: Model
  readonly context: PlanContext
  readonly storage: Storage
  readonly engine: Engine
  /** The same records for whoever the words name, by the rules of the example that the model is of. */
  as(words: string): OpenService
  graphql(request: { readonly body: object }): Promise<TextResponse>
  rest(request: {
    readonly method: string
    readonly path: string
    readonly query: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: Uint8Array
  }): Promise<TextResponse>
}

const storefrontWhole = load(storefrontDeclaration)
const storefront = openModel(storefrontWhole)
const galleryModel = loadOpen(gallery)
const models = { storefront, gallery: galleryModel } as const

/** The examples' models and their records with bare keys. */
export function exampleRecords(service: "storefront" | "gallery"): {
  model: Model
  bare: BareRecords
  stored: Records
} {
  if (service === "storefront") {
    const data = storefrontData()
    return { model: storefront, bare: data, stored: data }
  }
  const stored = new Map(
    [...galleryRows].map(([name, rows]): [string, Row[]] => {
      const resource = galleryModel.resources.get(name)
      if (!resource) throw new Error(`no resource ${name}`)
      return [name, rows.map((row) => canonicalRow(resource, row))]
    }),
  )
  return {
    model: galleryModel,
    bare: { records: galleryRows, links: [] },
    stored: { records: stored, links: [] },
  }
}

function canonicalRow(resource: Resource, row: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([member, value]): [string, Value] => {
      const field = resource.fields.get(member)
      if (value === null && field?.scalar !== "json") return [member, null]
      if (!field) return [member, keyValue(resource, member, String(value))]
      if (value === null) return [member, null]
      const read = readValue(valueTypeOf(galleryModel, field), value, "json")
      if (!read.ok) throw new Error(`${resource.name}.${member} ${read.wrong}`)
      return [member, read.value]
    }),
  )
}

function keyValue(resource: Resource, member: string, text: string): Value {
  const relation = [...resource.relations.values()].find(
    (one) => one.kind === "one" && one.reference === member,
  )
  const target = galleryModel.resources.get(relation?.target ?? resource.name)
  const parts = target && readId(target, text)
  if (!parts) throw new Error(`${resource.name}.${member}: ${text}`)
  const [only, ...more] = parts
  return more.length === 0 && only !== undefined ? only : parts
}

export async function openExample(
  hooks: Hooks,
  service: "storefront" | "gallery",
  database: Database,
  { fresh, ...options }: Partial<StorageOptions> & { readonly fresh?: Fresh } = {},
): Promise<OpenService> {
  const model = models[service]
  const url = await filledDatabase(hooks, {
    name: `${service}_${database}`,
    database,
    fill: (empty) => fillDatabase(empty, database, { model, records: exampleRecords(service).stored }),
  })
  return await connectService(hooks, url, { model, options, ...(fresh && { fresh }) })
}

/** A fresh database with these records, closed and removed when the test ends. */
export async function openService(
  hooks: Hooks,
  given: {
    readonly model: Model
    readonly records: Records
    readonly database: Database
    readonly options?: Partial<StorageOptions>
    readonly fresh?: Fresh
  },
): Promise<OpenService> {
  const { database } = given
  const url =
    database === "sqlite"
      ? join(await temporaryFolder(hooks), "service.sqlite")
      : await temporaryPostgres(hooks)
  await fillDatabase(url, database, given)
  return await connectService(hooks, url, given)
}

async function fillDatabase(
  url: string,
  database: Database,
  { model, records }: { readonly model: Model; readonly records: Records },
): Promise<void> {
  const dialect = database === "sqlite" ? sqlite : postgres
  const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
  await setUp(url, [...tables, ...insertRecords(model, dialect, records)])
}

async function connectService(
  hooks: Hooks,
  url: string,
  given: { readonly model: Model; readonly options?: Partial<StorageOptions>; readonly fresh?: Fresh },
): Promise<OpenService> {
  const storage = await openStorage(url, given.options)
  hooks.after(() => storage.close())
  return connectFaces(given.model, storage, given.fresh ? { fresh: given.fresh } : {})
}

/** Both faces over a storage, with a fixed secret for cursors. */
export function connectFaces(
  model: Model,
  storage: Storage,
  {
    fresh = fromOne,
    actor = everybodyOf(model),
    saved,
    ...options
  }: {
    readonly singleFlight?: boolean
    readonly fresh?: Fresh
    readonly actor?: Actor
    readonly saved?: SavedTexts
  } = {},
): OpenService {
  const context: PlanContext = {
    model,
    cursors: createCursors("a secret of the tests"),
    fresh,
  }
  const engine = createEngine({ ...context, ...options, storage })
  const graphql = asText(graphqlFace({ ...context, answer: engine.answer, ...(saved && { saved }) }), model)
  const rest = asText(restFace({ ...context, answer: engine.answer }), model)
  const ask = (face: TextFace, request: Partial<Parameters<TextFace>[0]>): Promise<TextResponse> =>
    face({
      method: "GET",
      path: "",
      query: "",
      headers: {},
      body: new Uint8Array(),
      requestId: "test",
      actor,
      ...request,
    })
  const known = new Map<string, OpenService>()
  const openAs = (words: string): OpenService => {
    const other = actorFromText(storefrontWhole, words)
    const opened = connectFaces(other.model, storage, { ...options, fresh, actor: other })
    known.set(words, opened)
    return opened
  }
  return {
    as: (words) => known.get(words) ?? openAs(words),
    model,
    context,
    storage,
    engine,
    graphql: ({ body }) =>
      ask(graphql, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: Buffer.from(JSON.stringify(body)),
      }),
    rest: (request) => ask(rest, request),
  }
}
