// Rules without misspelt names, as fast-check makes them: every builder, connectives, conditions on members and on the
// viewer.
import fc from "fast-check"
import { omitUndefined } from "../../src/base/compact.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import { anyone, only, role, scope, signedIn, viewer } from "../../src/model/declaration/service.ts"
import type { AllowDeclaration, RuleDeclaration, RuleObject } from "../../src/model/policy-declaration.ts"

export const roles = ["staff", "night.shift_2"]
export const scopes = ["orders:write", "read-only"]

const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

const credential: fc.Arbitrary<RuleObject> = fc.constantFrom<RuleObject>(
  anyone,
  signedIn,
  ...roles.map((name) => role(name)),
  ...scopes.map((name) => scope(name)),
)

/** Conditions on the resource's own members; several of them beside a role, too. */
function condition({ fields, key }: ResourceDeclaration): fc.Arbitrary<RuleObject> {
  const asked = Object.entries(fields).flatMap(([name, { optional }]): RuleObject[] => [
    { [name]: {} },
    ...(optional ? [{ [name]: { isNull: false } }] : []),
  ])
  const named: RuleObject[] =
    key === false
      ? []
      : [
          { id: { eq: viewer.id } },
          { id: { in: ["a_1", `it's "b"`], ne: viewer.id } },
          { id: { eq: viewer["rank"] } },
        ]
  const one = fc.constantFrom(...asked, ...named)
  return fc.oneof(
    one,
    fc.tuple(one, one).map((both): RuleObject => Object.assign({}, ...both)),
    one.map((asking): RuleObject => ({ role: "staff", ...asking })),
  )
}

function rule(resource: ResourceDeclaration): fc.Arbitrary<RuleDeclaration> {
  const leaf = fc.oneof(credential, condition(resource))
  const { tree } = fc.letrec<{ tree: RuleObject }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.record({ and: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ or: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
      fc.record({ not: tie("tree") }),
    ),
  }))
  return fc.oneof(tree, fc.array(tree, { minLength: 1, maxLength: 3 }))
}

function grant(resource: ResourceDeclaration, names: readonly string[]): fc.Arbitrary<RuleDeclaration> {
  const whole = rule(resource)
  if (names.length === 0) return whole
  const some = fc
    .tuple(fc.shuffledSubarray([...names], { minLength: 1 }), rule(resource))
    .map(([[first = "", ...rest], when]): RuleObject => only([first, ...rest], when))
  return fc.oneof(whole, some, fc.tuple(some, credential))
}

const isSettable = ({ readonly, generated, immutable }: FieldDeclaration): boolean =>
  !readonly && !generated && !immutable

/** The resource with rules, or as it was. */
export function withRules(resource: ResourceDeclaration): fc.Arbitrary<ResourceDeclaration> {
  const own = Object.keys(resource.fields)
  const inKey = (name: string): boolean => Array.isArray(resource.key) && resource.key.includes(name)
  const settable = Object.entries(resource.fields).flatMap(([name, it]) =>
    isSettable(it) && !inKey(name) ? [name] : [],
  )
  const writable = resource.readonly !== true && resource.key !== false
  const [hidden] = own.filter((name) => !inKey(name))
  const [guarded] = settable
  const allow = fc.record({
    read: grant(resource, own),
    update: writable && settable.length > 0 ? maybe(grant(resource, settable)) : fc.constant(undefined),
    delete: writable ? maybe(rule(resource)) : fc.constant(undefined),
  })
  const ruled = fc.record({ allow, read: maybe(rule(resource)), write: maybe(rule(resource)) })
  return maybe(ruled).map((rules) => {
    if (!rules) return resource
    const fields = { ...resource.fields }
    const add = (name: string | undefined, more: Pick<FieldDeclaration, "read" | "write">): void => {
      const field = name === undefined ? undefined : fields[name]
      if (name !== undefined && field) fields[name] = { ...field, ...more }
    }
    if (rules.read) add(hidden, { read: rules.read })
    if (rules.write && writable) add(guarded, { write: rules.write })
    return { ...resource, fields, allow: omitUndefined<AllowDeclaration>(rules.allow as AllowDeclaration) }
  })
}
