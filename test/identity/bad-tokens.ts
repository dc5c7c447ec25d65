// Credentials of which none may be accepted, generated: each is a valid token with one thing wrong.
import { audience, claims, compact, encoded, hmac, inSeconds, issuer, type SigningKey } from "./shop.ts"

export interface BadCredential {
  readonly what: string
  /** The value of the header; several: it is sent several times. */
  readonly authorization: string | readonly string[]
}

interface Keys {
  /** Whose keys are trusted: `one` and `two`. */
  readonly es256: SigningKey
  readonly rs256: SigningKey
  /** Of an issuer that nobody knows. */
  readonly strange: SigningKey
  /** A valid key of the service, and of no service. */
  readonly apiKey: string
}

export function badCredentials(keys: Keys): readonly BadCredential[] {
  const tokens = [
    ...unsigned(keys),
    ...confused(keys),
    ...foreign(keys),
    ...wrongClaims(keys),
    ...critical(keys),
    ...misshapen(keys),
    ...tampered(keys),
  ]
  return [
    ...tokens.map(([what, token]) => ({ what, authorization: `Bearer ${token}` })),
    ...otherHeaders(keys),
  ]
}

type Tokens = readonly (readonly [what: string, token: string])[]

const header = { alg: "ES256", kid: "one", typ: "JWT" }
const good = ({ es256 }: Keys): string => compact(header, claims(), es256.sign)
const partsOf = (token: string): readonly [string, string, string] =>
  token.split(".") as unknown as readonly [string, string, string]

function unsigned(keys: Keys): Tokens {
  const [, , signature] = partsOf(good(keys))
  const spellings = [
    "none",
    "None",
    "NONE",
    "nOnE",
    " none",
    "none ",
    "",
    null,
    undefined,
    0,
    false,
    [],
    {},
    ["none"],
  ]
  return spellings.flatMap((alg) =>
    [
      ["no signature", ""],
      ["another's signature", signature],
    ].map(
      ([what, signed]) =>
        [
          `alg ${JSON.stringify(alg)}, ${what}`,
          compact({ ...header, alg }, claims(), () => signed ?? ""),
        ] as const,
    ),
  )
}

/** The public key taken for a secret, and one kind of key for another. */
function confused({ es256, rs256 }: Keys): Tokens {
  const materials = [es256, rs256].flatMap(({ publicKey, jwk }) => [
    publicKey.export({ type: "spki", format: "pem" }),
    publicKey.export({ type: "spki", format: "der" }),
    JSON.stringify(jwk),
    Buffer.from(String(jwk["x"] ?? jwk["n"]), "base64url"),
  ])
  return [
    ...["HS256", "HS384", "HS512"].flatMap((alg) =>
      [...materials, ""].flatMap((secret, index) =>
        ["one", "two"].map(
          (kid) =>
            [
              `${alg} with public key ${index} as ${kid}`,
              compact({ alg, kid }, claims(), hmac(alg, secret)),
            ] as const,
        ),
      ),
    ),
    ...["PS256", "RS384", "RS512", "PS512"].map(
      (alg) => [`${alg}, not declared`, compact({ alg, kid: "two" }, claims(), rs256.signAs(alg))] as const,
    ),
    ["ES256 said to be RS256", compact({ alg: "RS256", kid: "one" }, claims(), es256.sign)],
    ["RS256 said to be ES256", compact({ alg: "ES256", kid: "two" }, claims(), rs256.sign)],
    ["RS256 with the other's kid", compact({ alg: "RS256", kid: "one" }, claims(), rs256.sign)],
    ["ES256 with the other's kid", compact({ alg: "ES256", kid: "two" }, claims(), es256.sign)],
    ["ES256K", compact({ alg: "ES256K", kid: "one" }, claims(), es256.sign)],
    ["es256 in lower case", compact({ alg: "es256", kid: "one" }, claims(), es256.sign)],
  ]
}

/** Signed by somebody else, with what would have it verified by their key. */
function foreign({ strange }: Keys): Tokens {
  const address = "https://elsewhere.example/keys"
  const more: readonly object[] = [
    {},
    { kid: undefined },
    { kid: "three" },
    { kid: "" },
    { kid: null },
    { kid: 1 },
    { kid: ["one"] },
    { kid: { one: 1 } },
    { kid: "../../../../dev/null" },
    { kid: "one' OR '1'='1" },
    { kid: "__proto__" },
    { jwk: strange.jwk },
    { jwk: strange.jwk, kid: undefined },
    { jku: address },
    { x5u: address },
    { x5c: [strange.publicKey.export({ type: "spki", format: "der" }).toString("base64")] },
    { x5t: "AAAA", kid: undefined },
  ]
  return more.map((each) => [
    `signed by a stranger, ${JSON.stringify(each).slice(0, 60)}`,
    compact({ ...header, ...each }, claims(), strange.sign),
  ])
}

function wrongClaims({ es256 }: Keys): Tokens {
  const now = inSeconds(Date.now())
  const changes: readonly Readonly<Record<string, unknown>>[] = [
    { iss: undefined },
    { iss: null },
    { iss: "" },
    { iss: `${issuer}/` },
    { iss: issuer.toUpperCase() },
    { iss: [issuer] },
    { iss: `${issuer}.evil.example` },
    { aud: undefined },
    { aud: null },
    { aud: "" },
    { aud: [] },
    { aud: [[audience]] },
    { aud: { [audience]: true } },
    { aud: "https://other.example" },
    { aud: `${audience}/` },
    { aud: ["https://other.example"] },
    { exp: undefined },
    { exp: null },
    { exp: String(now + 60) },
    { exp: now - 60 },
    { exp: 0 },
    { exp: -1 },
    { exp: true },
    { exp: [now + 60] },
    { nbf: now + 60 },
    { nbf: "0" },
    { nbf: null },
    { iat: "now" },
    { customer: {} },
    { customer: ["cus_1"] },
    { customer: true },
    { customer: 1.5 },
    { customer: "" },
    { customer: "cus_one" },
    { customer: "report_1" },
    { customer: "1 OR 1=1" },
  ]
  return [
    ...changes.map(
      (change) =>
        [
          `claims with ${JSON.stringify(change)}${Object.keys(change)}`,
          compact(header, claims(change), es256.sign),
        ] as const,
    ),
    ...["[]", "null", "1", '"text"', "", "{", '{"exp":1e999}', "\u0000"].map(
      (payload) => [`payload ${JSON.stringify(payload)}`, compact(header, payload, es256.sign)] as const,
    ),
  ]
}

function critical({ es256 }: Keys): Tokens {
  const headers: readonly object[] = [
    { crit: ["exp"] },
    { crit: ["exp"], exp: inSeconds(Date.now()) + 60 },
    { crit: ["b64"], b64: true },
    { crit: ["b64"], b64: false },
    { crit: [] },
    { crit: "exp" },
    { crit: null },
    { crit: ["https://shop.example/new"], "https://shop.example/new": 1 },
    { b64: false },
  ]
  return headers.map((each) => [
    `header with ${JSON.stringify(each)}`,
    compact({ ...header, ...each }, claims(), es256.sign),
  ])
}

function misshapen(keys: Keys): Tokens {
  const token = good(keys)
  const [head, body, signature] = partsOf(token)
  const { es256 } = keys
  const huge = compact({ ...header, x: "x".repeat(7_000) }, claims(), es256.sign)
  return [
    ["two parts", `${head}.${body}`],
    ["four parts", `${token}.${signature}`],
    ["five parts", `${head}.${body}.${signature}.${body}.${signature}`],
    ["no header", `.${body}.${signature}`],
    ["no payload", `${head}..${signature}`],
    ["no signature", `${head}.${body}.`],
    ["dots only", ".."],
    ["one dot", "."],
    ["padded header", `${head}=.${body}.${signature}`],
    ["padded signature", `${token}==`],
    ["base64 with other signs", compact(header, claims({ x: "???>>>" }), es256.sign).replaceAll("_", "/")],
    ["in hexadecimal", [head, body, signature].map((part) => Buffer.from(part).toString("hex")).join(".")],
    ["encoded twice", encoded(token)],
    ["in lower case", token.toLowerCase()],
    ["in upper case", token.toUpperCase()],
    ["parts in another order", `${body}.${head}.${signature}`],
    ["twice", `${token}${token}`],
    ["without its last character", token.slice(0, -1)],
    ["with one more character", `${token}A`],
    ["in percent encoding", token.replaceAll(".", "%2E")],
    ["header is a list", compact("[]", claims(), es256.sign)],
    ["header is a text", compact('"ES256"', claims(), es256.sign)],
    ["header is not JSON", compact('{"alg":"ES256",}', claims(), es256.sign)],
    ["header is not UTF-8", `${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${body}.${signature}`],
    ["huge", huge],
    ["dots without end", ".".repeat(4_000)],
    ["a JSON serialisation", encoded({ payload: body, protected: head, signature })],
    ["a signature as DER", `${head}.${body}.${derOf(signature)}`],
    ["a signature of zeros", `${head}.${body}.${Buffer.alloc(64).toString("base64url")}`],
    // The last character of 64 bytes has four bits that no byte needs.
    ["another spelling of the signature", token.replace(/.$/, nextSpelling)],
  ]
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
const nextSpelling = (last: string): string => alphabet[alphabet.indexOf(last) + 1] ?? "A"

/** RFC 3279 section 2.2.3, which JOSE does not use. */
function derOf(signature: string): string {
  const bytes = Buffer.from(signature, "base64url")
  const integer = (half: Buffer): Buffer => Buffer.concat([Buffer.from([2, half.length + 1, 0]), half])
  const both = Buffer.concat([integer(bytes.subarray(0, 32)), integer(bytes.subarray(32))])
  return Buffer.concat([Buffer.from([0x30, both.length]), both]).toString("base64url")
}

/** One character of each part, at several places. */
function tampered(keys: Keys): Tokens {
  const token = good(keys)
  const [head, body, signature] = partsOf(token)
  const starts = [0, head.length + 1, head.length + body.length + 2]
  const lengths = [head.length, body.length, signature.length]
  return starts.flatMap((start, part) =>
    [0.1, 0.4, 0.6, 0.9].map((share) => {
      const at = start + Math.floor((lengths[part] ?? 0) * share)
      const other = token[at] === "A" ? "B" : "A"
      return [
        `part ${part} with another character at ${at}`,
        token.slice(0, at) + other + token.slice(at + 1),
      ] as const
    }),
  )
}

function otherHeaders(keys: Keys): readonly BadCredential[] {
  const token = good(keys)
  const { apiKey } = keys
  const values: readonly (readonly [string, string | readonly string[]])[] = [
    ["nothing", ""],
    ["no token", "Bearer"],
    ["a token without its scheme", token],
    ["a key without its scheme", apiKey],
    ["Basic", `Basic ${Buffer.from(`key:${apiKey}`).toString("base64")}`],
    ["Token", `Token ${apiKey}`],
    ["DPoP", `DPoP ${token}`],
    ["two spaces", `Bearer  ${token}`],
    ["a tab", `Bearer\t${token}`],
    ["quotes", `Bearer "${token}"`],
    ["two in one", `Bearer ${token}, Bearer ${token}`],
    ["two schemes in one", `Bearer ${token}, Basic a2V5`],
    ["two headers", [`Bearer ${token}`, `Bearer ${token}`]],
    ["two headers with a key", [`Bearer ${apiKey}`, "Basic a2V5"]],
    ["a space within", `Bearer ${token.slice(0, 40)} ${token.slice(40)}`],
    ["longer than is read", `Bearer ${token}${"A".repeat(9_000)}`],
    ["a key that was never made", `Bearer ${apiKey.slice(0, -1)}${apiKey.endsWith("a") ? "b" : "a"}`],
    ["the start of a key", `Bearer ${apiKey.slice(0, 11)}`],
    ["a key of another service", `Bearer ${apiKey.replace("shop_", "shpp_")}`],
    ["a key with another sign", `Bearer ${apiKey.slice(0, -1)}-`],
    ["a key and one more", `Bearer ${apiKey}A`],
    ["a key in upper case", `Bearer ${apiKey.toUpperCase()}`],
    ["a wildcard", "Bearer shop_%%%%%%%"],
    ["a statement", "Bearer shop_'--"],
  ]
  return values.map(([what, authorization]) => ({ what, authorization }))
}
