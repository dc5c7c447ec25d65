// Declarations that break the rule `defaultValues`, and exactly what is reported for each.
import { type Case, item, type Reported } from "./case.ts"

export const defaultValues: readonly Case[] = [
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
    reported: [
      ["a", "must be text, not 1."],
      ["b", "must be a whole number of 32 bits, not 1.5."],
      ["c", 'must be a whole number of 64 bits, as a string, not "9223372036854775808".'],
      ["d", 'must be a decimal of at most 3 digits, 1 of them after the point, not "123.45".'],
      ["e", 'must be a date such as "2026-11-01", or "now", not "2026-02-30".'],
      ["f", 'must be one of "x", not "y".'],
      ["g", 'must be a list of a whole number of 32 bits, not [1,"2"].'],
      ["h", 'must be an e-mail address, not "now".'],
      ["i", "is null.", "A field without a default is null if it is `optional`."],
    ].map(([name, wrong, hint]): Reported => {
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
    reported: [
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
      ([name, wrong]): Reported => [
        `resources.item.fields.${name}.default`,
        `The default of "${name}" ${wrong}`,
      ],
    ),
  },
]
