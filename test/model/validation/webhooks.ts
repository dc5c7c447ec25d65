// Declarations that break the rule `webhooks`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

const noNetwork = (network: string): Case => ({
  it: `wants networks, not ${network}`,
  broken: service({ item: { fields: {}, history: true } }, { webhooks: { networks: [network] } }),
  reported: [
    [
      "webhooks.networks.0",
      `${JSON.stringify(network)} is no network.`,
      'Give an address and its bits, such as "10.0.0.0/8" or "fd00::/8".',
    ],
  ],
})

export const webhooks: readonly Case[] = [
  ...["", "10.0.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0/8", "example.com/8"].map(noNetwork),
  {
    it: "wants something that happens",
    broken: service({ item: { fields: {} } }, { webhooks: true }),
    reported: [
      [
        "webhooks",
        "Nothing of this service happens that could be sent.",
        "A resource with states, with events of its own or with history: true has events.",
      ],
    ],
  },
]
