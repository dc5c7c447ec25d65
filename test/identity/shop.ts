// A service with rules, tokens and keys on a real database behind a real server, and an issuer of tokens.
import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import { join } from "node:path"
import { anyone, f, load, one, resource, role, scope, service, signedIn, viewer } from "bifold"
import { createIdentify, type IdentifyOptions } from "../../src/access/identity/identify.ts"
import { createKeyPlans, type KeyInput, readKey } from "../../src/access/identity/key-plans.ts"
import type { IdentityDeclaration, Jwk, JwtDeclaration } from "../../src/model/identity.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"
import { makeKey } from "../../src/plan/values/typeid.ts"
import type { Observation } from "../../src/server/observation.ts"
import { createServer, type RunningServer } from "../../src/server/server.ts"
import { createFaces } from "../../src/server/service.ts"
import { postgres } from "../../src/sql/dialects/postgres.ts"
import { sqlite } from "../../src/sql/dialects/sqlite.ts"
import { createSchema } from "../../src/sql/schema/schema.ts"
import { insertRecords, type Records, type Row } from "../../src/sql/write/insert.ts"
import { setUp } from "../../src/storage/migration/set-up.ts"
import { openStorage } from "../../src/storage/open.ts"
import { type Hooks, temporaryFolder, temporaryPostgres } from "../support/database.ts"

const shop = (identity: IdentityDeclaration, roles: readonly "staff"[] = ["staff"]): Model =>
  load(
    withSystem(
      service({
        name: "shop",
        roles,
        scopes: ["reports"],
        viewer: "customer",
        identity,
        resources: {
          customer: resource({
            id: "cus",
            key: { column: "id", type: "integer" },
            fields: { name: f.text() },
            allow: { read: [role("staff"), { id: { eq: viewer["id"] } }] },
          }),
          page: resource({
            key: { column: "id", type: "integer" },
            fields: { title: f.text() },
            allow: { read: anyone },
          }),
          memo: resource({
            id: "mem",
            fields: { text: f.text() },
            history: true,
            allow: { read: signedIn, create: signedIn },
          }),
          report: resource({
            key: { column: "id", type: "integer" },
            fields: { title: f.text() },
            relations: { about: one("customer") },
            allow: { read: scope("reports") },
          }),
        },
      }),
    ),
  )

const records: Records = {
  records: new Map<string, readonly Row[]>([
    [
      "customer",
      [
        { id: 1, name: "Ada" },
        { id: 2, name: "Zoë" },
      ],
    ],
    ["page", [{ id: 1, title: "Welcome" }]],
    ["report", [{ id: 1, title: "Sales", aboutId: 1 }]],
  ]),
  links: [],
}

export interface Shop extends RunningServer {
  readonly observed: readonly Observation[]
  /** Where the records are. */
  readonly database: string
  readonly model: Model
  makeKey(input?: KeyInput): Promise<{ readonly id: string; readonly secret: string }>
  changeKey(id: string, input: KeyInput): Promise<void>
  removeKey(id: string): Promise<void>
  /** Statements sent since the start. */
  sent(): number
}

export type ShopOptions = Partial<IdentifyOptions> & {
  readonly identity: IdentityDeclaration
  readonly database?: "sqlite" | "postgres"
}

export async function openShop(
  hooks: Hooks,
  { identity, database = "sqlite", ...options }: ShopOptions,
): Promise<Shop> {
  const model = shop(identity)
  const dialect = database === "sqlite" ? sqlite : postgres
  const address =
    database === "sqlite" ? join(await temporaryFolder(hooks), "shop.db") : await temporaryPostgres(hooks)
  const tables = createSchema(model, dialect).map((text) => ({ text, parameters: [] }))
  await setUp(address, [...tables, ...insertRecords(model, dialect, records)])
  const storage = await openStorage(address, { writes: "unsafe" })
  hooks.after(() => storage.close())
  const faces = createFaces({ model, storage, base: "", secret: "a secret of the tests" })
  const observed: Observation[] = []
  const server = await createServer({
    // Each of what is refused is looked at.
    bundling: 0,
    ...faces,
    identify: createIdentify({ model, answer: faces.answer, writes: true, ...options }),
    base: "",
    cors: [],
    bodyLimit: 1024,
    loopbackOnly: false,
    observe: (observation) => void observed.push(observation),
    host: "127.0.0.1",
    port: 0,
  })
  hooks.after(() => server.close())
  const earlier = shop(identity, ["staff", "admin" as "staff"])
  /** Keys are older than the service as it is, which had one more role. */
  const plans = () => createKeyPlans(earlier)
  return {
    ...server,
    observed,
    database: address,
    model,
    async makeKey(input = {}) {
      const { secret, hint, digest } = makeKey(model.name, randomBytes)
      const { create, actor } = plans()
      const answer = await faces.answer(create({ name: "test", ...input, hint, digest }), actor)
      return { secret, id: readKey(answer)?.id ?? "" }
    },
    async changeKey(id, input) {
      const { update, actor } = plans()
      await faces.answer(update(id, input), actor)
    },
    async removeKey(id) {
      const { remove, actor } = plans()
      await faces.answer(remove(id), actor)
    },
    sent: () => storage.sent,
  }
}

/** The names of the customers that the credential shows, or the status. */
export async function customersOf({ url }: RunningServer, credential?: string): Promise<unknown> {
  const headers = credential === undefined ? {} : { authorization: `Bearer ${credential}` }
  const answer = await fetch(`${url}/customers`, { headers })
  if (answer.status !== 200) return answer.status
  const { data } = (await answer.json()) as { data: readonly { readonly name: string }[] }
  return data.map(({ name }) => name)
}

// --- tokens ---

export type Signer = (data: string) => string
type Json = Readonly<Record<string, unknown>>

export interface SigningKey {
  readonly jwk: Jwk
  readonly publicKey: KeyObject
  readonly sign: Signer
  /** With another algorithm of the same kind of key. */
  readonly signAs: (algorithm: string) => Signer
}

const isEc = (algorithm: string): boolean => algorithm.startsWith("ES")

export function signingKey(algorithm: "ES256" | "ES384" | "RS256" | "Ed25519", kid: string): SigningKey {
  const { privateKey, publicKey } =
    algorithm === "Ed25519"
      ? generateKeyPairSync("ed25519")
      : isEc(algorithm)
        ? generateKeyPairSync("ec", { namedCurve: algorithm === "ES256" ? "P-256" : "P-384" })
        : generateKeyPairSync("rsa", { modulusLength: 2048 })
  const signAs =
    (name: string): Signer =>
    (data) =>
      sign(name === "Ed25519" ? null : `sha${name.slice(2)}`, Buffer.from(data), {
        key: privateKey,
        ...(name.startsWith("PS") && { padding: 6, saltLength: -1 }),
        ...(isEc(name) && { dsaEncoding: "ieee-p1363" as const }),
      }).toString("base64url")
  return {
    // Without `alg`, as many issuers publish them: which algorithms count is said by the declaration.
    jwk: { ...(publicKey.export({ format: "jwk" }) as Jwk), kid },
    publicKey,
    sign: signAs(algorithm),
    signAs,
  }
}

export const hmac =
  (algorithm: string, secret: string | Buffer): Signer =>
  (data) =>
    createHmac(`sha${algorithm.slice(2)}`, secret)
      .update(data)
      .digest("base64url")

export const encoded = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

/** Header and payload as JSON, or as a text that stands for itself. */
export function compact(header: Json | string, payload: unknown, signer: Signer): string {
  const data = `${encoded(header)}.${encoded(payload)}`
  return `${data}.${signer(data)}`
}

export const issuer = "https://issuer.example"
export const audience = "https://shop.example"

/** In seconds since 1970. */
export const inSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Claims that are accepted, of a customer, for the next minute. */
export const claims = (more: Json = {}): Json => ({
  iss: issuer,
  aud: audience,
  sub: "ada",
  exp: inSeconds(Date.now()) + 60,
  customer: "cus_1",
  ...more,
})

export const jwtOf = (
  jwks: JwtDeclaration["jwks"],
  algorithms: JwtDeclaration["algorithms"] = ["ES256", "RS256"],
): JwtDeclaration => ({
  issuer,
  audience,
  algorithms,
  jwks,
  roles: ["access", "roles"],
  scopes: "scope",
  viewer: "customer",
})
