// Declarations that break the rule `log`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

const noTime = (keep: string) => ({
  it: `wants a time that the log is kept for, not ${keep}`,
  broken: service({ item: { fields: {}, history: true } }, { log: { keep } }),
  reported: [
    [
      "log.keep",
      `${JSON.stringify(keep)} is no time that a log is kept for.`,
      'Give hours, days, weeks or years, such as "30 days"; a century at the most.',
    ] as const,
  ],
})

export const log: readonly Case[] = [
  ...["30 d", "0 days", "-1 days", "1.5 days", "101 years", "", "forever"].map(noTime),
  {
    it: "captures changes of unmanaged tables only",
    broken: service({ item: { fields: {}, history: true } }, { log: { capture: "database" } }),
    reported: [
      [
        "log.capture",
        "Bifold manages the tables of this service, and counts the versions of their records: changes by other programs are not captured.",
        "Write to them by Bifold, or serve them as they are with `managed: false`.",
      ],
    ],
  },
  {
    it: "captures nothing where nothing is logged",
    broken: service(
      { item: { key: { column: "id", type: "integer" }, fields: {} } },
      { managed: false, log: { capture: "database" } },
    ),
    reported: [
      [
        "log.capture",
        "Nothing is in the log of this service.",
        "A resource with states, with events or with history: true is logged, and one that handlers follow.",
      ],
    ],
  },
  {
    it: "wants something that is logged",
    broken: service({ item: { fields: {} } }, { log: { keep: "30 days" } }),
    reported: [
      [
        "log.keep",
        "Nothing is in the log of this service.",
        "A resource with states, with events or with history: true is logged, and one that handlers follow.",
      ],
    ],
  },
]
