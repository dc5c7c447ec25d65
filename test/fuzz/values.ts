// Random values that fields take, and inputs and conditions made of them.
import type { Field, Model, Relation, Resource } from "../../src/model/model.ts"
import { identityOperators, operators, operatorsOf } from "../../src/model/operators.ts"
import { scalars } from "../../src/model/scalars.ts"
import { type InputMember, inputMembers } from "../../src/plan/write/inputs.ts"
import type { Random } from "./random.ts"
import type { Json } from "./request.ts"
import { idsOf, type World } from "./world.ts"

/** What everything is drawn from. */
export interface Draw {
  readonly random: Random
  readonly world: World
  /** As whoever asks sees it. */
  readonly model: Model
}

const texts = [
  "",
  "a",
  "Ada",
  "two words",
  "100%_sure\\",
  "'; --",
  "é\u0301",
  "日本",
  "😀",
  "\u2028",
  "line\nbreak",
]

export function fieldValue(draw: Draw, field: Field): Json {
  const { random } = draw
  if (field.optional && random.percent(8)) return null
  if (!field.list) return scalarValue(draw, field)
  return Array.from({ length: random.whole(4) }, () => scalarValue(draw, { ...field, list: false }))
}

function scalarValue({ random, model }: Draw, field: Field): Json {
  const { min, max, scale = 2 } = field.constraints
  const digits = String(random.whole(1_000_000))
  switch (field.scalar) {
    case "text":
      return `${random.one(texts)}${field.unique ? digits : ""}`.slice(0, max ?? 200)
    case "email":
      return `a${digits}@example.org`
    case "url":
      return `https://example.org/${digits}`
    case "slug":
      return `s-${digits}`
    case "integer":
      return (min ?? -3) + random.whole(Math.min((max ?? 40) - (min ?? -3), 50))
    case "int64":
      return random.one([digits, `-${digits}`, "9223372036854775807", "-9223372036854775808"])
    case "float":
      return random.one([0, -1.5, 1e300, 5e-324, Number(digits)])
    case "decimal":
      return scale > 0 ? `${digits}.${"50".padEnd(scale, "0").slice(0, scale)}` : digits
    case "boolean":
      return random.percent(50)
    case "date":
      return random.one(["2026-02-28", "0001-01-01", "9999-12-31", `20${10 + random.whole(80)}-06-15`])
    case "time":
      return random.one(["00:00:00", "23:59:59.999999", `${10 + random.whole(10)}:30:00`])
    case "timestamp":
      return random.one(["2026-11-21T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
    case "uuid":
      return `00000000-0000-4000-8000-${digits.padStart(12, "0")}`
    case "json":
      return random.one([null, 1, "text", [], { a: [{ b: null }] }, { "": "" }, "\ud800".toWellFormed()])
    case "oneOf":
      return random.one([...(model.enums.get(field.enumeration ?? "")?.values ?? ["none"])])
    default:
      return scalars[field.scalar].example
  }
}

export function idOf({ random, world }: Draw, resource: Resource): string {
  const known = idsOf(world, resource)
  return known.length === 0 || random.percent(4) ? `${resource.prefix}_0` : random.one(known)
}

const resourceIn = ({ model, world }: Draw, name: string): Resource | undefined =>
  model.resources.get(name) ?? world.model.resources.get(name)

/** What a record is made or changed with; the same for both faces. */
export function inputOf(draw: Draw, resource: Resource, action: "create" | "update", depth = 0): Json {
  const { random, model } = draw
  const members = [...(inputMembers(model, resource, action)?.values() ?? [])]
  const given = members.filter(({ required }) => required || random.percent(depth === 0 ? 30 : 10))
  return Object.fromEntries(
    given.flatMap((member): [string, Json][] => {
      const value = memberValue(draw, member, { resource, action, depth })
      return value === undefined ? [] : [[member.name, value]]
    }),
  )
}

interface Writing {
  readonly resource: Resource
  readonly action: "create" | "update"
  readonly depth: number
}

function memberValue(draw: Draw, member: InputMember, writing: Writing): Json | undefined {
  const { random } = draw
  if (member.kind === "field") return fieldValue(draw, member.field)
  if (member.kind === "id") return `t${random.whole(1_000_000)}`
  const target = resourceIn(draw, member.relation.target)
  if (!target) return undefined
  if (member.kind === "reference")
    return member.relation.optional && random.percent(10) ? null : idOf(draw, target)
  if (writing.depth > 1 || random.percent(60)) return undefined
  const verb = random.one(member.verbs)
  const several = member.relation.kind === "many"
  const one = verbValue(draw, target, verb, writing.depth)
  return {
    [verb]: several
      ? Array.from({ length: 1 + random.whole(2) }, () => verbValue(draw, target, verb, writing.depth))
      : one,
  }
}

function verbValue(draw: Draw, target: Resource, verb: string, depth: number): Json {
  if (verb === "create") return inputOf(draw, target, "create", depth + 1)
  if (verb !== "update") return idOf(draw, target)
  const change = inputOf(draw, target, "update", depth + 1)
  return { id: idOf(draw, target), ...(change as Readonly<Record<string, Json>>) }
}

/** Relations whose target can be compared with; histories cannot. */
const comparable = (draw: Draw, { relations }: Resource): readonly Relation[] =>
  [...relations.values()].filter(({ target }) => draw.model.resources.has(target))

export function conditionOf(draw: Draw, resource: Resource, depth = 0): Json {
  const { random } = draw
  if (depth < 3 && random.percent(15)) {
    const inner = () => conditionOf(draw, resource, depth + 1)
    return random.percent(30)
      ? { not: inner() }
      : { [random.one(["and", "or"])]: Array.from({ length: random.whole(4) }, inner) }
  }
  const relations = comparable(draw, resource)
  if (depth < 3 && relations.length > 0 && random.percent(20)) {
    const relation = random.one(relations)
    const target = resourceIn(draw, relation.target)
    const inner = target ? conditionOf(draw, target, depth + 1) : {}
    return {
      [relation.name]: relation.kind === "one" ? inner : { [random.one(["some", "every", "none"])]: inner },
    }
  }
  return comparison(draw, resource)
}

function comparison(draw: Draw, resource: Resource): Json {
  const { random } = draw
  const fields = [...resource.fields.values()].filter((field) => operatorsOf(field).length > 0)
  if (resource.key && (fields.length === 0 || random.percent(15)))
    return { id: operand(draw, random.one(identityOperators(false)), () => idOf(draw, resource)) }
  if (fields.length === 0) return {}
  const field = random.one(fields)
  const plain: Field = { ...field, optional: false, list: false }
  return { [field.name]: operand(draw, random.one(operatorsOf(field)), () => fieldValue(draw, plain)) }
}

function operand({ random }: Draw, name: keyof typeof operators, value: () => Json): Json {
  switch (operators[name].operand) {
    case "flag":
      return { [name]: random.percent(50) }
    case "text":
      return { [name]: random.one(texts) }
    case "values":
      return { [name]: Array.from({ length: random.whole(4) }, value) }
    case "value":
      return { [name]: value() }
  }
}
