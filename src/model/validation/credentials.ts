// Roles and scopes are named by credentials and on command lines: names without blanks, each declared once.
import type { Rule } from "./context.ts"

export const credentials: Rule = (service, report) => {
  for (const kind of ["roles", "scopes"] as const) {
    const names = service[kind] ?? []
    for (const [index, name] of names.entries()) {
      if (!form.test(name))
        report(
          [kind, index],
          `"${name}" is no name for a ${kind.slice(0, -1)}.`,
          "It begins with a lower-case letter; letters, digits, and the signs _ . : - may follow.",
        )
      else if (names.indexOf(name) < index) report([kind, index], `"${name}" is declared twice.`)
    }
  }
}

const form = /^[a-z][A-Za-z0-9_.:-]*$/
