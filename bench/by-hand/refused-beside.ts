// The effect of refused documents on another client: its requests by id alone, and beside 16 connections that send such documents.
// node --conditions=bifold-source bench/by-hand/refused-beside.ts <address of a service with artists, behind one proxy> [seconds]
import { performance } from "node:perf_hooks"
import { OneByOne } from "../one-by-one.ts"

const [url = "", seconds = "10"] = process.argv.slice(2)
const connections = 16
const fields = Array.from({ length: 830 }, (_, at) => `artists(first:${at}){nodes{id}}`).join(" ")
let made = 0
/** Each is another text, so that no refusal is remembered. */
function nextDocument(): string {
  made += 1
  return JSON.stringify({ query: `{a${made}:__typename ${fields}}` })
}

const { data } = (await (await fetch(`${url}/artists?limit=1`)).json()) as { data: { id: string }[] }
const path = `/artists/${data[0]?.id}`

async function askAlone(until: number): Promise<readonly number[]> {
  const client = new OneByOne(url, "10.8.0.1")
  const times: number[] = []
  while (performance.now() < until) {
    const { status, took } = await client.ask("GET", path)
    if (status !== 200) throw new Error(`${path} was answered ${status}.`)
    times.push(took)
  }
  client.close()
  return times.sort((a, b) => a - b)
}

/** How many were answered, by their status: 200 where the document was looked at, 429 where the points of the client are used up. */
async function flood(until: number): Promise<Readonly<Record<number, number>>> {
  const counts: Record<number, number> = {}
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new OneByOne(url, "10.9.0.1")
      while (performance.now() < until) {
        const { status } = await client.ask("POST", "/graphql", nextDocument())
        counts[status] = (counts[status] ?? 0) + 1
      }
      client.close()
    }),
  )
  return counts
}

const end = (): number => performance.now() + Number(seconds) * 1_000
const say = (what: string, times: readonly number[]): void => {
  const of = (part: number): string => (times[Math.floor(times.length * part)] ?? Number.NaN).toFixed(2)
  console.log(`${what}: p50 ${of(0.5)} ms, p99 ${of(0.99)} ms, N = ${times.length}`)
}

say("alone", await askAlone(end()))
const until = end()
const [beside, documents] = await Promise.all([askAlone(until), flood(until)])
say(`beside refused documents ${JSON.stringify(documents)}`, beside)
