// Declarations that break the rule `computedFields`, and exactly what is reported for each.
import { type Case, item, many, one, service, text } from "./case.ts"

export const computedFields: readonly Case[] = [
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
    reported: [
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
    reported: [
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
    reported: [
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
    reported: [
      [
        "resources.item.fields.a.computed.add.0",
        'There is no field "nme" beside "a".',
        'Did you mean "name"?',
      ],
      ["resources.item.fields.a.computed.add.1", '"a" is integer, and "name" in its expression is text.'],
      [
        "resources.item.fields.b.computed",
        '"b" may come to no value, and is not optional.',
        "Say `optional: true`, or give what stands instead with `coalesce` or `else`.",
      ],
      ["resources.item.fields.c.computed.add.0", '"c" is integer, and "price" in its expression is decimal.'],
      [
        "resources.item.fields.c.computed.add.1",
        'Beside "c", a constant must be a whole number of 32 bits, not 0.5.',
      ],
      [
        "resources.item.fields.d.computed.concat.0",
        '"d" is text, and "maybe" in its expression is integer.',
        "Say { textOf: … }: it makes a text of a whole number.",
      ],
      [
        "resources.item.fields.d.computed.concat.1",
        'There is no field "lines" beside "d".',
        '"lines" is a relation: { count: "lines" } counts its records.',
      ],
      ["resources.item.fields.e.computed", '"e" is oneOf, and "size" in its expression is also "m".'],
      [
        "resources.item.fields.f.computed.add",
        '`add` comes to a number, and "f" is a float, which is not exact: declare a decimal.',
      ],
      ["resources.item.fields.g.computed.sum.1", '"g" is integer, and "label" in its expression is text.'],
      [
        "resources.item.fields.h.computed.count",
        'There is no to-many relation "item" here.',
        "Known here: lines.",
      ],
      [
        "resources.item.fields.i.computed.if.when",
        '"lines" is a relation: the condition of a computed field is about the record\'s own fields.',
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
    it: "makes texts of whole numbers alone",
    broken: service({
      item: {
        fields: {
          name: text,
          number: { scalar: "integer" },
          price: { scalar: "decimal", precision: 8, scale: 2 },
          a: { scalar: "text", computed: { textOf: "name" } },
          b: { scalar: "text", computed: { textOf: { add: ["price", 0.5] } } },
          c: { scalar: "integer", computed: { textOf: "number" } },
          d: { scalar: "text", computed: { concat: [{ add: ["number", 1] }, "number"] } },
          e: { scalar: "text", computed: { textOf: { upper: "name" } } },
        },
      },
    }),
    reported: [
      [
        "resources.item.fields.a.computed.textOf",
        '`textOf` takes a whole number, and "name" in its expression is text.',
      ],
      [
        "resources.item.fields.b.computed.textOf.add.0",
        '`textOf` takes a whole number, and "price" in its expression is decimal.',
      ],
      [
        "resources.item.fields.b.computed.textOf.add.1",
        'Beside "b", a constant must be a whole number of 64 bits, as a string, not 0.5.',
      ],
      ["resources.item.fields.c.computed.textOf", '`textOf` comes to text, and "c" is integer.'],
      [
        "resources.item.fields.d.computed.concat.0.add",
        '`add` comes to a number, and "d" is text.',
        "Say { textOf: … }: it makes a text of a whole number.",
      ],
      [
        "resources.item.fields.d.computed.concat.1",
        '"d" is text, and "number" in its expression is integer.',
        "Say { textOf: … }: it makes a text of a whole number.",
      ],
      [
        "resources.item.fields.e.computed.textOf.upper",
        "`upper` comes to text, and `textOf` takes a whole number.",
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
    reported: [
      ["resources.item.fields.a.computed", '"a" is computed from itself: item.a → item.b → item.c → item.a.'],
      [
        "resources.item.fields.total.computed",
        '"total" is computed from itself: item.total → line.share → item.total.',
      ],
    ],
  },
]
