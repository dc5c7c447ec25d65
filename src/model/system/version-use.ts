// Counts of who uses which version of the API, and pins: resources of Bifold's own, which serving processes write to.
import type { ResourceDeclaration } from "../declaration/declaration.ts"
import { f, resource } from "../declaration/service.ts"
import type { RuleDeclaration } from "../policy-declaration.ts"

export const versionUse = "versionUse"
export const versionPin = "versionPin"

/** @param read the rule for reading it by the API; no caller may when absent */
export function versionUseResource(read: RuleDeclaration | undefined): ResourceDeclaration {
  const declared = resource({
    id: "vu",
    description: "How often a client used a version of the API on a day, as one serving process counted it.",
    fields: {
      version: f.text({ readonly: true, max: 40 }),
      client: f.text({
        readonly: true,
        max: 300,
        description: "`key:` and a key's id, `client:` and the client of a token, `tokens` or `anonymous`.",
      }),
      day: f.date({ readonly: true, description: "In UTC." }),
      requests: f.integer({ readonly: true }),
      members: f.json({
        readonly: true,
        description:
          'Members that newer versions changed, and how often they were used: `{"order.total": 3}`.',
      }),
    },
    indexes: [["day"]],
    ...(read !== undefined && { allow: { read } }),
  })
  return read === undefined ? { ...declared, internal: true } : declared
}

export const versionPinResource = (): ResourceDeclaration => ({
  ...resource({
    id: "vp",
    description: "The version of the API that was the newest when the bearer of a token was first answered.",
    fields: {
      caller: f.text({ unique: true, max: 64, description: "A digest of the issuer and the subject." }),
      version: f.text({ max: 40 }),
      createdAt: f.timestamp({ readonly: true, default: "now" }),
    },
    indexes: [["version"]],
  }),
  internal: true,
})
