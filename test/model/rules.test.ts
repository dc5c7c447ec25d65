// Each rule of the model, by its name: a broken declaration, and exactly the problems it is told for it.
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { Refusal } from "../../src/base/problem.ts"
import { withStates } from "../../src/model/declaration/add-state-fields.ts"
import type {
  FieldDeclaration,
  RelationDeclaration,
  ResourceDeclaration,
  ServiceDeclaration,
} from "../../src/model/declaration/declaration.ts"
import { anyone, only, signedIn } from "../../src/model/declaration/service.ts"
import { load } from "../../src/model/load.ts"
import { rules } from "../../src/model/validation/rules.ts"
import { type Case, stateCases, type Told } from "./state-cases.ts"

const text: FieldDeclaration = { scalar: "text" }

const service = (
  resources: Readonly<Record<string, ResourceDeclaration>>,
  rest: Partial<ServiceDeclaration> = {},
): ServiceDeclaration => ({ name: "shop", resources, ...rest })

/** A service of one resource, `item`. */
const item = (rest: Partial<ResourceDeclaration>): ServiceDeclaration =>
  service({ item: { fields: { name: text }, ...rest } })

const field = (name: string, field: FieldDeclaration): ServiceDeclaration =>
  item({ fields: { [name]: field } })

const one = (target: string, rest: object = {}): RelationDeclaration => ({ kind: "one", target, ...rest })
const many = (target: string, rest: object = {}): RelationDeclaration => ({ kind: "many", target, ...rest })

const unslow = "Use letters, classes, groups, alternatives and repetitions; say lengths by `min` and `max`."

const run = () => ({})

const cases: Readonly<Record<keyof typeof rules, readonly Case[]>> = {
  stateMachines: stateCases.stateMachines,
  stateNames: stateCases.stateNames,
  transitionNames: stateCases.transitionNames,
  transitionInputs: stateCases.transitionInputs,
  transitionSets: stateCases.transitionSets,
  handlers: [
    {
      it: "wants events that there are",
      broken: {
        ...service({
          item: {
            fields: { name: text },
            states: { initial: "open", transitions: { close: { from: "open", to: "closed" } } },
          },
          row: { key: false, fields: { name: text } },
        }),
        code: {
          on: {
            "item.closd": run,
            "item.open": run,
            "item.closed": run,
            "item.*": run,
            "itm.created": run,
            item: run,
            "row.created": run,
          },
        },
      },
      told: [
        ["code.on.item.closd", 'There is no event "item.closd".', 'Did you mean "item.closed"?'],
        ["code.on.item.open", 'There is no event "item.open".', 'Did you mean "item.closed"?'],
        [
          "code.on.itm.created",
          'There is no resource "itm", whose event "itm.created" would be.',
          'Did you mean "item"?',
        ],
        ["code.on.item", 'There is no event "item".', 'Did you mean "item.*"?'],
        ["code.on.row.created", 'The records of "row" have no id by which an event could name them.'],
      ],
    },
    {
      it: "wants names that differ, and bounds",
      broken: {
        ...item({}),
        roles: ["staff"],
        code: {
          on: {
            "item.created": [run, { run }, { name: "mail", run }],
            "item.updated": { name: "mail", as: { roles: ["staf"] }, retries: -1, timeout: 0, run },
            "item.deleted": { name: "", run },
          },
        },
      },
      told: [
        [
          "code.on.item.created.1",
          'Two handlers are called "item.created": each keeps its position under its name.',
          'Give one of them another: handler({ name: "mail", run: … }).',
        ],
        ["code.on.item.updated.retries", "Retries are a whole number from 0 to 1000, not -1."],
        [
          "code.on.item.updated.timeout",
          "A timeout is a whole number of milliseconds from 1 to 3600000, not 0.",
        ],
        ["code.on.item.updated.as.roles.0", 'There is no role "staf".', 'Did you mean "staff"?'],
        [
          "code.on.item.updated",
          'Two handlers are called "mail": each keeps its position under its name.',
          'Give one of them another: handler({ name: "mail", run: … }).',
        ],
        ["code.on.item.deleted.name", "A handler's name has from 1 to 100 characters."],
      ],
    },
  ],
  userCode: [
    {
      it: "wants resources and roles that there are, and what it takes to be values",
      broken: {
        ...item({}),
        roles: ["staff"],
        code: {
          actions: {
            items: { a: { run } },
            item: {
              fix: {
                as: { roles: ["staf"] },
                deadline: 0,
                input: {
                  amount: { scalar: "integer", min: 3, max: 1 },
                  kept: { scalar: "text", unique: true },
                },
                output: { item: { scalar: "text" } },
                run,
              },
              update: { run },
              read: { run },
              "not-a-name": { run },
            },
          },
          operations: { createItem: { run }, count: { run } },
        },
      },
      told: [
        ["code.actions.items", 'There is no resource "items".', 'Did you mean "item"?'],
        ["code.actions.item.fix.output.item", '"item" in the answer is the record itself.'],
        [
          "code.actions.item.read",
          '"read" is what rules call looking at a record, so no action is.',
          "Give it another name.",
        ],
        [
          "code.actions.item.fix.deadline",
          "A deadline is a whole number of milliseconds from 1 to 60000, not 0.",
        ],
        ["code.actions.item.fix.as.roles.0", 'There is no role "staf".', 'Did you mean "staff"?'],
        ["code.actions.item.fix.input.amount", 'The min of "amount", 3, is greater than its max, 1.'],
        ["code.actions.item.fix.input.kept.unique", '"kept" is not stored, so it has no `unique`.'],
        [
          "code.actions.item.update",
          '"update" would be the mutation "updateItem", which another mutation is.',
        ],
        [
          "code.actions.item.not-a-name",
          '"not-a-name" cannot be what an operation is called.',
          "Letters and digits, as in applyCoupon.",
        ],
        [
          "code.operations.createItem",
          '"createItem" would be the mutation "createItem", which another mutation is.',
        ],
      ],
    },
    {
      it: "wants addresses and types of its own",
      broken: {
        ...item({ relations: { actions: one("item", { optional: true }) } }),
        code: {
          actions: { item: { fooBar: { run }, foo_bar: { run } } },
          operations: { item: { input: { x: { scalar: "oneOf", of: ["a"] } }, run } },
        },
      },
      told: [
        ["code.actions.item", '"item" has a relation "actions", whose address its actions would have.'],
        ["code.actions.item.foo_bar", '"foo_bar" and "fooBar" would have the same address.'],
      ],
    },
  ],
  credentials: [
    {
      it: "wants roles and scopes that are names, each once",
      broken: {
        ...item({}),
        roles: ["staff", "Night shift", "staff"],
        scopes: ["orders:write", "", "orders:write"],
      },
      told: [
        [
          "roles.1",
          '"Night shift" is no name for a role.',
          "It begins with a lower-case letter; letters, digits, and the signs _ . : - may follow.",
        ],
        ["roles.2", '"staff" is declared twice.'],
        [
          "scopes.1",
          '"" is no name for a scope.',
          "It begins with a lower-case letter; letters, digits, and the signs _ . : - may follow.",
        ],
        ["scopes.2", '"orders:write" is declared twice.'],
      ],
    },
  ],
  viewers: [
    {
      it: "wants a resource that there is",
      broken: { ...item({}), viewer: "items" },
      told: [["viewer", 'There is no resource "items".', 'Did you mean "item"?']],
    },
    {
      it: "wants records that have ids",
      broken: { ...item({ key: false }), viewer: "item" },
      told: [["viewer", '"item" has no key, so that no credential can name the record of a viewer.']],
    },
  ],
  allowedActions: [
    {
      it: "knows what can be allowed",
      broken: item({ allow: { read: anyone, reed: anyone, remove: anyone } as object }),
      told: [
        ["resources.item.allow.reed", 'There is no member "reed" here.', 'Did you mean "read"?'],
        [
          "resources.item.allow.remove",
          'There is no member "remove" here.',
          "Known here: read, create, update, delete.",
        ],
      ],
    },
  ],
  allowedWrites: [
    {
      it: "refuses rules of writes where nothing is written",
      broken: service({
        log: {
          key: false,
          fields: { line: { ...text, write: signedIn } },
          allow: { read: anyone, create: anyone },
        },
        page: {
          readonly: true,
          fields: { name: text },
          allow: { read: anyone, update: anyone, delete: anyone },
        },
      }),
      told: [
        [
          "resources.log.allow.create",
          '"log" has no key, so its records cannot be created.',
          "Leave out the rule.",
        ],
        [
          "resources.page.allow.update",
          '"page" is read-only, so its records cannot be updated.',
          "Leave out the rule.",
        ],
        [
          "resources.page.allow.delete",
          '"page" is read-only, so its records cannot be deleted.',
          "Leave out the rule.",
        ],
        ["resources.log.fields.line.write", '"log" has no key, so "line" cannot be set.'],
      ],
    },
    {
      it: "refuses rules of fields that nobody sets",
      broken: item({
        key: ["code"],
        fields: {
          code: { scalar: "slug" },
          name: { ...text, immutable: true },
          total: { scalar: "integer", generated: true, write: signedIn },
          since: { scalar: "timestamp", default: "now", readonly: true, write: signedIn },
        },
        allow: {
          read: anyone,
          create: [signedIn, only(["code", "name", "total"], anyone)],
          update: only(["name", "since", "code"], anyone),
          delete: [only(["name", "code"], signedIn)],
        },
      }),
      told: [
        [
          "resources.item.allow.create.1.fields.2",
          '"total" is computed by the database, so it cannot be created.',
        ],
        ["resources.item.allow.update.fields.0", '"name" is immutable, so it cannot be updated.'],
        ["resources.item.allow.update.fields.1", '"since" is read-only, so it cannot be updated.'],
        ["resources.item.allow.update.fields.2", '"code" is in the key, so it cannot be updated.'],
        [
          "resources.item.allow.delete.0",
          "A record is deleted as a whole, not by its fields.",
          "Write the rule without only(…).",
        ],
        [
          "resources.item.fields.total.write",
          '"total" is computed by the database, so "total" cannot be set.',
        ],
        ["resources.item.fields.since.write", '"since" is read-only, so "since" cannot be set.'],
      ],
    },
  ],
  formerNames: [
    ...stateCases.formerNames,
    {
      it: "wants a former name that nothing has any more, and that one thing had",
      broken: service({
        item: { was: "thing", fields: { name: text, title: { ...text, was: ["label", "name"] } } },
        part: {
          was: ["piece", "thing"],
          fields: { name: text },
          relations: { owner: one("item", { was: "name" }) },
        },
      }),
      told: [
        [
          "resources.part.was",
          '"part" and "item" cannot both have been "thing".',
          "Leave out one of the two.",
        ],
        [
          "resources.item.fields.title.was",
          '"title" cannot have been "name", which is a member now.',
          "Rename in two steps.",
        ],
        [
          "resources.part.relations.owner.was",
          '"owner" cannot have been "name", which is a member now.',
          "Rename in two steps.",
        ],
      ],
    },
    {
      it: "refuses one where there is no column that follows the name",
      broken: service({
        item: {
          fields: { name: text },
          relations: {
            twin: one("item", { columns: { twin_key: "id" }, was: "double" }),
          },
        },
      }),
      told: [
        [
          "resources.item.relations.twin.was",
          'The relation "twin" has no column that follows its name.',
          "Leave out `was`.",
        ],
      ],
    },
    {
      it: "refuses one where the tables are somebody else's",
      broken: service({ item: { was: "thing", fields: { name: text } } }, { managed: false }),
      told: [
        [
          "resources.item.was",
          "Bifold does not manage these tables, so it renames nothing in them.",
          "Leave out `was`.",
        ],
      ],
    },
  ],
  serviceName: [
    {
      it: "refuses a name with a space, and a service without resources",
      broken: { name: "my shop", resources: {} },
      told: [
        [
          "name",
          '"my shop" cannot be the name of a service.',
          "A letter, then letters, digits, hyphens and underscores; what people read is the title.",
        ],
        ["resources", "The service has no resources."],
      ],
    },
  ],
  resourceNames: [
    {
      it: "wants camelCase names and plurals",
      broken: service({ order_line: { fields: {} }, item: { plural: "Items", fields: {} } }),
      told: [
        [
          "resources.order_line",
          '"order_line" cannot be the name of a resource.',
          'Write it in camelCase: "orderLine".',
        ],
        ["resources.item.plural", '"Items" cannot be a plural.', 'Write it in camelCase: "items".'],
      ],
    },
    {
      it: "wants a plural that differs from the name",
      broken: service({ news: { plural: "news", fields: {}, id: "news" } }),
      told: [
        ["resources.news.plural", 'The plural of "news" must differ from "news".', 'Such as "newsList".'],
        [
          "resources.news",
          '"news" would be asked for as "news", which "news" has.',
          "Give it another `plural`.",
        ],
      ],
    },
  ],
  memberNames: [
    {
      it: "refuses names that GraphQL or every record reserves",
      broken: item({
        fields: { id: text, __secret: text, "2nd": text, "no space": text },
        relations: { or: one("item") },
      }),
      told: [
        [
          "resources.item.fields.id",
          '"id" is the public id of every record.',
          'Leave it out, or give it another name and `column: "id"`.',
        ],
        ...["__secret", "2nd", "no space"].map(
          (name): Told => [
            `resources.item.fields.${name}`,
            `"${name}" cannot be the name of a member.`,
            "Letters, digits and underscores, not beginning with a digit or with two underscores.",
          ],
        ),
        ["resources.item.relations.or", '"or" has a meaning of its own in conditions.'],
        [
          "resources.item.fields.id",
          'The field "id" would have the column "id", which belongs to the key.',
          "Give it another `column`, or make it `readonly`.",
        ],
      ],
    },
  ],
  memberClashes: [
    ...stateCases.memberClashes,
    {
      it: "compares members however they are cased, references included",
      broken: item({
        fields: { placedAt: text, placed_at: { scalar: "text", column: "other" }, ownerId: text },
        relations: { owner: one("item", { column: "owner" }), placedAt: one("item", { column: "third" }) },
      }),
      told: [
        [
          "resources.item.fields.placed_at",
          'The field "placed_at" and the field "placedAt" have the same name.',
        ],
        [
          "resources.item.relations.placedAt",
          'The relation "placedAt" and the field "placedAt" have the same name.',
        ],
        [
          "resources.item.relations.owner",
          'The reference "ownerId" of the relation "owner" and the field "ownerId" have the same name.',
        ],
      ],
    },
  ],
  typeNames: [
    ...stateCases.typeNames,
    {
      it: "keeps resources, shared and inline enumerations apart",
      broken: service(
        {
          order: { fields: { status: { scalar: "oneOf", of: ["a"] } } },
          orderStatus: { fields: {} },
        },
        { enums: { orderStatus: { values: ["b"] } } },
      ),
      told: [
        [
          "enums.orderStatus",
          'The enumeration "orderStatus" and the resource "orderStatus" would both have the type "OrderStatus".',
        ],
        [
          "resources.order.fields.status.of",
          'The enumeration of "order.status" and the resource "orderStatus" would both have the type "OrderStatus".',
        ],
      ],
    },
    {
      it: "refuses the types that every service has",
      broken: service({ pageInfo: { fields: {} }, email: { fields: {} } }),
      told: [
        [
          "resources.pageInfo",
          'The resource "pageInfo" would have the type "PageInfo", which every service has.',
        ],
        ["resources.email", 'The resource "email" would have the type "Email", which every service has.'],
      ],
    },
    {
      it: "refuses a shared enumeration whose name makes no type",
      broken: service({ item: { fields: {} } }, { enums: { "1": { values: ["a"] } } }),
      told: [["enums.1", 'The enumeration "1" would have the type "1", which is no GraphQL name.']],
    },
  ],
  rootNames: [
    ...stateCases.rootNames,
    {
      it: "keeps root fields and addresses apart",
      broken: service({
        item: { fields: { name: { scalar: "text", unique: true } } },
        thing: { fields: {}, plural: "itemByName" },
        viewer: { fields: {} },
        page: { fields: {}, plural: "graphql" },
      }),
      told: [
        [
          "resources.thing",
          '"thing" would be asked for as "itemByName", which "item" has.',
          "Give it another `plural`.",
        ],
        [
          "resources.viewer",
          '"viewer" would be asked for as "viewer", which every service has.',
          "Give it another name.",
        ],
        [
          "resources.page",
          '"page" would have the address "/graphql", which every service has.',
          "Give it another `plural`.",
        ],
      ],
    },
    {
      it: "keeps two plurals apart that differ only in case",
      broken: service({ orderLine: { fields: {} }, line: { fields: {}, plural: "orderLines" } }),
      told: [
        [
          "resources.line",
          '"line" would be asked for as "orderLines", which "orderLine" has.',
          "Give it another `plural`.",
        ],
        [
          "resources.line",
          '"line" would have the address "/order-lines", which "orderLine" has.',
          "Give it another `plural`.",
        ],
      ],
    },
  ],
  idPrefixes: [
    {
      it: "wants prefixes of lower-case letters and digits, each for one resource",
      broken: service({
        item: { id: "it_m", fields: {} },
        order: { fields: {} },
        other: { id: "order", fields: {} },
      }),
      told: [
        [
          "resources.item.id",
          '"it_m" cannot be the prefix of ids.',
          "Up to 63 lower-case letters and digits, beginning with a letter.",
        ],
        ["resources.other.id", 'The ids of "other" would begin like those of "order": "order_".'],
      ],
    },
  ],
  tableNames: [
    {
      it: "keeps Bifold's own names for Bifold",
      broken: service({ item: { table: "bifold_items", fields: { name: text } } }),
      told: [
        [
          "resources.item.table",
          'The table "bifold_items" would look like one of Bifold\'s own.',
          "Give it another name.",
        ],
      ],
    },
    {
      it: "keeps the tables of resources and of joins apart",
      broken: service({
        item: { fields: {}, relations: { tags: many("tag", { through: "TAG" }) } },
        tag: { fields: {} },
        label: { fields: {}, table: "Tag" },
        blank: { fields: {}, table: { schema: "s", name: "" } },
      }),
      told: [
        ["resources.label.table", '"label" and "tag" would have the same table, "Tag".'],
        ["resources.blank.table", 'The table of "blank" has no name.'],
        [
          "resources.item.relations.tags.through",
          '"TAG" is the table of the resource "tag", not a pure join table.',
          'Relate to "tag" instead, and from it to the target.',
        ],
      ],
    },
  ],
  columnNames: [
    {
      it: "gives a column to one field, and shares it only with one that is read-only",
      broken: item({
        fields: {
          name: text,
          title: { scalar: "text", column: "NAME" },
          keeper: { scalar: "text", column: "owner_id" },
          shown: { scalar: "text", column: "id", readonly: true },
          empty: { scalar: "text", column: "" },
        },
        relations: { owner: one("item") },
      }),
      told: [
        ["resources.item.fields.title", 'The fields "title" and "name" would have the same column, "NAME".'],
        [
          "resources.item.fields.keeper",
          'The field "keeper" would have the column "owner_id", which belongs to the relation "owner".',
          "Give it another `column`, or make it `readonly`.",
        ],
        ["resources.item.fields.empty.column", 'The column of "empty" has no name.'],
      ],
    },
  ],
  listableResources: [
    {
      it: "wants something to show, and `rows` only without a key",
      broken: service({ item: { key: false, fields: {} }, other: { rows: false, fields: {} } }),
      told: [
        ["resources.item.fields", '"item" has neither a key nor fields, so there is nothing to show of it.'],
        [
          "resources.other.rows",
          '"other" has a key, which tells its records apart; `rows` is for a resource without one.',
        ],
      ],
    },
  ],
  versions: [
    {
      it: "wants records that can be changed where it is required",
      broken: service({
        item: { readonly: true, versioned: "required", fields: { name: text } },
        other: { key: false, versioned: "required", fields: { name: text } },
        fine: { versioned: "required", fields: { name: text } },
      }),
      told: [
        ["resources.item.versioned", '"item" is read-only, so its records never change and have no version.'],
        ["resources.other.versioned", '"other" has no key, so its records never change and have no version.'],
      ],
    },
  ],
  relationTargets: [
    {
      it: "names what is near to an unknown target",
      broken: service({
        customer: { fields: {} },
        order: {
          fields: {},
          relations: { customer: one("custmer"), tags: many("constructor", { through: "x" }) },
        },
      }),
      told: [
        [
          "resources.order.relations.customer.target",
          'No resource is called "custmer".',
          'Did you mean "customer"?',
        ],
        [
          "resources.order.relations.tags.target",
          'No resource is called "constructor".',
          "Known here: customer, order.",
        ],
      ],
    },
  ],
  relationForms: [
    {
      it: "wants one way to the target",
      broken: item({
        relations: {
          up: one("item", { column: "a", columns: { a: "id" } }),
          down: many("item"),
          side: many("item", { by: "up", through: { table: "t", near: { a: "id" }, far: { b: "id" } } }),
          far: many("item", { owned: true, through: { table: "t", near: { a: "id" }, far: { b: "id" } } }),
        },
      }),
      told: [
        [
          "resources.item.relations.up",
          'The relation "up" has `column` and `columns`; it can have one of them.',
        ],
        [
          "resources.item.relations.down",
          'The relation "down" does not say how it finds its targets.',
          "Give `by`, a to-one relation of the target that leads here, or `through`, a join table.",
        ],
        [
          "resources.item.relations.side",
          'The relation "side" has `by` and `through`; it can have one of them.',
        ],
        [
          "resources.item.relations.far.owned",
          'The relation "far" goes through a join table, so its targets have no owner.',
        ],
      ],
    },
    {
      it: "knows that the far side of a one-to-one may be empty",
      broken: service({
        user: { fields: {}, relations: { profile: one("profile", { by: "user", optional: false }) } },
        profile: { fields: {}, relations: { user: one("user") }, unique: [["user"]] },
      }),
      told: [
        [
          "resources.user.relations.profile.optional",
          'The relation "profile" is the far side of another, so it may always be without a target.',
        ],
      ],
    },
  ],
  ownedCycles: [
    {
      it: "wants no record to own itself",
      broken: service({
        folder: {
          fields: {},
          relations: {
            parent: one("folder", { optional: true }),
            folders: many("folder", { by: "parent", owned: true }),
          },
        },
        a: { fields: {}, relations: { b: one("b"), bs: many("b", { by: "a", owned: true }) } },
        b: { fields: {}, relations: { a: one("a"), as: many("a", { by: "b", owned: true }) } },
      }),
      told: [
        [
          "resources.folder.relations.folders.owned",
          'A "folder" would own itself by way of "folder".',
          "Leave `owned` out in one place of the circle.",
        ],
        [
          "resources.a.relations.bs.owned",
          'A "a" would own itself by way of "b".',
          "Leave `owned` out in one place of the circle.",
        ],
        [
          "resources.b.relations.as.owned",
          'A "b" would own itself by way of "a".',
          "Leave `owned` out in one place of the circle.",
        ],
      ],
    },
  ],
  relationsBack: [
    {
      it: "wants a to-one relation of the target that leads here",
      broken: service({
        customer: { fields: { order: text }, relations: { orders: many("order", { by: "custmer" }) } },
        order: { fields: {}, relations: { customer: one("customer"), lines: many("line", { by: "order" }) } },
        line: { fields: {} },
      }),
      told: [
        [
          "resources.customer.relations.orders.by",
          '"custmer" is no to-one relation of "order" that leads to "customer".',
          'Did you mean "customer"?',
        ],
        [
          "resources.order.relations.lines.by",
          '"order" is no to-one relation of "line" that leads to "order".',
          'Give "line" one, such as `order: one("order")`.',
        ],
      ],
    },
    {
      it: "wants the far side of a one-to-one to be unique",
      broken: service({
        user: { fields: {}, relations: { profile: one("profile", { by: "user" }) } },
        profile: { fields: {}, relations: { user: one("user") } },
      }),
      told: [
        [
          "resources.user.relations.profile.by",
          'Several records of "profile" can have the same "user", so "profile" is no to-one relation.',
          'Add `unique: [["user"]]` to "profile", or use `many`.',
        ],
      ],
    },
  ],
  relationKeys: [
    {
      it: "wants a target with a key, of as many columns",
      broken: service({
        log: { key: false, fields: { line: text }, relations: { tags: many("item", { through: "t" }) } },
        line: {
          key: {
            parts: [
              { column: "order", type: "integer" },
              { column: "number", type: "integer" },
            ],
          },
          fields: {},
        },
        item: {
          fields: { name: text },
          relations: {
            log: one("log"),
            line: one("line"),
            parent: one("item", { columns: { parent: "name" } }),
          },
        },
      }),
      told: [
        ["resources.log.relations.tags", '"log" has no key, so "tags" cannot lead from it.'],
        ["resources.item.relations.log.target", '"log" has no key, so no relation can lead to it.'],
        [
          "resources.item.relations.line",
          'The key of "line" has 2 columns, so "line" needs as many.',
          'Give `columns: { …: "order", …: "number" }`.',
        ],
        [
          "resources.item.relations.parent.columns",
          'The columns of "parent" lead to no key of "item".',
          'Its keys are "id".',
        ],
      ],
    },
  ],
  joinTables: [
    {
      it: "wants sides that differ, lead to keys, and agree",
      broken: service({
        item: {
          fields: {},
          relations: {
            similar: many("item", { through: "similarity" }),
            tags: many("tag", { through: "item_tag" }),
            labels: many("tag", { through: { table: "label", near: { item: "nr" }, far: { tag: "id" } } }),
          },
        },
        tag: {
          fields: {},
          relations: {
            items: many("item", { through: { table: "item_tag", near: { tag: "id" }, far: { item: "id" } } }),
          },
        },
      }),
      told: [
        [
          "resources.item.relations.similar.through",
          'Both sides of "similar" would use the join table\'s column "item_id".',
          "Give `through: { table, near: { … }, far: { … } }`.",
        ],
        ["resources.item.relations.labels.through.near", '"near" must lead to the key of "item": "id".'],
        [
          "resources.tag.relations.items.through",
          '"tag.items" and "item.tags" disagree on the columns of "item_tag".',
        ],
      ],
    },
    {
      it: "wants columns for keys of several columns",
      broken: service({
        item: {
          key: ["a", "b"],
          fields: { a: text, b: text },
          relations: { tags: many("tag", { through: "t" }) },
        },
        tag: { fields: {} },
      }),
      told: [
        [
          "resources.item.relations.tags.through",
          'A key of several columns is joined by "tags", so its columns must be given.',
          "Give `through: { table, near: { … }, far: { … } }`.",
        ],
      ],
    },
  ],
  memberLists: [
    {
      it: "wants members of the resource itself, each once",
      broken: item({
        key: ["nam"],
        relations: { parent: one("item"), children: many("item", { by: "parent" }) },
        unique: [["name", "name"]],
        indexes: [["children"]],
      }),
      told: [
        [
          "resources.item.key.0",
          '"item" has no field and no to-one relation of its own called "nam".',
          'Did you mean "name"?',
        ],
        ["resources.item.unique.0.1", '"name" is listed twice.'],
        [
          "resources.item.indexes.0.0",
          '"item" has no field and no to-one relation of its own called "children".',
          "Known here: name, parent.",
        ],
      ],
    },
  ],
  keyMembers: [
    {
      it: "wants values that are always there and can stand in an address",
      broken: item({
        key: ["price", "note", "tags", "parent"],
        fields: {
          price: { scalar: "decimal", precision: 9, scale: 2 },
          note: { scalar: "text", optional: true },
          tags: { scalar: "text", list: true },
        },
        relations: { parent: one("item") },
      }),
      told: [
        ["price", "it is of the scalar decimal"],
        ["note", "it is optional"],
        ["tags", "it is a list"],
        ["parent", 'the key of "item" leads back to "item"'],
      ].map(
        ([member, why], index): Told => [
          `resources.item.key.${index}`,
          `"${member}" cannot be part of a key: ${why}.`,
          "A key is made of text, email, url, slug, oneOf, integer, int64, uuid, date.",
        ],
      ),
    },
  ],
  uniqueKeys: [
    {
      it: "wants members that can be compared, and each set once",
      broken: item({
        fields: {
          name: { scalar: "text", unique: true },
          data: { scalar: "json", unique: true },
          tags: { ...text, list: true },
        },
        unique: [["name"], ["name", "tags"], ["tags", "name"]],
      }),
      told: [
        ["resources.item.fields.data.unique", '"data" cannot be unique: json values are not compared.'],
        ["resources.item.unique.0", '"item" declares the unique key of "name" twice.'],
        ["resources.item.unique.1.1", '"tags" cannot be in a unique key: lists are not compared.'],
        ["resources.item.unique.2", '"item" declares the unique key of "tags", "name" twice.'],
        ["resources.item.unique.2.0", '"tags" cannot be in a unique key: lists are not compared.'],
      ],
    },
    {
      it: "wants relations in it to lead to the target's key",
      broken: item({
        fields: { name: { ...text, unique: true } },
        relations: { like: one("item", { columns: { like: "name" } }) },
        unique: [["like"]],
      }),
      told: [
        [
          "resources.item.unique.0.0",
          '"like" cannot be in a unique key: it does not lead to the key of "item".',
        ],
      ],
    },
  ],
  indexMembers: [
    {
      it: "wants members that can be ordered by, and each list once",
      broken: item({
        fields: { name: text, data: { scalar: "bytes" } },
        indexes: [["name"], ["name"], ["data"]],
      }),
      told: [
        ["resources.item.indexes.1", '"item" declares the index of "name" twice.'],
        ["resources.item.indexes.2.0", '"data" cannot be in an index: it cannot be ordered by.'],
      ],
    },
  ],
  computedFields: [
    {
      it: "wants no columns, keys or defaults of what is computed",
      broken: item({
        unique: [["sum", "name"]],
        indexes: [["sum"]],
        fields: {
          name: text,
          sum: { scalar: "integer", computed: 1, unique: true, default: 2, column: "s", readonly: false },
          many: { scalar: "text", list: true, optional: true, computed: "name" },
          raw: { scalar: "json", computed: { value: "a" } },
        },
      }),
      told: [
        [
          "resources.item.fields.sum.unique",
          '"sum" is computed, so it cannot have `unique`: it has no column and cannot be set.',
          "Leave it out.",
        ],
        [
          "resources.item.fields.sum.default",
          '"sum" is computed, so it cannot have `default`: it has no column and cannot be set.',
          "Leave it out.",
        ],
        [
          "resources.item.fields.sum.column",
          '"sum" is computed, so it cannot have `column`: it has no column and cannot be set.',
          "Leave it out.",
        ],
        [
          "resources.item.fields.sum.readonly",
          '"sum" is computed, so it is always read-only.',
          "Leave it out.",
        ],
        ["resources.item.unique.0.0", '"sum" cannot stand here: it is computed, and has no column.'],
        ["resources.item.indexes.0.0", '"sum" cannot stand here: it is computed, and has no column.'],
        ["resources.item.fields.many", '"many" is computed, so it cannot be a list.'],
        ["resources.item.fields.raw", '"raw" cannot be computed: json values are not computed with.'],
      ],
    },
    {
      it: "wants digits that every database computes with",
      broken: item({
        key: { column: "id", type: "integer" },
        fields: { name: text, wide: { scalar: "decimal", precision: 19, scale: 2, computed: 1 } },
      }),
      told: [
        [
          "resources.item.fields.wide",
          '"wide" is computed, so it needs a precision of at most 18 and a scale.',
          "Such as `{ precision: 12, scale: 2 }`.",
        ],
      ],
    },
    {
      it: "wants expressions, each of its form",
      broken: item({
        fields: {
          name: text,
          a: { scalar: "integer", computed: { ad: [1, 2] } as never },
          b: { scalar: "integer", computed: { add: [1] } },
          c: { scalar: "integer", computed: { subtract: [1, 2, 3] } as never },
          d: { scalar: "integer", computed: { if: { when: { a: { eq: 1 } } } } as never },
          e: { scalar: "integer", computed: {} as never },
          f: { scalar: "integer", computed: { count: ["lines"] } as never },
        },
      }),
      told: [
        ["resources.item.fields.a.computed.ad", 'There is no "ad" in expressions.', 'Did you mean "add"?'],
        [
          "resources.item.fields.b.computed.add",
          "`add` takes a list of two or more expressions.",
          'Such as { multiply: ["quantity", "unitPrice"] }.',
        ],
        [
          "resources.item.fields.c.computed.subtract",
          "`subtract` takes a list of two expressions.",
          'Such as { multiply: ["quantity", "unitPrice"] }.',
        ],
        [
          "resources.item.fields.d.computed.if",
          "`if` takes `when`, a condition, and `give`; with `else` there is a value otherwise.",
          'Such as { if: { when: { stock: { gt: 0 } }, give: { value: "there" } } }.',
        ],
        [
          "resources.item.fields.e.computed",
          "An expression is a field's name, a constant, or an object with one member.",
          'Such as { multiply: ["quantity", "unitPrice"] }.',
        ],
        [
          "resources.item.fields.f.computed.count",
          "`count` takes the name of a to-many relation.",
          'Such as { count: "lines" }.',
        ],
      ],
    },
    {
      it: "wants values of the field's type, and says where there may be none",
      broken: service({
        item: {
          fields: {
            name: text,
            maybe: { scalar: "integer", optional: true },
            price: { scalar: "decimal", precision: 8, scale: 2 },
            size: { scalar: "oneOf", of: ["s", "m"] },
            a: { scalar: "integer", computed: { add: ["nme", "name"] } },
            b: { scalar: "integer", computed: { multiply: ["maybe", 2] } },
            c: { scalar: "integer", computed: { add: ["price", 0.5] } },
            d: { scalar: "text", computed: { concat: ["maybe", "lines"] } },
            e: { scalar: "oneOf", of: ["s", "l"], computed: "size" },
            f: { scalar: "float", computed: { add: [1, 2] } },
            g: { scalar: "integer", computed: { sum: ["lines", "label"] } },
            h: { scalar: "integer", computed: { count: "item" } },
            i: {
              scalar: "text",
              computed: { if: { when: { lines: {} }, give: { value: "x" }, else: "name" } },
            },
            j: { scalar: "text", computed: { if: { when: { maybe: { eq: 1 } }, give: "name" } } },
            k: { scalar: "timestamp", computed: { value: "now" } },
          },
          relations: { lines: many("line", { by: "item" }) },
        },
        line: { fields: { label: text }, relations: { item: one("item") } },
      }),
      told: [
        [
          "resources.item.fields.a.computed.add.0",
          'There is no field "nme" beside "a".',
          'Did you mean "name"?',
        ],
        ["resources.item.fields.a.computed.add.1", '"name" is text, and "a" is integer.'],
        [
          "resources.item.fields.b.computed",
          '"b" may come to no value, and is not optional.',
          "Say `optional: true`, or give what stands instead with `coalesce` or `else`.",
        ],
        ["resources.item.fields.c.computed.add.0", '"price" is decimal, and "c" is integer.'],
        [
          "resources.item.fields.c.computed.add.1",
          'Beside "c", a constant must be a whole number of 32 bits, not 0.5.',
        ],
        ["resources.item.fields.d.computed.concat.0", '"maybe" is integer, and "d" is text.'],
        [
          "resources.item.fields.d.computed.concat.1",
          'There is no field "lines" beside "d".',
          'It is a relation: { count: "lines" } counts its records.',
        ],
        ["resources.item.fields.e.computed", '"size" is also "m", and "e" is oneOf.'],
        [
          "resources.item.fields.f.computed.add",
          '`add` comes to a number, and "f" is a float, which is not exact: declare a decimal.',
        ],
        ["resources.item.fields.g.computed.sum.1", '"label" is text, and "g" is integer.'],
        [
          "resources.item.fields.h.computed.count",
          'There is no to-many relation "item" here.',
          "Known here: lines.",
        ],
        [
          "resources.item.fields.i.computed.if.when",
          '"lines" is a relation: the condition of what is computed is about the record\'s own fields.',
          "Count or sum its records in a field of their own, and ask for that.",
        ],
        [
          "resources.item.fields.j.computed",
          '"j" may come to no value, and is not optional.',
          "Say `optional: true`, or give what stands instead with `coalesce` or `else`.",
        ],
        [
          "resources.item.fields.k.computed",
          'Beside "k", a constant must be a timestamp; nothing is computed from the time, not "now".',
        ],
      ],
    },
    {
      it: "wants nothing that is computed from itself",
      broken: service({
        item: {
          fields: {
            name: text,
            a: { scalar: "integer", computed: { add: ["b", 1] } },
            b: { scalar: "integer", computed: { if: { when: { c: { eq: 1 } }, give: 1, else: 2 } } },
            c: { scalar: "integer", computed: "a" },
            total: { scalar: "integer", computed: { sum: ["lines", "share"] } },
          },
          relations: { lines: many("line", { by: "item" }) },
        },
        line: {
          fields: { share: { scalar: "integer", computed: { sum: ["items", "total"] } } },
          relations: { item: one("item"), items: many("item", { through: "line_item" }) },
        },
      }),
      told: [
        [
          "resources.item.fields.a.computed",
          '"a" is computed from itself: item.a → item.b → item.c → item.a.',
        ],
        [
          "resources.item.fields.total.computed",
          '"total" is computed from itself: item.total → line.share → item.total.',
        ],
      ],
    },
  ],
  codeComputed: [
    {
      it: "wants records that there are, new names, and what can be looked at",
      broken: {
        ...service({
          item: { fields: { name: text }, relations: { lines: many("line", { by: "item" }) } },
          line: { fields: { label: text }, relations: { item: one("item") } },
        }),
        code: {
          computed: {
            items: { a: { type: text, needs: [], run } },
            item: {
              name: { type: text, needs: [], run },
              lines: { type: text, needs: [], run },
              etag: { type: text, needs: [], run },
              a: {
                type: { ...text, unique: true, read: { anyone: true } },
                needs: ["id", "nam", "lines"],
                run,
              },
              b: { type: { scalar: "decimal" }, needs: [], deadline: 0, run },
            },
            line: { c: { type: text, needs: ["itemId", "item"], run } },
          },
        },
      },
      told: [
        ["code.computed.items", 'There is no resource "items".', 'Did you mean "item"?'],
        ["code.computed.item.name", '"item" has a member "name" without user code.'],
        ["code.computed.item.lines", '"item" has a member "lines" without user code.'],
        ["code.computed.item.etag", '"item" has a member "etag" without user code.'],
        ["code.computed.item.a.needs.0", "The id is given anyway.", "Leave it out."],
        ["code.computed.item.a.needs.1", 'There is no field "nam" to be looked at.', 'Did you mean "name"?'],
        ["code.computed.item.a.needs.2", 'There is no field "lines" to be looked at.', "Known here: name."],
        ["code.computed.item.a.type.unique", '"a" is computed by user code, so it has no `unique`.'],
        [
          "code.computed.item.a.type.read",
          '"a" is visible where its `needs` are visible, so it has no rule of its own.',
          "Give the rule to a field that it needs.",
        ],
        [
          "code.computed.item.b.deadline",
          "A deadline is a whole number of milliseconds from 1 to 60000, not 0.",
        ],
        [
          "code.computed.item.b.type",
          '"b" needs a precision and a scale.',
          "Such as `{ precision: 12, scale: 2 }`.",
        ],
        [
          "code.computed.line.c.needs.1",
          'There is no field "item" to be looked at.',
          'Did you mean "itemId"?',
        ],
      ],
    },
  ],
  fieldForms: [
    {
      it: "wants what the scalar can have",
      broken: item({
        fields: {
          active: { scalar: "boolean", min: 1, of: ["a"] },
          count: { scalar: "integer", pattern: "a", scale: 1, items: { max: 1 } },
          days: { scalar: "date", list: true, items: { max: 1 } },
          state: { scalar: "oneOf" },
          sum: { scalar: "integer", generated: true, default: 1, readonly: false },
          once: { scalar: "integer", readonly: true, immutable: true },
        },
      }),
      told: [
        ["resources.item.fields.active.of", '"active" cannot have `of`: boolean has none.'],
        ["resources.item.fields.active.min", '"active" cannot have `min`: boolean has none.'],
        ["resources.item.fields.count.items", '"count" cannot have `items`: integer has none.'],
        ["resources.item.fields.count.pattern", '"count" cannot have `pattern`: integer has none.'],
        ["resources.item.fields.count.scale", '"count" cannot have `scale`: integer has none.'],
        ["resources.item.fields.days.items", '"days" cannot have `items`: a list of date has none.'],
        [
          "resources.item.fields.state",
          '"state" does not say what it is one of.',
          'Give the values: `f.oneOf(["a", "b"])`.',
        ],
        ["resources.item.fields.sum.default", '"sum" is computed by the database, so it has no default.'],
        [
          "resources.item.fields.sum.readonly",
          '"sum" is computed by the database, so it is always read-only.',
        ],
        [
          "resources.item.fields.once.immutable",
          '"once" is read-only, so it is never written, not even once.',
        ],
      ],
    },
  ],
  constraints: [
    {
      it: "wants ranges that hold something",
      broken: item({
        fields: {
          count: { scalar: "integer", min: 2, max: 1 },
          name: { scalar: "text", min: -1, max: 1.5 },
          tags: { scalar: "text", list: true, items: { min: 9, max: 8 } },
        },
      }),
      told: [
        ["resources.item.fields.count", 'The min of "count", 2, is greater than its max, 1.'],
        ["resources.item.fields.name.min", 'The min of "name" must be a whole number of at least 0, not -1.'],
        [
          "resources.item.fields.name.max",
          'The max of "name" must be a whole number of at least 0, not 1.5.',
        ],
        ["resources.item.fields.tags.items", 'The min of "tags", 9, is greater than its max, 8.'],
      ],
    },
    {
      it: "wants decimals that SQLite can keep exactly",
      broken: item({
        fields: {
          bare: { scalar: "decimal" },
          half: { scalar: "decimal", precision: 5 },
          wide: { scalar: "decimal", precision: 19, scale: 2 },
          deep: { scalar: "decimal", precision: 4, scale: 5 },
          rough: { scalar: "decimal", precision: 4, scale: -2 },
          fine: { scalar: "time", precision: 7 },
        },
      }),
      told: [
        [
          "resources.item.fields.bare",
          '"bare" needs a precision and a scale.',
          "Such as `{ precision: 12, scale: 2 }`.",
        ],
        ["resources.item.fields.half", '"half" has a precision but no scale.'],
        [
          "resources.item.fields.wide.precision",
          'The precision of "wide" must be a whole number from 1 to 18, not 19.',
        ],
        [
          "resources.item.fields.deep.scale",
          'The scale of "deep" must be a whole number from 0 to 4, not 5.',
        ],
        [
          "resources.item.fields.rough.scale",
          'The scale of "rough" must be a whole number from 0 to 4, not -2.',
        ],
        [
          "resources.item.fields.fine.precision",
          'The precision of "fine" must be a whole number from 0 to 6.',
        ],
      ],
    },
  ],
  patterns: [
    {
      it: "wants patterns that compile",
      broken: field("code", { scalar: "text", pattern: "[A-Z" }),
      told: [
        [
          "resources.item.fields.code.pattern",
          'The pattern of "code" is no regular expression: /[A-Z/u: Unterminated character class.',
        ],
      ],
    },
    {
      it: "wants patterns that no text makes slow",
      broken: item({
        fields: {
          code: { scalar: "text", pattern: "(?!a).*" },
          note: { scalar: "text", pattern: "(?:[a-z]{9}-?){90}", max: 2_000 },
          tags: { scalar: "text", list: true, pattern: "(.)\\1" },
        },
      }),
      told: [
        [
          "resources.item.fields.code.pattern",
          'The pattern of "code" cannot be matched in a time that is known beforehand: it looks ahead or behind.',
          unslow,
        ],
        [
          "resources.item.fields.note.pattern",
          'The pattern of "note" is too long for texts of 2000 characters: with it they have at most 1009.',
          "Say a smaller `max`, or a pattern with fewer or smaller repetitions.",
        ],
        [
          "resources.item.fields.tags.pattern",
          'The pattern of "tags" cannot be matched in a time that is known beforehand: it refers back to a group by \\1.',
          unslow,
        ],
      ],
    },
  ],
  enumerations: [
    {
      it: "wants each value once, and enumerations that exist",
      broken: service(
        {
          item: {
            fields: {
              size: { scalar: "oneOf", of: "sizes" },
              state: { scalar: "oneOf", of: ["a", "", "a"] },
            },
          },
        },
        { enums: { size: { values: ["s", "\ud800"] } } },
      ),
      told: [
        ["enums.size.values.1", 'The enumeration "size" has a value with U+0000 or a lone surrogate.'],
        ["resources.item.fields.size.of", 'No enumeration is called "sizes".', 'Did you mean "size"?'],
        ["resources.item.fields.state.of.1", '"item.state" has an empty value.'],
        ["resources.item.fields.state.of.2", '"item.state" has the value "a" twice.'],
      ],
    },
  ],
  defaultValues: [
    {
      it: "wants a value of the scalar",
      broken: item({
        fields: {
          a: { scalar: "text", default: 1 },
          b: { scalar: "integer", default: 1.5 },
          c: { scalar: "int64", default: "9223372036854775808" },
          d: { scalar: "decimal", precision: 3, scale: 1, default: "123.45" },
          e: { scalar: "date", default: "2026-02-30" },
          f: { scalar: "oneOf", of: ["x"], default: "y" },
          g: { scalar: "integer", list: true, default: [1, "2"] },
          h: { scalar: "email", default: "now" },
          i: { scalar: "boolean", optional: true, default: null },
        },
      }),
      told: [
        ["a", "must be text, not 1."],
        ["b", "must be a whole number of 32 bits, not 1.5."],
        ["c", 'must be a whole number of 64 bits, as a string, not "9223372036854775808".'],
        ["d", 'must be a decimal of at most 3 digits, 1 of them after the point, not "123.45".'],
        ["e", 'must be a date such as "2026-11-01", or "now", not "2026-02-30".'],
        ["f", 'must be one of "x", not "y".'],
        ["g", 'must be a list of a whole number of 32 bits, not [1,"2"].'],
        ["h", 'must be an e-mail address, not "now".'],
        ["i", "is null.", "A field without a default is null if it is `optional`."],
      ].map(([name, wrong, hint]): Told => {
        const message = `The default of "${name}" ${wrong}`
        const place = `resources.item.fields.${name}.default`
        return hint === undefined ? [place, message] : [place, message, hint]
      }),
    },
    {
      it: "wants a value that meets the constraints",
      broken: item({
        fields: {
          a: { scalar: "text", min: 2, default: "x" },
          b: { scalar: "integer", max: 2, default: 3 },
          c: { scalar: "text", pattern: "[A-Z]{2}", default: "xyz" },
          d: { scalar: "text", list: true, min: 1, default: [] },
          e: { scalar: "text", list: true, items: { max: 1 }, default: ["xx"] },
          f: { scalar: "time", precision: 1, default: "09:30:00.25" },
          g: { scalar: "float", stored: "single", default: 0.123456789 },
          h: { scalar: "time", precision: 1, default: "09:30:00.500" },
        },
      }),
      told: [
        ["a", 'must be text of at least 2 characters, not "x".'],
        ["b", "must be a whole number of 32 bits, at most 2, not 3."],
        ["c", 'must be text that matches [A-Z]{2}, not "xyz".'],
        ["d", "must be a list of at least 1 items, not []."],
        ["e", 'must be a list of text of at most 1 characters, not ["xx"].'],
        [
          "f",
          'must be a time such as "09:30:00", or "now", with at most 1 digits of a second\'s fraction, not "09:30:00.25".',
        ],
        ["g", "must be a number that 32 bits keep, not 0.123456789."],
      ].map(
        ([name, wrong]): Told => [
          `resources.item.fields.${name}.default`,
          `The default of "${name}" ${wrong}`,
        ],
      ),
    },
  ],
  limits: [
    {
      it: "wants limits that a service can be used under",
      broken: service({ item: { fields: {} } }, { limits: { page: { default: 50, max: 10 }, depth: 0 } }),
      told: [
        ["limits.depth", '"depth" must be a whole number from 1 to 50, not 0.'],
        ["limits.page.default", '"page.default", 50, is greater than "page.max", 10.'],
      ],
    },
  ],
  about: [
    {
      it: "wants a release, a licence and a contact that a description of the API can hold",
      broken: service(
        { item: { fields: {} } },
        {
          about: {
            version: " ",
            licence: { name: "", url: "our-terms", identifier: "see\nbelow" },
            contact: { name: "", url: "mailto:us@example.org", email: "us" },
          },
        },
      ),
      told: [
        ["about.version", '"version" is empty.', "Leave it out instead."],
        ["about.licence.name", '"name" is empty.', "Leave it out instead."],
        ["about.licence.url", '"url" must be the address of a page, not "our-terms".'],
        ["about.licence", "A licence has a url or an identifier, not both."],
        [
          "about.licence.identifier",
          '"see\nbelow" cannot be an SPDX identifier.',
          'One is such as "MIT" or "Apache-2.0"; of another licence give the url.',
        ],
        ["about.contact.name", '"name" is empty.', "Leave it out instead."],
        ["about.contact.url", '"url" must be the address of a page, not "mailto:us@example.org".'],
        ["about.contact.email", '"email" must be an address of mail, not "us".'],
      ],
    },
  ],
  identity: [
    {
      it: "wants an issuer, an audience, an address that others cannot answer, and a viewer that there is",
      broken: service(
        { item: { fields: {} } },
        {
          identity: {
            jwt: {
              issuer: "",
              audience: ["shop", ""],
              algorithms: ["RS256", "HS256"],
              jwks: "http://issuer.example/keys",
              leeway: 301,
              viewer: "sub",
            },
          },
        },
      ),
      told: [
        ["identity.jwt.issuer", "Nobody is called nothing.", "Give what `iss` has to be."],
        [
          "identity.jwt.audience",
          "A token without an audience is not for this service.",
          "Give what `aud` has to be.",
        ],
        ["identity.jwt.leeway", '"leeway" is from 0 to 300 seconds.'],
        [
          "identity.jwt.viewer",
          "The service says of no resource that its records are those who sign in.",
          'viewer: "user"',
        ],
        [
          "identity.jwt.jwks",
          '"http://issuer.example/keys" is not where keys can be fetched.',
          "Give an https address.",
        ],
        [
          "identity.jwt.algorithms",
          "A secret that is published is none.",
          'Leave out HS256, HS384 and HS512, or give the key itself: jwks: { keys: [{ kty: "oct", … }] }.',
        ],
      ],
    },
    {
      it: "wants public keys, and secrets that are long enough and used",
      broken: service(
        { item: { fields: {} } },
        {
          identity: {
            jwt: {
              issuer: "me",
              audience: "shop",
              algorithms: ["HS512"],
              jwks: {
                keys: [
                  { kty: "EC", d: "AA" },
                  { kty: "oct", k: "AAAA" },
                ],
              },
            },
          },
        },
      ),
      told: [
        [
          "identity.jwt.jwks.keys.0",
          "This key is the issuer's own, which could sign.",
          "Give its public part only.",
        ],
        ["identity.jwt.jwks.keys.1", "The secret has 3 bytes, and needs 64."],
      ],
    },
    {
      it: "refuses keys that cannot be of use",
      broken: service(
        { item: { fields: {} } },
        {
          identity: {
            jwt: { issuer: "me", audience: "shop", algorithms: ["HS256", "ES256"], jwks: { keys: [] } },
          },
        },
      ),
      told: [
        ["identity.jwt.jwks.keys", "Without a key no token can be accepted."],
        ["identity.jwt.algorithms", "HS256, HS384 and HS512 need a key of kty oct, and none is given."],
      ],
    },
    {
      it: "refuses a secret that no algorithm uses",
      broken: service(
        { item: { fields: {} } },
        {
          identity: {
            jwt: {
              issuer: "me",
              audience: "shop",
              algorithms: ["ES256"],
              jwks: { keys: [{ kty: "oct", k: "AAAA" }] },
            },
          },
        },
      ),
      told: [
        ["identity.jwt.jwks", "There is a secret that no algorithm uses.", "Leave it out, or name HS256."],
      ],
    },
  ],
}

function told(declaration: unknown): readonly Told[] {
  try {
    load(declaration as ServiceDeclaration)
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error))
    return error.problems.map(({ code, place, message, hint }): Told => {
      assert.equal(code, "invalid_declaration")
      const at = (place ?? []).join(".")
      return hint === undefined ? [at, message] : [at, message, hint]
    })
  }
  return []
}

for (const [name, ofRule] of Object.entries(cases)) {
  describe(name, () => {
    for (const { it: behaviour, broken, told: expected } of ofRule)
      it(behaviour, () => {
        assert.deepEqual(told(broken), expected)
        const messages: string[] = []
        const rule = rules[name as keyof typeof rules]
        rule(withStates(broken), (_, message) => messages.push(message))
        assert.ok(messages.length > 0, "another rule found it")
      })
  })
}
