// Requests to addresses that somebody else has named: none to private ones, whatever they are called; none that lasts.
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createListener } from "node:net"
import { type TestContext, test } from "node:test"
import { createMayReach } from "../../src/base/networks.ts"
import { createDialer, DialError, type DialerOptions, type DialFault } from "../../src/http/dialer.ts"
import { startNameServer } from "./name-server.ts"

/** Loopback, private, link-local, shared, special, and IPv6 addresses that hold such an IPv4 address. */
const forbidden =
  `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.1.2.3 127.255.255.255
169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.20.1.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1
192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255
240.0.0.1 255.255.255.255 :: ::1 ::2 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:7f00:1
::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:0:7f00:1:: 2001:db8::1
2001:10::1 2001:2::1 2002:7f00:1:: 2002:a9fe:a9fe:: 2002:c0a8:1:: 3fff::1 5f00::1 fc00::1 fd00::1
fd00:ec2::254 fe80::1 fe90::1 febf::1 fec0::1 ff02::1 ff05::2 ff0e::1`.split(/\s+/)

/** As a URL may write them, for which a program that compares texts has no eye. */
const spellings = [
  "localhost",
  "127.1",
  "127.0.1",
  "2130706433",
  "0x7f000001",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "017700000001",
  "0",
  "0x0",
  "127.0.0.1.",
  "①②⑦.⓪.⓪.①",
  "169.254.43518",
  "0xa9fea9fe",
  "[::1]",
  "[::]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
]

/** A URL has no zones (URL Standard, section 3.5, IPv6 parser): these name nothing. */
const zones = ["[fe80::1%25eth0]", "[fe80::1%eth0]", "[::1%25lo]", "[::ffff:127.0.0.1%25lo]", "[fe80::1%251]"]

const reachable = [
  "1.1.1.1",
  "8.8.8.8",
  "172.32.0.1",
  "172.15.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "192.169.0.1",
]

async function faultOf(sent: Promise<unknown>): Promise<DialFault | "answered"> {
  try {
    await sent
    return "answered"
  } catch (error) {
    assert.ok(error instanceof DialError, String(error))
    return error.fault
  }
}

function open(t: TestContext, options: DialerOptions = {}) {
  const dialer = createDialer(options)
  t.after(() => dialer.close())
  return (url: string) =>
    dialer.send(url, { method: "POST", headers: { "content-type": "text/plain" }, body: "hello" })
}

/** A server on each address of this machine, and how many connections it has had. */
async function listen(
  t: TestContext,
): Promise<{ readonly port: number; readonly connections: () => number }> {
  let connections = 0
  const server = createListener((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, "::")
  await once(server, "listening")
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

async function serve(t: TestContext, handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const local = { networks: ["127.0.0.0/8"] } as const

test("addresses that are not of the public internet are told from those that are", () => {
  const mayReach = createMayReach([])
  assert.deepEqual(forbidden.filter(mayReach), [])
  assert.deepEqual(reachable.filter(mayReach), reachable)
  const named = createMayReach(["10.0.0.0/8", "fd00::/8"])
  assert.deepEqual(["10.1.2.3", "fd00::1", "::ffff:10.1.2.3"].filter(named).length, 3)
  assert.deepEqual(["127.0.0.1", "fc00::1", "172.16.0.1", "none"].filter(named), [])
})

test(`nothing is connected to at ${forbidden.length + spellings.length} forbidden addresses`, async (t) => {
  const { port, connections } = await listen(t)
  const send = open(t, { networks: ["203.0.113.77/32"], deadline: 4_000 })
  const hosts = [
    ...forbidden.map((address) => (address.includes(":") ? `[${address}]` : address)),
    ...spellings,
  ]
  assert.ok(hosts.length >= 80, `${hosts.length}`)
  const faults = await Promise.all(
    hosts.flatMap((host) => ["http", "https"].map((scheme) => faultOf(send(`${scheme}://${host}:${port}/`)))),
  )
  assert.deepEqual(new Set(faults), new Set(["address_forbidden"]))
  for (const host of zones)
    assert.equal(await faultOf(send(`http://${host}:${port}/`)), "address_invalid", host)
  assert.equal(connections(), 0)
  // The server is there: who may go there does.
  await faultOf(open(t, local)(`http://127.0.0.1:${port}/`))
  assert.equal(connections(), 1)
})

test("a name is looked at each time that it is connected to", async (t) => {
  const { port, connections } = await listen(t)
  const names = await startNameServer(t, {
    "private.example": [["127.0.0.1"]],
    "mixed.example": [["203.0.113.5", "127.0.0.1"]],
    "rebound.example": [["203.0.113.5"], ["127.0.0.1"]],
    "six.example": [["::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "nat64.example": [["64:ff9b::7f00:1"]],
    "both.example": [["203.0.113.5", "::1"]],
    "unique.example": [["fd00::1", "2606:4700::1111"]],
  })
  const send = open(t, { networks: ["203.0.113.0/24"], nameServers: [names.address], deadline: 700 })
  const faults = []
  for (const name of ["private", "mixed", "rebound", "rebound", "rebound", "unknown"])
    faults.push(await faultOf(send(`http://${name}.example:${port}/`)))
  const [first, second, third, ...others] = faults
  assert.deepEqual(
    [first, second, ...others],
    ["address_forbidden", "address_forbidden", "address_forbidden", "address_forbidden", "name_unknown"],
  )
  assert.ok(third === "timeout" || third === "connection_failed", third)
  for (const name of ["six", "mapped", "nat64", "both", "unique"])
    assert.equal(await faultOf(send(`http://${name}.example:${port}/`)), "address_forbidden", name)
  assert.equal(connections(), 0)
  assert.ok(names.asked.filter((name) => name === "rebound.example").length >= 3)
})

test("addresses that are none, of another scheme or with a password are refused", async (t) => {
  const send = open(t)
  const urls = [
    "",
    "example.com",
    "ftp://example.com/",
    "file:///etc/passwd",
    "https://me:secret@example.com/",
    "http://example.com/",
  ]
  assert.deepEqual(
    new Set(await Promise.all(urls.map((url) => faultOf(send(url))))),
    new Set(["address_invalid"]),
  )
})

test("by http only the operator's own networks are reached", async (t) => {
  const names = await startNameServer(t, { "public.example": [["8.8.8.8"]] })
  const send = open(t, { networks: ["203.0.113.0/24"], nameServers: [names.address], deadline: 700 })
  for (const url of ["http://8.8.8.8/", "http://public.example/"])
    assert.equal(await faultOf(send(url)), "address_forbidden", url)
})

test("a redirect is an answer, and not followed", async (t) => {
  const paths: (string | undefined)[] = []
  const url = await serve(t, ({ url }, response) => {
    paths.push(url)
    response.writeHead(302, { location: "/elsewhere" }).end()
  })
  const { status } = await open(t, local)(`${url}/here?a=1`)
  assert.equal(status, 302)
  assert.deepEqual(paths, ["/here?a=1"])
})

test("an answer without end is cut, and one that never comes is given up", async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === "/never") return
    if (request.url === "/drops") {
      response.writeHead(200).flushHeaders()
      const drop = setInterval(() => response.write("."), 50)
      response.on("close", () => clearInterval(drop))
      return
    }
    const more = () => {
      while (response.write("x".repeat(100_000)));
    }
    response.on("drain", more)
    more()
  })
  const answer = await open(t, { ...local, mostBytes: 1_000 })(`${url}/endless`)
  assert.deepEqual([answer.status, answer.body.length, answer.isCut], [200, 1_000, true])
  const send = open(t, { ...local, deadline: 500 })
  assert.equal(await faultOf(send(`${url}/never`)), "timeout")
  assert.equal(await faultOf(send(`${url}/drops`)), "timeout")
})

test("an answer that is compressed is given as it came, and one that is none is a fault", async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === "/head") {
      for (let count = 0; count < 100; count += 1) response.setHeader(`x-${count}`, "x".repeat(1_000))
      response.end()
    } else if (request.url === "/garbage") request.socket.end("what is this?\r\n\r\n")
    else response.writeHead(200, { "content-encoding": "gzip" }).end("not gzip")
  })
  const send = open(t, local)
  const { body } = await send(`${url}/`)
  assert.equal(body.toString(), "not gzip")
  assert.equal(await faultOf(send(`${url}/head`)), "answer_invalid")
  assert.equal(await faultOf(send(`${url}/garbage`)), "answer_invalid")
})
