// What documents that are refused do to another client: its requests by id alone, and beside 16 connections that send such documents.
// node --conditions=bifold-source bench/by-hand/refused-beside.ts <address of a service with artists, behind one proxy> [seconds]
import { performance } from "node:perf_hooks"
import { OneByOne } from "../one-by-one.ts"

const [url = "", seconds = "10"] = process.argv.slice(2)
const connections = 16
const fields = Array.from({ length: 830 }, (_, at) => `artists(first:${at}){nodes{id}}`).join(" ")
const document = JSON.stringify({ query: `{${fields}}` })

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

async function flood(until: number): Promise<number> {
  const counts = Array.from({ length: connections }, async () => {
    const client = new OneByOne(url, "10.9.0.1")
    let count = 0
    for (; performance.now() < until; count += 1) await client.ask("POST", "/graphql", document)
    client.close()
    return count
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

const end = (): number => performance.now() + Number(seconds) * 1_000
const say = (what: string, times: readonly number[]): void => {
  const of = (part: number): string => (times[Math.floor(times.length * part)] ?? Number.NaN).toFixed(2)
  console.log(`${what}: p50 ${of(0.5)} ms, p99 ${of(0.99)} ms, N = ${times.length}`)
}

say("alone", await askAlone(end()))
const until = end()
const [beside, documents] = await Promise.all([askAlone(until), flood(until)])
say(`beside ${documents} refused documents`, beside)
