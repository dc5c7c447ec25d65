// Declarations that break the rule `versions`, and exactly what is reported for each.
import { type Case, service, text } from "./case.ts"

export const versions: readonly Case[] = [
  {
    it: "wants records that can be changed where it is required",
    broken: service({
      item: { readonly: true, versioned: "required", fields: { name: text } },
      other: { key: false, versioned: "required", fields: { name: text } },
      fine: { versioned: "required", fields: { name: text } },
    }),
    reported: [
      ["resources.item.versioned", '"item" is read-only, so its records never change and have no version.'],
      ["resources.other.versioned", '"other" has no key, so its records never change and have no version.'],
    ],
  },
]
