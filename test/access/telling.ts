// Own code that tells all that its handle shows it, and what that should be by the rules.
import { Refusal } from "../../src/base/problem.ts"
import { type Entry, interpret, type Store, type Who } from "../support/naive-access.ts"
import { type Guarded, resourceOf } from "./guarded.ts"
import { knowsMember, scalarsOf } from "./verdict.ts"

interface Records {
  get(id: string): Promise<Entry | null>
  list(asked: object): Promise<{ readonly data: readonly Entry[] }>
}

interface Call {
  readonly db: Readonly<Record<string, Records>>
  /** Of an action. */
  readonly record?: Entry
  readonly input: { readonly other: string }
}

/** Items of which a value is looked for that may be hidden. */
const noted = { note: { isNull: false } }

export const byId = (rows: readonly Entry[]): readonly Entry[] =>
  [...rows].sort((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))

/** Without its version, which is no value of it. */
export function unversioned({ etag, ...shown }: Entry): Entry {
  if (typeof etag !== "string") throw new Error("A record comes with its version.")
  return shown
}

/** The record, another one by its id, all records of each resource, and those that a condition finds; null where refused. */
export async function tell({ db, record, input: { other } }: Call): Promise<Entry> {
  const list = (name: string, asked: object): Promise<readonly Entry[] | null> | undefined =>
    db[name]?.list({ first: 100, ...asked }).then(
      ({ data }) => byId(data.map(unversioned)),
      (error: unknown) => {
        if (error instanceof Refusal) return null
        throw error
      },
    )
  const all: Record<string, readonly Entry[] | null | undefined> = {}
  for (const name of Object.keys(db).filter((key) => key !== "attempt")) all[name] = await list(name, {})
  const found = await list("item", { where: noted })
  const another = await db["person"]?.get(other)
  return {
    told: {
      record: record ? unversioned(record) : {},
      other: another && unversioned(another),
      all,
      noted: found?.map(({ id }) => id) ?? null,
    },
  }
}

/** @param who as whom the code asks */
export function told(
  { whole, declared }: Guarded,
  who: Who,
  { store, row, input }: { readonly store: Store; readonly row?: Entry; readonly input: Entry },
): Entry {
  const rules = interpret(declared, store, who)
  const shown = (name: string, one: Entry): Entry =>
    Object.fromEntries(
      scalarsOf(resourceOf(whole, name))
        .filter((member) => knowsMember(rules, resourceOf(whole, name), member))
        .map((member) => [member, rules.seesValue(name, one, member) ? (one[member] ?? null) : null]),
    )
  const seen = (name: string) => (store.records[name] ?? []).filter((one) => rules.sees(name, one))
  const all = Object.keys(store.records).map((name) => [
    name,
    rules.knows(name) ? byId(seen(name).map((one) => shown(name, one))) : null,
  ])
  const other = seen("person").find(({ id }) => id === input["other"])
  const isNoted = (one: Entry): boolean => one["note"] !== null && rules.seesValue("item", one, "note")
  return {
    record: row ? shown("item", row) : {},
    other: other ? shown("person", other) : null,
    all: Object.fromEntries(all),
    noted:
      rules.knows("item") && rules.knowsField("item", "note")
        ? byId(seen("item").filter(isNoted)).map(({ id }) => id)
        : null,
  }
}
