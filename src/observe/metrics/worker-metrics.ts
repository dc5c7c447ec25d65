// Metrics of several workers, served by the process that started them. prom-client's own aggregation loses the counts
// of a worker that ends, and gives nothing at all when one worker does not answer.
import cluster, { type Worker } from "node:cluster"
import { AggregatorRegistry, type Registry, type RegistryContentType } from "prom-client"
import type { Scraped } from "./metrics-server.ts"

type Figures = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>

/** To a worker: it is to tell its figures, with this number. */
interface Question {
  readonly tellMetrics: number
}

/** From a worker: the answer to a question, or its last figures before it ends. */
interface Answer {
  readonly metrics: Figures
  readonly to: number | undefined
}

/** Milliseconds for all workers to answer; Prometheus waits for ten seconds, and the database may be asked meanwhile. */
const defaultPatience = 6_000

interface WorkerMetrics {
  /** A worker that does not answer in time is in it by what it had counted when it was asked before. */
  scrape(): Promise<Scraped>
  close(): void
}

/** In the process that starts workers. */
export function gatherWorkerMetrics(patience = defaultPatience): WorkerMetrics {
  /** Counters of workers that have ended: without them totals would go backwards. */
  const ended: Figures[] = []
  const latest = new Map<number, Figures>()
  const waiting = new Map<number, () => void>()
  let round = 0
  let gathering: Promise<Scraped> | undefined

  const heard = (worker: Worker, message: unknown): void => {
    if (!isAnswer(message)) return
    latest.set(worker.id, message.metrics)
    if (message.to === round) waiting.get(worker.id)?.()
  }
  // Comes after the last message.
  const gone = (worker: Worker): void => {
    waiting.get(worker.id)?.()
    const last = latest.get(worker.id)
    latest.delete(worker.id)
    if (last) ended.push(countersOf(last))
  }
  const gatherEnded = async (): Promise<void> => {
    if (ended.length > 1)
      ended.unshift(await AggregatorRegistry.aggregate(ended.splice(0)).getMetricsAsJSON())
  }
  const gather = async (): Promise<Scraped> => {
    await gatherEnded()
    round += 1
    const silent = new Set<number>()
    const answers = Object.values(cluster.workers ?? {}).map((worker) =>
      worker?.isConnected() ? ask(worker, round, { patience, waiting, silent }) : undefined,
    )
    await Promise.all(answers)
    const figures = [...latest].map(([id, own]) => (silent.has(id) ? countersOf(own) : own))
    const all = AggregatorRegistry.aggregate([...ended, ...figures])
    return { contentType: all.contentType, text: await all.metrics() }
  }
  cluster.on("message", heard)
  cluster.on("disconnect", gone)
  return {
    scrape() {
      gathering ??= gather().finally(() => {
        gathering = undefined
      })
      return gathering
    },
    close() {
      cluster.off("message", heard)
      cluster.off("disconnect", gone)
    },
  }
}

interface Asking {
  readonly patience: number
  /** Called when the worker has answered, or is gone. */
  readonly waiting: Map<number, () => void>
  readonly silent: Set<number>
}

function ask(worker: Worker, round: number, { patience, waiting, silent }: Asking): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(cut)
      waiting.delete(worker.id)
      resolve()
    }
    const cut = setTimeout(() => {
      silent.add(worker.id)
      end()
    }, patience)
    waiting.set(worker.id, end)
    const question: Question = { tellMetrics: round }
    worker.send(question, () => {}) // the end event reports a worker that is gone
  })
}

/** In a worker: answers, until it gives its last figures. */
export function tellWorkerMetrics(registry: Registry<RegistryContentType>): () => Promise<void> {
  const tell = async (to: number | undefined): Promise<void> => {
    const answer: Answer = { metrics: await registry.getMetricsAsJSON(), to }
    await new Promise<void>((resolve) => {
      if (process.connected) process.send?.(answer, undefined, {}, () => resolve())
      else resolve()
    })
  }
  const listen = (message: unknown): void => {
    if (isQuestion(message)) void tell(message.tellMetrics)
  }
  process.on("message", listen)
  return async () => {
    process.off("message", listen)
    await tell(undefined)
  }
}

/** A gauge is of those that are there. */
const countersOf = (figures: Figures): Figures =>
  figures.filter(({ type }) => ["counter", "histogram"].includes(String(type)))

const isObject = (message: unknown): message is Readonly<Record<string, unknown>> =>
  typeof message === "object" && message !== null

const isQuestion = (message: unknown): message is Question =>
  isObject(message) && typeof message["tellMetrics"] === "number"

const isAnswer = (message: unknown): message is Answer =>
  isObject(message) && Array.isArray(message["metrics"])
