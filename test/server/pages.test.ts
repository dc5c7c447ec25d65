// Each answer that is HTML, and what its headers let it do.
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { request } from "node:https"
import { test } from "node:test"
import { createTrustedProxies } from "../../src/access/limits/trusted-proxies.ts"
import { makeCertificate } from "../support/certificates.ts"
import { temporaryFolder } from "../support/database.ts"
import { openLibrary } from "./open.ts"

const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

test("pages run and show what is theirs, and stand in no frame", async (context) => {
  const { url } = await openLibrary(context, { cors: ["*"] })
  let pages = 0
  for (const path of [
    "/",
    "/graphql",
    "/changelog",
    "/schema.graphql",
    "/openapi.json",
    "/books",
    "/books/9",
    "/nothing",
    "/graphql?query=%7B",
    "/health",
  ])
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await fetch(`${url}${path}`, { method, headers: html })
      const { headers } = response
      const body = await response.text()
      const place = `${method} ${path}`
      assert.equal(headers.get("x-content-type-options"), "nosniff", place)
      assert.equal(headers.get("referrer-policy"), "no-referrer", place)
      const policy = headers.get("content-security-policy") ?? ""
      assert.match(policy, /^default-src 'none';.*frame-ancestors 'none'/, place)
      assert.equal(headers.get("strict-transport-security"), null, place)
      if (!(headers.get("content-type") ?? "").includes("html")) {
        assert.doesNotMatch(body, /^\s*<!doctype/i, place)
        continue
      }
      pages += 1
      assert.doesNotMatch(policy, /unsafe/, place)
      for (const part of ["base-uri 'none'", "form-action 'none'"]) assert.ok(policy.includes(part), place)
      assert.equal(headers.get("x-frame-options"), "DENY", place)
      assert.equal(headers.get("cross-origin-opener-policy"), "same-origin", place)
      assert.equal(headers.get("cache-control"), "no-cache", place)
      for (const [kind, tag] of [
        ["style-src", "style"],
        ["script-src", "script"],
      ] as const)
        for (const [, text = ""] of body.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, "g")))
          assert.ok(
            policy.includes(`${kind} 'sha256-${createHash("sha256").update(text).digest("base64")}'`),
            place,
          )
    }
  assert.equal(pages, 2)
})

test("browsers are told to come by HTTPS where they have, and where it is asked for", async (context) => {
  const proxies = createTrustedProxies(["loopback"], "x-forwarded-for")
  const behind = await openLibrary(context, { hsts: 1_000, proxies })
  const told = async (headers: Readonly<Record<string, string>>) =>
    (await fetch(behind.url, { headers })).headers.get("strict-transport-security")
  assert.equal(await told({}), null)
  assert.equal(await told({ "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "http" }), null)
  assert.equal(await told({ "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "https" }), "max-age=1000")
  const alone = await openLibrary(context, { hsts: 1_000 })
  const spoofed = await fetch(alone.url, {
    headers: { "x-forwarded-for": "1.1.1.1", "x-forwarded-proto": "https" },
  })
  assert.equal(spoofed.headers.get("strict-transport-security"), null)
  const folder = await temporaryFolder(context)
  const tls = await makeCertificate(folder, "pages")
  const secure = await openLibrary(context, { hsts: 1_000, tls })
  const ca = await readFile(tls.cert)
  const header = await new Promise((resolve, reject) => {
    request(`https://localhost:${secure.port}/`, { ca, agent: false }, (response) => {
      response.resume()
      resolve(response.headers["strict-transport-security"])
    })
      .on("error", reject)
      .end()
  })
  assert.equal(header, "max-age=1000")
})

test("addresses in answers are those of the service's own, whatever a client or a proxy says of its host", async (context) => {
  const { url } = await openLibrary(context, { proxies: 1 })
  const headers = {
    "x-forwarded-for": "1.1.1.1",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "gopher",
    forwarded: "for=1.1.1.1;host=evil.example",
  }
  for (const path of ["/", "/books?limit=1", "/openapi.json", "/graphql"])
    for (const accept of ["text/html", "*/*"]) {
      const response = await fetch(`${url}${path}`, { headers: { ...headers, accept } })
      const text = `${JSON.stringify([...response.headers])}${await response.text()}`
      assert.doesNotMatch(text, /evil\.example|gopher/, path)
    }
})
