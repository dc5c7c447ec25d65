// Normal clients in a thread of their own, so that the load of others does not delay them. Each reads a record and
// makes one in turn, with pauses.
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { parentPort, Worker, workerData } from "node:worker_threads"
import { artist, OneByOne, tell } from "./one-by-one.ts"

interface Given {
  readonly url: string
  readonly seconds: number
}

/** Milliseconds of answers with success, and how many had none. */
export interface Normals {
  readonly reads: readonly number[]
  readonly writes: readonly number[]
  readonly refused: number
  readonly failed: number
}

const normal = { clients: 20, pause: 50 } as const

export const askAsNormals = (given: Given): Promise<Normals> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: given })
    thread.once("message", resolve)
    thread.once("error", reject)
  })

async function ask({ url, seconds }: Given): Promise<Normals> {
  const told = { good: [] as number[], reads: [] as number[], writes: [] as number[], refused: 0, failed: 0 }
  const { data } = (await (await fetch(`${url}/artists?limit=1`)).json()) as { data: { id: string }[] }
  const path = `/artists/${data[0]?.id}`
  const until = performance.now() + seconds * 1_000
  await Promise.all(
    Array.from({ length: normal.clients }, async (_, at) => {
      const client = new OneByOne(url, `10.8.0.${at + 1}`)
      await sleep((at * normal.pause) / normal.clients)
      for (let turn = 0; performance.now() < until; turn += 1) {
        const isRead = turn % 2 === 0
        const answer = isRead
          ? await client.ask("GET", path)
          : await client.ask("POST", "/artists", artist(`normal ${at} ${turn}`))
        tell(told, answer)
        if (answer.status < 300 && answer.status > 0) (isRead ? told.reads : told.writes).push(answer.took)
        await sleep(normal.pause)
      }
      client.close()
    }),
  )
  return told
}

if (parentPort) parentPort.postMessage(await ask(workerData as Given))
