// Every way in which a question can use a member of a record, as questions in the form of test/properties: selected,
// compared with, ordered and grouped by, measured, through relations and cursors.
import type { Field, Model, Relation, Resource } from "../../src/model/model.ts"
import { identityOperators, isSortable, type OperatorName, operatorsOf } from "../../src/model/operators.ts"
import { scalars } from "../../src/model/scalars.ts"
import type { World } from "../properties/evaluate.ts"
import type { ListQuestion, MeasureQuestion } from "../properties/question.ts"

export interface Use {
  readonly use: string
  /** Of the member that is used. */
  readonly resource: string
  readonly member: string
  /** What is asked, of the list of which resource; it differs from `resource` where a relation leads there. */
  readonly root: string
  readonly list: ListQuestion
}

const plain: ListQuestion = {
  order: [],
  page: { size: 100, backward: false },
  select: { scalars: [], ones: [], manys: [] },
  total: false,
}

/**
 * @param whole all names, also those that somebody does not know
 * @param world values to compare with, also those that somebody does not see
 */
export function usesOf(whole: Model, world: World): readonly Use[] {
  return [...whole.resources.values()].flatMap((resource) =>
    membersOf(resource).flatMap((member) => [
      ...usesHere(world, resource, member),
      ...[...whole.resources.values()].flatMap((from) =>
        [...from.relations.values()]
          .filter(({ target }) => target === resource.name)
          .flatMap((relation) => usesThrough(world, { from, relation, resource, member })),
      ),
    ]),
  )
}

interface MemberInfo {
  readonly name: string
  readonly field?: Field
  readonly optional: boolean
}

function membersOf(resource: Resource): readonly MemberInfo[] {
  const fields = [...resource.fields.values()].map((field) => ({
    name: field.name,
    field,
    optional: field.optional,
  }))
  const references = [...resource.relations.values()].flatMap((relation) =>
    relation.kind === "one" && relation.reference
      ? [{ name: relation.reference, optional: relation.optional }]
      : [],
  )
  return [{ name: "id", optional: false }, ...fields, ...references]
}

const sortable = ({ field }: MemberInfo): boolean => field === undefined || isSortable(field)
const grouping = (member: MemberInfo): boolean =>
  member.name !== "id" && sortable(member) && member.field?.scalar !== "float"

function usesHere(world: World, resource: Resource, member: MemberInfo): readonly Use[] {
  const { name } = member
  const use = (what: string, list: Partial<ListQuestion>): Use => ({
    use: what,
    resource: resource.name,
    member: name,
    root: resource.name,
    list: { ...plain, ...list },
  })
  const select = { ...plain.select, scalars: name === "id" ? [] : [name] }
  const order = (descending: boolean, nulls?: "first") => [
    { path: [name], descending, ...(nulls && { nulls }) },
  ]
  const measures = measuresOf(member)
  return [
    use("select", { select }),
    ...conditionsOf(world, resource, member).map(([operator, where]) =>
      use(`filter ${operator}`, { where, total: true }),
    ),
    ...(sortable(member)
      ? [
          use("sort", { order: order(false) }),
          use("sort backward", { order: order(true, "first"), page: { size: 3, backward: true } }),
          use("cursor after", { order: order(false), page: { size: 4, backward: false, after: 1 }, select }),
          use("cursor before", { order: order(true), page: { size: 4, backward: true, before: 2 } }),
        ]
      : []),
    ...measures.map((measure) => use(`measure ${measure.kind}`, { measures: [measure] })),
    ...(grouping(member)
      ? [
          use("group", {
            groups: { by: [name], limit: 100, measures: [{ kind: "count" }, ...measures.slice(0, 1)] },
          }),
        ]
      : []),
  ]
}

interface Way {
  readonly from: Resource
  readonly relation: Relation
  readonly resource: Resource
  readonly member: MemberInfo
}

function usesThrough(world: World, { from, relation, resource, member }: Way): readonly Use[] {
  const via = relation.name
  const use = (what: string, list: Partial<ListQuestion>): Use => ({
    use: `${what} through ${from.name}.${via}`,
    resource: resource.name,
    member: member.name,
    root: from.name,
    list: { ...plain, ...list },
  })
  const select = { ...plain.select, scalars: member.name === "id" ? [] : [member.name] }
  const conditions = conditionsOf(world, resource, member)
  const first = conditions.slice(0, 1)
  if (relation.kind === "one")
    return [
      use("select", { select: { ...plain.select, ones: [{ relation: via, select }] } }),
      ...conditions
        .slice(0, 3)
        .map(([operator, where]) => use(`filter ${operator}`, { where: { [via]: where } })),
      ...first.map(([, where]) => use("filter not", { where: { not: { [via]: where } }, total: true })),
      ...(sortable(member)
        ? [
            use("sort", { order: [{ path: [via, member.name], descending: true }] }),
            use("cursor", {
              order: [{ path: [via, member.name], descending: false }],
              page: { size: 3, backward: false, after: 0 },
            }),
          ]
        : []),
    ]
  const nested = (list: Partial<ListQuestion>): Partial<ListQuestion> => ({
    select: { ...plain.select, manys: [{ relation: via, list: { ...plain, ...list } }] },
  })
  return [
    use("select", nested({ select, total: true })),
    ...first.flatMap(([, where]) => [
      use("filter within", nested({ where, total: true })),
      ...["some", "every", "none"].map((quantifier) =>
        use(quantifier, { where: { [via]: { [quantifier]: where } }, total: true }),
      ),
    ]),
    ...measuresOf(member)
      .slice(0, 2)
      .map((measure) => use(`measure ${measure.kind}`, nested({ measures: [{ kind: "count" }, measure] }))),
    ...(sortable(member)
      ? [
          use(
            "sort within",
            nested({
              order: [{ path: [member.name], descending: true }],
              page: { size: 2, backward: false },
            }),
          ),
        ]
      : []),
    ...(grouping(member)
      ? [
          use(
            "group within",
            nested({ groups: { by: [member.name], limit: 100, measures: [{ kind: "count" }] } }),
          ),
        ]
      : []),
  ]
}

function measuresOf({ name, field }: MemberInfo): readonly MeasureQuestion[] {
  if (!field || !isSortable(field)) return []
  const extremes: MeasureQuestion[] = [
    { kind: "min", field: name },
    { kind: "max", field: name },
  ]
  if (scalars[field.scalar].family !== "number") return extremes
  return [{ kind: "sum", field: name }, { kind: "avg", field: name }, ...extremes]
}

type Named = readonly [operator: string, where: Readonly<Record<string, unknown>>]

/** A condition for each operator of the member, with a value that a record has. */
function conditionsOf(
  world: World,
  resource: Resource,
  { name, field, optional }: MemberInfo,
): readonly Named[] {
  const values = (world.rows.get(resource.name) ?? [])
    .map((row) => row[name] ?? null)
    .filter((value) => value !== null)
  if (values.length === 0) return []
  const value = values[Math.floor(values.length / 2)]
  const [other] = values
  const operators = field ? operatorsOf(field) : identityOperators(optional)
  return operators.flatMap((operator): Named[] => {
    const operand = operandOf(operator, value, other)
    return operand === undefined ? [] : [[operator, { [name]: { [operator]: operand } }]]
  })
}

function operandOf(operator: OperatorName, value: unknown, other: unknown): unknown {
  switch (operator) {
    case "isNull":
      return true
    case "in":
    case "notIn":
      return [value, other]
    case "contains":
    case "search":
      return String(value).slice(1, 4)
    case "startsWith":
      return String(value).slice(0, 2)
    case "endsWith":
      return String(value).slice(-2)
    case "has":
      return (value as readonly unknown[])[0]
    case "hasAny":
    case "hasAll":
      return value
    default:
      return value
  }
}
