// What operators are given about metrics holds: the page lists each one, and dashboard and alerts ask for no other.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { type Definition, definitions } from "../../src/observe/metrics/definitions.ts"
import { createMetrics, ownRegistry } from "../../src/observe/metrics/metrics.ts"

const folder = join(import.meta.dirname, "../../docs/operate")
const textOf = (file: string): string => readFileSync(join(folder, file), "utf8")

interface Row {
  readonly name: string
  readonly kind: string
  readonly labels: readonly string[]
}

const rows = [
  ...textOf("metrics.md").matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| ([^|]+) \|/gm),
].map(
  ([, name = "", kind = "", labels = ""]): Row => ({
    name,
    kind,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
  }),
)

const own: readonly Definition[] = Object.values(definitions)

test("the page lists Bifold's metrics with their labels", () => {
  const listed = rows.filter(({ name }) => name.startsWith("bifold_"))
  const declared = own.map(({ name, kind, labels }) => ({ name, kind, labels: [...labels] }))
  assert.deepEqual(byName(listed), byName(declared))
})

test("the page lists what a process tells of itself", async () => {
  const { text } = await createMetrics(ownRegistry(true)).scrape()
  const told = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", kind = ""]) => ({
    name,
    kind,
  }))
  const listed = rows.map(({ name, kind }) => ({ name, kind }))
  const onlyLinux = /^process_(virtual_memory_bytes|heap_bytes|open_fds|max_fds)$/
  const wanted = listed.filter(({ name }) => process.platform === "linux" || !onlyLinux.test(name))
  assert.deepEqual(byName(told), byName(wanted))
})

/** Names of series that an expression asks for, and the labels that it names beside them. */
function checkQuery(expression: string): void {
  const asked = expression.match(/\b(?:bifold|nodejs|process)_\w+/g) ?? []
  if (!/^up\{job="bifold"\} == 0$/.test(expression)) assert.ok(asked.length > 0, expression)
  for (const series of asked) {
    const name = series.replace(/_(bucket|sum|count)$/, "")
    const row = rows.find((each) => each.name === series && each.kind !== "histogram")
    const distribution = rows.find((each) => each.name === name && each.kind === "histogram")
    assert.ok(row ?? (series === name ? undefined : distribution), `${series} is no series: ${expression}`)
  }
  const known = new Set([...rows.flatMap(({ labels }) => labels), "le", "instance", "job"])
  for (const [, list = ""] of expression.matchAll(/\b(?:by|ignoring) \(([^)]*)\)/g))
    for (const label of list.split(/,\s*/)) assert.ok(known.has(label), `${label} is no label: ${expression}`)
  for (const [, label = ""] of expression.matchAll(/[{,]\s*(\w+)\s*(?:=|!=|=~)\s*"/g))
    assert.ok(known.has(label), `${label} is no label: ${expression}`)
}

test("each query of the dashboard asks for a metric that there is", () => {
  const { panels } = JSON.parse(textOf("grafana-dashboard.json")) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  assert.ok(queries.length > 20)
  for (const query of queries) checkQuery(query)
  const missing = own.filter(({ name }) => !queries.some((query) => query.includes(name)))
  assert.deepEqual(missing, [])
})

test("each alert asks for a metric that there is, and says what to do", () => {
  const alerts = textOf("alerts.yaml")
    .split(/^ {6}- alert: /m)
    .slice(1)
  assert.ok(alerts.length > 5)
  for (const alert of alerts) {
    const [, expression = ""] = /^ {8}expr: ["'](.*)["']$/m.exec(alert) ?? []
    checkQuery(expression)
    assert.match(alert, /^\w+\n {8}expr: .*\n {8}for: \d+m\n {8}labels:\n {10}severity: (page|ticket)\n/)
    assert.match(alert, /\n {8}annotations:\n {10}summary: ".+"\n {10}description: ".+"\n$/)
  }
})

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] =>
  all.toSorted((one, other) => (one.name < other.name ? -1 : 1))
