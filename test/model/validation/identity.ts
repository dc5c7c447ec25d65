// Declarations that break the rule `identity`, and exactly what is reported for each.
import { type Case, service } from "./case.ts"

export const identity: readonly Case[] = [
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
    reported: [
      ["identity.jwt.issuer", "An issuer must not be empty.", "Give the required `iss`."],
      [
        "identity.jwt.audience",
        "A token without an audience is not for this service.",
        "Give the required `aud`.",
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
        "A published secret protects nothing.",
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
    reported: [
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
    reported: [
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
    reported: [
      ["identity.jwt.jwks", "There is a secret that no algorithm uses.", "Leave it out, or name HS256."],
    ],
  },
]
