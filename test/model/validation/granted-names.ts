// Declarations that break the rule `grantedNames`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

const anyone = { anyone: true } as const
const item = { fields: {}, history: true }
const names = { roles: ["staff"], scopes: ["reports"], limits: { tiers: { pro: {}, anonymous: {} } } }

export const grantedNames: readonly Case[] = [
  {
    it: "wants roles, scopes and tiers of the service, and a length of time",
    broken: service(
      { item },
      {
        ...names,
        identity: {
          keys: {
            manage: anyone,
            grant: { staff: anyone, reports: anyone, pro: anyone, staf: anyone, anonymous: anyone },
            expires: "soon",
          },
        },
        webhooks: {
          manage: anyone,
          grant: { staff: anyone, reports: anyone, pro: anyone },
          expires: "later",
        },
      },
    ),
    reported: [
      [
        "identity.keys.expires",
        '"soon" is no length of time.',
        'Give hours, days, weeks or years, such as "90 days"; a century at the most.',
      ],
      [
        "identity.keys.grant.staf",
        'The service declares no role, scope or tier "staf".',
        'Did you mean "staff"?',
      ],
      [
        "identity.keys.grant.anonymous",
        'The service declares no role, scope or tier "anonymous".',
        "Known here: staff, reports, pro.",
      ],
      [
        "webhooks.expires",
        '"later" is no length of time.',
        'Give hours, days, weeks or years, such as "90 days"; a century at the most.',
      ],
      [
        "webhooks.grant.pro",
        'The service declares no role, scope or tier "pro".',
        "Known here: staff, reports.",
      ],
    ],
  },
  {
    it: "wants callers that make what is granted",
    broken: service(
      { item },
      { ...names, identity: { keys: { grant: { staff: anyone } } }, webhooks: { grant: { staff: anyone } } },
    ),
    reported: [
      [
        "identity.keys.grant",
        "No caller may make one by the API, so none grants.",
        "Say who may: manage: ….",
      ],
      ["webhooks.grant", "No caller may make one by the API, so none grants.", "Say who may: manage: …."],
    ],
  },
]
