// Who a client is behind proxies: nobody is believed but those who are trusted, in the one header that they set.
import assert from "node:assert/strict"
import { test } from "node:test"
import { clientAddress, isSecure, type Proxies } from "../../src/access/limits/client-address.ts"
import { createTrustedProxies } from "../../src/access/limits/trusted-proxies.ts"
import { isProxyText } from "../../src/base/networks.ts"

interface Asked {
  readonly it: string
  readonly proxies: Proxies
  readonly peer?: string
  readonly headers: Readonly<Record<string, string>>
  readonly client: string
}

const trusted = (...texts: string[]) => createTrustedProxies(texts, "x-forwarded-for")
const standard = (...texts: string[]) => createTrustedProxies(texts, "forwarded")
const peer = "10.0.0.1"

const cases: readonly Asked[] = [
  { it: "nobody is trusted", proxies: 0, peer, headers: { "x-forwarded-for": "1.1.1.1" }, client: peer },
  { it: "one hop", proxies: 1, peer, headers: { "x-forwarded-for": "6.6.6.6, 1.1.1.1" }, client: "1.1.1.1" },
  {
    it: "two hops",
    proxies: 2,
    peer,
    headers: { "x-forwarded-for": "6.6.6.6, 1.1.1.1, 10.0.0.2" },
    client: "1.1.1.1",
  },
  {
    it: "more hops than there are",
    proxies: 3,
    peer,
    headers: { "x-forwarded-for": "1.1.1.1" },
    client: peer,
  },
  {
    it: "hops in the standard's header",
    proxies: { header: "forwarded", hops: 1 },
    peer,
    headers: { forwarded: "for=6.6.6.6, for=1.1.1.1", "x-forwarded-for": "7.7.7.7" },
    client: "1.1.1.1",
  },
  // A string that a client leaves open holds nothing of what the proxy adds.
  ...['for=6.6.6.6;x="', 'for=6.6.6.6;x="\\', '"', 'for="6.6.6.6\\"', 'for="6.6.6.6'].flatMap(
    (sent): Asked[] =>
      [standard("10.0.0.0/8"), { header: "forwarded", hops: 1 } as const].map((proxies) => ({
        it: `a client that sends ${sent}`,
        proxies,
        peer,
        headers: { forwarded: `${sent}, for=1.1.1.1` },
        client: "1.1.1.1",
      })),
  ),
  {
    it: "a quoted comma of a proxy",
    proxies: standard("10.0.0.0/8"),
    peer,
    headers: { forwarded: 'for=6.6.6.6, for=1.1.1.1;by="_a\\",for=7.7.7.7;b\\\\"' },
    client: "1.1.1.1",
  },
  ...["for=1.1.1.1;for=6.6.6.6", 'for=1.1.1.1;x="', "for=1.1.1.1 for=6.6.6.6", "for=1.1.1.1;=x"].map(
    (added): Asked => ({
      it: `${added}, which is not well formed`,
      proxies: standard("10.0.0.0/8"),
      peer,
      headers: { forwarded: `for=6.6.6.6, ${added}` },
      client: peer,
    }),
  ),
  {
    it: "an address that is longer than any",
    proxies: 1,
    peer,
    headers: { "x-forwarded-for": `1.1.1.1, ${"1".repeat(100)}` },
    client: "unknown",
  },
  {
    it: "a peer that is not trusted",
    proxies: trusted("10.0.0.0/8"),
    peer: "9.9.9.9",
    headers: { "x-forwarded-for": "1.1.1.1" },
    client: "9.9.9.9",
  },
  {
    it: "a client that claims another address",
    proxies: trusted("10.0.0.0/8"),
    peer,
    headers: { "x-forwarded-for": "6.6.6.6, 1.1.1.1, 10.0.0.2" },
    client: "1.1.1.1",
  },
  {
    it: "a client that claims to be a proxy",
    proxies: trusted("10.0.0.0/8"),
    peer,
    headers: { "x-forwarded-for": "10.0.0.7, 10.0.0.8, 1.1.1.1" },
    client: "1.1.1.1",
  },
  {
    it: "a client within the trusted network",
    proxies: trusted("10.0.0.0/8"),
    peer,
    headers: { "x-forwarded-for": "10.0.0.7" },
    client: "10.0.0.7",
  },
  {
    it: "a header that the proxy does not set",
    proxies: trusted("10.0.0.0/8"),
    peer,
    headers: { forwarded: "for=6.6.6.6" },
    client: peer,
  },
  {
    it: "the standard's header alone",
    proxies: standard("private"),
    peer,
    headers: { forwarded: 'for=6.6.6.6, For="1.1.1.1:4711";proto=https', "x-forwarded-for": "7.7.7.7" },
    client: "1.1.1.1",
  },
  {
    it: "an address of IPv6",
    proxies: standard("private"),
    peer,
    headers: { forwarded: 'for="[2001:db8:1:2:3::4]:4711"' },
    client: "2001:db8:1:2::/64",
  },
  {
    it: "a hidden address",
    proxies: standard("private"),
    peer,
    headers: { forwarded: "for=6.6.6.6, for=_hidden" },
    client: peer,
  },
  {
    it: "an element that is none",
    proxies: standard("private"),
    peer,
    headers: { forwarded: "for=6.6.6.6, for=" },
    client: peer,
  },
  {
    it: "a comma within quotes",
    proxies: standard("private"),
    peer,
    headers: { forwarded: 'for=1.1.1.1;by="a, for=6.6.6.6"' },
    client: "1.1.1.1",
  },
  {
    it: "a quote without an end",
    proxies: standard("private"),
    peer,
    headers: { forwarded: 'for="6.6.6.6, for=7.7.7.7' },
    client: "7.7.7.7",
  },
  {
    it: "an address that is none",
    proxies: trusted("private"),
    peer,
    headers: { "x-forwarded-for": "1.1.1.1, <script>" },
    client: "unknown",
  },
  {
    it: "IPv4 by a socket of IPv6",
    proxies: trusted("10.0.0.1"),
    peer: "::ffff:10.0.0.1",
    headers: { "x-forwarded-for": "1.1.1.1" },
    client: "1.1.1.1",
  },
  {
    it: "this machine",
    proxies: trusted("loopback"),
    peer: "::1",
    headers: { "x-forwarded-for": "1.1.1.1" },
    client: "1.1.1.1",
  },
  {
    it: "a unix socket that is trusted",
    proxies: trusted("unix"),
    headers: { "x-forwarded-for": "1.1.1.1" },
    client: "1.1.1.1",
  },
  {
    it: "a unix socket that is not",
    proxies: trusted("loopback"),
    headers: { "x-forwarded-for": "1.1.1.1" },
    client: "unknown",
  },
]

for (const { it, proxies, peer: remoteAddress, headers, client } of cases)
  test(`the client behind proxies: ${it}`, () => {
    assert.equal(clientAddress({ headers, socket: { remoteAddress } }, proxies), client)
  })

test("a connection is secure by itself, or by the word of a trusted proxy", () => {
  const message = (headers: Readonly<Record<string, string>>, remoteAddress = peer, encrypted?: true) => ({
    headers,
    socket: { remoteAddress, encrypted },
  })
  const said = { "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "https" }
  assert.equal(isSecure(message({}, peer, true)), true)
  assert.equal(isSecure(message(said)), false)
  assert.equal(isSecure(message(said), trusted("10.0.0.1")), true)
  assert.equal(isSecure(message(said), 1), true)
  assert.equal(isSecure(message(said, "9.9.9.9"), trusted("10.0.0.1")), false)
  // Of each hop its own: the client's is the one that counts.
  const chain = { "x-forwarded-for": "6.6.6.6, 1.1.1.1, 10.0.0.2", "x-forwarded-proto": "https, http, https" }
  assert.equal(isSecure(message(chain), trusted("10.0.0.0/8")), false)
  assert.equal(isSecure(message({ forwarded: "for=1.1.1.1;proto=https" }), standard("10.0.0.1")), true)
})

test("addresses, networks and names are known, and nothing else", () => {
  for (const text of ["10.0.0.1", "10.0.0.0/8", "::1", "fc00::/7", "loopback", "private", "unix"])
    assert.ok(isProxyText(text), text)
  for (const text of ["", "example.org", "10.0.0.0/99", "10.0.0", "all", "10.0.0.1:80"])
    assert.ok(!isProxyText(text), text)
})

test("a list is read no further than proxies can be, however long it is", () => {
  const [few, many] = [100, 5_000].map((count) => {
    let looks = 0
    const proxies: Proxies = {
      header: "x-forwarded-for",
      trusts: () => {
        looks += 1
        return true
      },
    }
    const headers = { "x-forwarded-for": Array.from({ length: count }, () => "10.0.0.2").join(",") }
    assert.equal(clientAddress({ headers, socket: { remoteAddress: peer } }, proxies), "10.0.0.2")
    return looks
  })
  assert.equal(many, few)
})
