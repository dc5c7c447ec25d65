// Small services of many tenants: memberships, folders and tickets, whose rules lead through relations back to the resource
// that is written, as those of every service with organisations do.
import { type Random, typeidSuffix } from "../../examples/storefront/random.ts"
import { together } from "../../src/index.ts"
import type { FieldDeclaration, ResourceDeclaration } from "../../src/model/declaration/declaration.ts"
import type { AllowDeclaration, RuleObject } from "../../src/model/policy-declaration.ts"
import type { Records, Row } from "../../src/sql/write/insert.ts"
import { draw } from "./small-service.ts"

const me = { viewer: "id" }
const mine = { id: { eq: me } }
const own = { account: mine }
const owner = { account: mine, level: { eq: "owner" } }
const memberOf = { memberships: { some: own } }
const ownerOf = { memberships: { some: owner } }
/** Whoever makes an organisation becomes its owner. */
const founder: RuleObject = { and: [together("org"), own, { level: { eq: "owner" } }] }

/** Rules for what is made along with what it belongs to. */
export const founders: Readonly<Record<string, readonly RuleObject[]>> = {
  org: [together("parent"), { or: [together("chief"), { chief: mine }] }],
  membership: [
    founder,
    founder,
    together("org"),
    { and: [together("sponsor"), own] },
    { and: [together("account"), { org: ownerOf }] },
    { and: [{ not: together("sponsor") }, { org: memberOf }] },
  ],
  folder: [
    together("org"),
    together("parent"),
    { and: [together("parent"), { parent: { secret: { eq: false } } }] },
    { and: [together("unit"), { unit: { lead: mine } }] },
  ],
  note: [together("folder"), { and: [together("folder"), { author: mine }] }],
  ticket: [together("customer"), { or: [together("org"), { customer: mine }] }],
  unit: [together("parent"), { and: [{ not: together("parent") }, { lead: mine }] }],
}

/** Of each resource; `firm` ones may stand under `not`. */
export const tenantConditions: Readonly<
  Record<string, { readonly firm: readonly RuleObject[]; readonly loose: readonly RuleObject[] }>
> = {
  account: {
    firm: [
      mine,
      { boss: mine },
      { memberships: { some: { org: memberOf } } },
      { memberships: { some: { org: ownerOf } } },
      { boss: { boss: mine } },
      { reports: { none: { active: { eq: false } } } },
      { active: { eq: true } },
    ],
    loose: [{ level: { lte: { viewer: "level" } } }],
  },
  org: {
    firm: [
      memberOf,
      ownerOf,
      { open: { eq: true } },
      { parent: ownerOf },
      { memberships: { every: { active: { eq: true } } } },
      { folders: { some: { notes: { some: { author: mine } } } } },
      { children: { none: { open: { eq: true } } } },
      { rank: { isNull: true } },
      { size: { gte: 2 } },
    ],
    loose: [{ chief: { level: { lt: { viewer: "level" } } } }],
  },
  membership: {
    firm: [
      own,
      { org: ownerOf },
      { org: memberOf },
      { and: [{ org: ownerOf }, { level: { ne: "owner" } }] },
      { org: { chief: mine } },
      { org: { open: { eq: true } } },
      { org: { parent: ownerOf } },
      { org: { memberships: { none: { level: { eq: "owner" } } } } },
      { org: { memberships: { every: { active: { eq: true } } } } },
      { account: { boss: mine } },
      { account: { memberships: { some: { level: { eq: "owner" } } } } },
      { sponsor: { org: memberOf } },
      { sponsor: { account: mine } },
      { invited: { none: { level: { eq: "guest" } } } },
      { level: { in: ["member", "guest"] } },
      { org: { size: { lt: 3 } } },
      { weight: { gt: 2 } },
    ],
    loose: [{ org: { memberships: { some: { account: { level: { gt: { viewer: "level" } } } } } } }],
  },
  folder: {
    firm: [
      { org: memberOf },
      { org: ownerOf },
      { notes: { some: { author: mine } } },
      { notes: { none: { status: { eq: "sent" } } } },
      { parent: { org: memberOf } },
      { parent: { notes: { some: { author: mine } } } },
      { children: { every: { secret: { eq: true } } } },
      { readers: { some: mine } },
      { secret: { eq: false } },
      { unit: { lead: mine } },
      { units: { some: { lead: mine } } },
    ],
    loose: [{ readers: { some: { level: { gt: { viewer: "level" } } } } }],
  },
  note: {
    firm: [
      { author: mine },
      { folder: { org: memberOf } },
      { folder: { notes: { some: { author: mine } } } },
      { folder: { notes: { none: { status: { eq: "sent" } } } } },
      { folder: { secret: { eq: false } } },
      { folder: { readers: { some: mine } } },
      { folder: { parent: { org: ownerOf } } },
      { author: { boss: mine } },
      { author: { notes: { every: { status: { ne: "sent" } } } } },
      { status: { eq: "draft" } },
    ],
    loose: [{ author: { level: { lt: { viewer: "level" } } } }],
  },
  ticket: {
    firm: [
      { customer: mine },
      { assignee: mine },
      { customer: { tickets: { none: { status: { eq: "open" } } } } },
      { customer: { tickets: { some: { assignee: mine } } } },
      { org: memberOf },
      { org: { tickets: { every: { status: { ne: "closed" } } } } },
      { assignee: { memberships: { some: { org: memberOf } } } },
    ],
    loose: [],
  },
  unit: {
    firm: [
      { lead: mine },
      { parent: { lead: mine } },
      { parent: { parent: { lead: mine } } },
      { children: { none: {} } },
      { children: { some: { lead: mine } } },
      { weight: { lt: 3 } },
    ],
    loose: [{ weight: { lt: { viewer: "level" } } }],
  },
}

const staff: RuleObject = { role: "chief" }
const open: RuleObject = { customer: { tickets: { none: { status: { eq: "open" } } } } }

/** The rules that an author would write for them. */
export const tenantRules: Readonly<Record<string, AllowDeclaration>> = {
  account: {
    read: [staff, mine, { memberships: { some: { org: memberOf } } }],
    create: [staff, { boss: mine }],
    update: [staff, mine],
    delete: staff,
  },
  org: {
    read: [memberOf, { open: { eq: true } }, { chief: mine }],
    create: { signedIn: true },
    update: [ownerOf, { chief: mine }],
    delete: ownerOf,
  },
  membership: {
    read: [own, { org: memberOf }, { sponsor: own }],
    create: [{ org: ownerOf }, founder],
    update: [{ org: ownerOf }, { and: [own, { level: { eq: "guest" } }] }],
    delete: [own, { org: ownerOf }],
  },
  folder: {
    read: [{ org: memberOf }, { notes: { some: { author: mine } } }, { readers: { some: mine } }],
    create: [{ org: memberOf }, { parent: { readers: { some: mine } } }],
    update: [{ org: memberOf }, { children: { some: { readers: { some: mine } } } }],
    delete: { org: ownerOf },
  },
  note: {
    read: [{ author: mine }, { folder: { org: memberOf } }],
    create: { author: mine },
    update: [{ author: mine }, { folder: { org: ownerOf } }],
    delete: { author: mine },
  },
  ticket: {
    read: [{ customer: mine }, { assignee: mine }, { org: memberOf }],
    create: { and: [{ customer: mine }, open] },
    update: [{ customer: mine }, { org: memberOf }],
    delete: { customer: mine },
  },
  unit: {
    read: [{ lead: mine }, { weight: { lt: 3 } }],
    create: [{ lead: mine }, { parent: { lead: mine } }],
    // It looks at the record alone: nothing but its own look keeps a new record from being changed.
    update: { lead: mine },
    delete: { and: [{ lead: mine }, { children: { none: {} } }] },
  },
}

/** Rules that lead back to what is written, with something beside them that nearly always holds or hardly ever does. */
export function pointedRules(random: Random): Readonly<Record<string, AllowDeclaration>> {
  return Object.fromEntries(
    Object.entries(tenantConditions).map(([name, { firm }]): [string, AllowDeclaration] => {
      const back = firm.filter((one) => /"(some|every|none)"/.test(JSON.stringify(one)))
      const path = (): RuleObject => draw(random, back.length > 0 ? back : firm)
      const other = (): RuleObject => draw(random, [...firm, ...(founders[name] ?? [])])
      const create = [path(), ...(random.oneIn(2) ? [other()] : [])]
      return [
        name,
        {
          read: random.oneIn(2) ? { signedIn: true } : [path(), path(), draw(random, firm)],
          create: random.oneIn(5) ? { signedIn: true } : create,
          update: [path(), path(), draw(random, firm)],
          delete: [path(), draw(random, firm)],
        },
      ]
    }),
  )
}

export const tenantComputed: Readonly<Record<string, readonly (readonly [string, FieldDeclaration])[]>> = {
  org: [["size", { scalar: "integer", computed: { count: "memberships" } }]],
  membership: [
    ["weight", { scalar: "int64", computed: { add: [{ multiply: ["rating", 2] }, { count: "invited" }] } }],
  ],
}

export const tenantResources: Readonly<Record<string, ResourceDeclaration>> = {
  account: {
    id: "acc",
    fields: {
      name: { scalar: "text" },
      email: { scalar: "email", unique: true },
      level: { scalar: "integer" },
      active: { scalar: "boolean", default: true },
    },
    relations: {
      boss: { kind: "one", target: "account", optional: true },
      reports: { kind: "many", target: "account", by: "boss" },
      memberships: { kind: "many", target: "membership", by: "account" },
      notes: { kind: "many", target: "note", by: "author" },
      tickets: { kind: "many", target: "ticket", by: "customer" },
    },
  },
  org: {
    id: "org",
    fields: {
      name: { scalar: "text", unique: true },
      open: { scalar: "boolean" },
      rank: { scalar: "integer", optional: true },
    },
    relations: {
      parent: { kind: "one", target: "org", optional: true },
      chief: { kind: "one", target: "account", optional: true },
      children: { kind: "many", target: "org", by: "parent" },
      memberships: { kind: "many", target: "membership", by: "org", owned: true },
      folders: { kind: "many", target: "folder", by: "org" },
      tickets: { kind: "many", target: "ticket", by: "org" },
    },
  },
  membership: {
    id: "mem",
    fields: {
      badge: { scalar: "text", unique: true },
      level: { scalar: "oneOf", of: ["owner", "member", "guest"] },
      active: { scalar: "boolean", default: true },
      rating: { scalar: "integer", default: 1 },
    },
    relations: {
      org: { kind: "one", target: "org" },
      account: { kind: "one", target: "account" },
      sponsor: { kind: "one", target: "membership", optional: true },
      invited: { kind: "many", target: "membership", by: "sponsor" },
    },
  },
  folder: {
    id: "fol",
    fields: { title: { scalar: "text", unique: true }, secret: { scalar: "boolean" } },
    relations: {
      org: { kind: "one", target: "org" },
      unit: { kind: "one", target: "unit", optional: true },
      parent: { kind: "one", target: "folder", optional: true },
      children: { kind: "many", target: "folder", by: "parent" },
      notes: { kind: "many", target: "note", by: "folder" },
      readers: { kind: "many", target: "account", through: "folder_reader" },
      units: { kind: "many", target: "unit", through: "folder_unit" },
    },
  },
  note: {
    id: "not",
    fields: {
      text: { scalar: "text", optional: true },
      status: { scalar: "oneOf", of: ["draft", "sent"], default: "draft" },
    },
    relations: {
      folder: { kind: "one", target: "folder", optional: true },
      author: { kind: "one", target: "account" },
    },
  },
  ticket: {
    id: "tic",
    fields: {
      subject: { scalar: "text", unique: true },
      status: { scalar: "oneOf", of: ["open", "taken", "closed"], default: "open" },
    },
    relations: {
      customer: { kind: "one", target: "account" },
      assignee: { kind: "one", target: "account", optional: true },
      org: { kind: "one", target: "org", optional: true },
    },
  },
  unit: {
    key: ["code"],
    fields: { code: { scalar: "slug", immutable: true }, weight: { scalar: "integer" } },
    relations: {
      parent: { kind: "one", target: "unit", optional: true },
      children: { kind: "many", target: "unit", by: "parent" },
      lead: { kind: "one", target: "account", optional: true },
    },
  },
}

export function tenantRecords(random: Random): Records {
  let moment = Date.UTC(2026, 0, 1)
  const id = (): string => typeidSuffix(moment++, random)
  const some = (count: number, make: (index: number) => Row): readonly Row[] =>
    Array.from({ length: count }, (_, index) => make(index))
  const oneOf = (rows: readonly Row[]): Row[string] => draw(random, rows)["id"] ?? null
  const maybe = (rows: readonly Row[]): Row[string] =>
    rows.length === 0 || random.oneIn(3) ? null : oneOf(rows)
  const accounts: Row[] = []
  for (let index = 0; index < 7; index += 1)
    accounts.push({
      id: id(),
      name: draw(random, ["Ada", "Bob", "Cyd", "Dee"]),
      email: `a${index}@example.org`,
      level: random.between(1, 5),
      active: !random.oneIn(4),
      bossId: maybe(accounts),
    })
  const orgs: Row[] = []
  for (let index = 0; index < 5; index += 1)
    orgs.push({
      id: id(),
      name: `Org ${index}`,
      open: random.oneIn(3),
      rank: random.oneIn(2) ? null : random.between(1, 4),
      parentId: maybe(orgs),
      chiefId: maybe(accounts),
    })
  const memberships: Row[] = []
  for (const account of accounts)
    for (const org of random.shuffle(orgs).slice(0, random.between(0, 3)))
      memberships.push({
        id: id(),
        badge: `Badge ${memberships.length}`,
        level: draw(random, ["owner", "owner", "member", "guest"]),
        active: !random.oneIn(4),
        rating: random.between(0, 2),
        orgId: org["id"] ?? null,
        accountId: account["id"] ?? null,
        sponsorId: maybe(memberships),
      })
  const units: Row[] = []
  for (const code of ["one", "two", "three", "four", "five"])
    units.push({
      code,
      weight: random.between(1, 4),
      parentId: units.length === 0 || random.oneIn(3) ? null : (draw(random, units)["code"] ?? null),
      leadId: maybe(accounts),
    })
  const codeOf = (row: Row): Row[string] => row["code"] ?? null
  const folders: Row[] = []
  for (let index = 0; index < 8; index += 1)
    folders.push({
      id: id(),
      title: `Folder ${index}`,
      secret: random.oneIn(2),
      orgId: oneOf(orgs),
      unitId: random.oneIn(2) ? null : codeOf(draw(random, units)),
      parentId: maybe(folders),
    })
  const notes = some(14, () => ({
    id: id(),
    text: random.oneIn(3) ? null : draw(random, ["soon", "later"]),
    status: draw(random, ["draft", "sent"]),
    folderId: maybe(folders),
    authorId: oneOf(accounts),
  }))
  const tickets = some(8, (index) => ({
    id: id(),
    subject: `Ticket ${index}`,
    status: draw(random, ["open", "taken", "closed"]),
    customerId: oneOf(accounts),
    assigneeId: maybe(accounts),
    orgId: maybe(orgs),
  }))
  const pairs = folders.flatMap((folder) =>
    accounts
      .filter(() => random.oneIn(4))
      .map((account) => [folder["id"] ?? null, account["id"] ?? null] as const),
  )
  const places = folders.flatMap((folder) =>
    units.filter(() => random.oneIn(4)).map((unit) => [folder["id"] ?? null, codeOf(unit)] as const),
  )
  return {
    records: new Map<string, readonly Row[]>([
      ["account", accounts],
      ["org", orgs],
      ["membership", memberships],
      ["unit", units],
      ["folder", folders],
      ["note", notes],
      ["ticket", tickets],
    ]),
    links: [
      { resource: "folder", relation: "readers", pairs },
      { resource: "folder", relation: "units", pairs: places },
    ],
  }
}
