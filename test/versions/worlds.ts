// Two services that differ only in what one person may not see: names, changes and values of hidden members, in every version.
import { anyone, f, many, one, only, resource, role, service, viewer } from "../../src/index.ts"
import { load } from "../../src/model/load.ts"
import type { Model } from "../../src/model/model.ts"
import { withSystem } from "../../src/model/system/with-system.ts"

const staff = role("staff")

/** Names that only staff knows. */
export interface Hidden {
  /** A field's name, now and before it was renamed. */
  readonly field: string
  readonly formerField: string
  /** The name of a former field that comes from it. */
  readonly derived: string
  /** The name of a field that a visible one was split into, too. */
  readonly half: string
  readonly resource: string
  readonly formerResource: string
  readonly transition: string
  readonly formerTransition: string
  readonly state: string
  readonly formerState: string
  readonly relation: string
  readonly formerRelation: string
  readonly removed: string
}

export const hiddenNames: readonly [Hidden, Hidden] = [
  {
    field: "secret",
    formerField: "mystery",
    derived: "riddle",
    half: "shade",
    resource: "ledger",
    formerResource: "tome",
    transition: "accuse",
    formerTransition: "blame",
    state: "guilty",
    formerState: "culpable",
    relation: "ledgers",
    formerRelation: "tomes",
    removed: "vault",
  },
  {
    field: "cipher",
    formerField: "enigma",
    derived: "puzzle",
    half: "gloom",
    resource: "dossier",
    formerResource: "binder",
    transition: "indict",
    formerTransition: "charge",
    state: "wicked",
    formerState: "depraved",
    relation: "dossiers",
    formerRelation: "binders",
    removed: "crypt",
  },
]

export const versionNames = ["2026-10-01", "2026-07-01", "2026-04-01", "2026-01-01"] as const

const declare = (hidden: Hidden) =>
  service({
    name: "worlds",
    roles: ["staff"],
    viewer: "person",
    webhooks: { manage: staff, networks: ["127.0.0.0/8"] },
    usage: { read: staff },
    versions: {
      "2026-10-01": [
        { renamed: "article", to: "note" },
        { renamed: `${hidden.formerResource}`, to: hidden.resource },
        { renamed: `note.${hidden.formerField}`, to: hidden.field },
        { renamed: `note.${hidden.formerRelation}`, to: hidden.relation },
        { renamed: `note.verdict.${hidden.formerState}`, to: hidden.state },
        { renamed: `note.${hidden.formerTransition}`, to: hidden.transition },
        { renamed: "note.state.open", to: "draft" },
        { renamed: "note.finish", to: "publish" },
        { renamed: "note.kind.gray", to: "grey" },
      ],
      "2026-07-01": [
        {
          changed: "article.price",
          was: f.integer(),
          reads: { multiply: ["price", 100] },
          writes: { multiply: ["price", 0.01] },
        },
        { removed: `article.${hidden.derived}`, was: f.text({ optional: true }), reads: hidden.formerField },
        {
          removed: "article.total",
          was: f.integer({ optional: true }),
          reads: { add: ["size", "margin"] },
        },
        { breaking: `${hidden.formerResource}`, description: "Hidden." },
        { removed: `${hidden.formerResource}.${hidden.removed}`, was: f.text(), reads: "body" },
      ],
      "2026-04-01": {
        ends: "2099-06-01",
        changes: [
          {
            changed: ["article.first", `article.${hidden.half}`],
            was: { full: f.text({ optional: true }) },
            reads: { full: "first" },
          },
          { removed: "article.city", was: f.text({ optional: true }), reads: { field: ["folder", "city"] } },
          { renamed: "article.writer", to: "owner" },
          { added: "article.margin" },
        ],
      },
      "2026-01-01": { changes: [], ends: "2099-01-01" },
    } as never,
    resources: {
      person: resource({ id: "per", fields: { name: f.text() }, allow: { read: anyone, create: staff } }),
      folder: resource({
        key: ["slug"],
        fields: { slug: f.text(), city: f.text({ optional: true }), open: f.boolean() },
        history: true,
        allow: { read: [staff, { open: { eq: true } }], create: staff, update: staff, delete: staff },
      }),
      [hidden.resource]: resource({
        fields: { body: f.text() },
        relations: { note: one("note" as never) },
        history: true,
        allow: { read: staff, create: staff, update: staff },
      }),
      note: resource({
        key: ["slug"],
        fields: {
          slug: f.text({ max: 30 }),
          text: f.text(),
          price: f.decimal({ precision: 12, scale: 2, default: "1.00" }),
          size: f.integer({ default: 1 }),
          margin: f.integer({
            optional: true,
            read: [staff, { owner: { id: { eq: viewer.id } } }],
          }),
          first: f.text({ optional: true }),
          [hidden.half]: f.text({ optional: true, read: staff, write: staff }),
          kind: f.oneOf(["grey", "green"], { default: "grey" }),
          [hidden.field]: f.text({ optional: true, read: staff, write: staff }),
          shared: f.boolean({ default: false }),
        } as never,
        relations: {
          owner: one("person"),
          folder: one("folder", { optional: true }),
          [hidden.relation]: many(hidden.resource as never, { by: "note" as never }),
        } as never,
        states: {
          state: {
            initial: "draft",
            transitions: {
              publish: { from: "draft", to: "published", input: { why: f.text({ optional: true }) } },
            },
          },
          verdict: {
            initial: "innocent",
            transitions: { [hidden.transition]: { from: "innocent", to: hidden.state, allow: staff } },
          },
        } as never,
        history: true,
        allow: {
          read: [
            staff,
            only(["slug", "text", "margin", "size", "price", "first", "kind", "shared", "state"] as never, {
              owner: { id: { eq: viewer.id } },
            }),
            only(["slug", "text", "margin", "size", "price"] as never, { shared: { eq: true } }),
          ],
          create: [staff, { owner: { id: { eq: viewer.id } } }],
          update: [staff, { owner: { id: { eq: viewer.id } } }],
          delete: [staff, { owner: { id: { eq: viewer.id } } }],
        } as never,
      }),
    } as never,
  })

export const worldModel = (hidden: Hidden): Model => load(withSystem(declare(hidden) as never))
