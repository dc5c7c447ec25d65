// Counts and distributions that a request adds to: a map and a few numbers, since prom-client sorts and joins labels each time,
// which takes as long as a third of a small request. They are given to its registry as metrics.
import type { Metric, Registry, RegistryContentType } from "prom-client"
import type { Definition } from "./definitions.ts"

export type Labels = Readonly<Record<string, string>>

interface Figure {
  readonly labels: Labels
  readonly value: number
  readonly metricName?: string
}

interface Source {
  readonly definition: Definition
  figures(): readonly Figure[] | Promise<readonly Figure[]>
}

/** Adds a metric of ours to a registry of prom-client, which asks it for its figures. */
export function register(registry: Registry<RegistryContentType>, { definition, figures }: Source): void {
  const { name, help, kind, together = "sum" } = definition
  const metric = {
    name,
    get: async () => ({ name, help, type: kind, values: await figures(), aggregator: together }),
  }
  registry.registerMetric(metric as unknown as Metric)
}

/** A counter for each set of labels. */
export class Counts implements Source {
  readonly definition: Definition
  readonly #counts = new Map<string, { readonly labels: Labels; value: number }>()

  constructor(definition: Definition) {
    this.definition = definition
    // One without labels is there before it counts anything.
    if (definition.labels.length === 0) this.add("", none, 0)
  }

  /** @param key equal for equal labels, and for no others */
  add(key: string, labels: () => Labels, by = 1): void {
    const known = this.#counts.get(key)
    if (known) known.value += by
    else this.#counts.set(key, { labels: labels(), value: by })
  }

  readonly figures = (): readonly Figure[] => [...this.#counts.values()]
}

export const none = (): Labels => ({})

interface Series {
  readonly labels: Labels
  /** Values up to each bound, and above the last one; not of those before. */
  readonly counts: number[]
  sum: number
}

/** A histogram for each set of labels. */
export class Distributions implements Source {
  readonly definition: Definition
  readonly #bounds: readonly number[]
  readonly #series = new Map<string, Series>()

  constructor(definition: Definition & Required<Pick<Definition, "buckets">>) {
    this.definition = definition
    this.#bounds = definition.buckets
  }

  /** @param key as of `Counts` */
  add(key: string, labels: () => Labels, value: number): void {
    const series = this.#series.get(key) ?? this.#begin(key, labels())
    let at = 0
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at += 1
    series.counts[at] = (series.counts[at] ?? 0) + 1
    series.sum += value
  }

  readonly figures = (): readonly Figure[] =>
    [...this.#series.values()].flatMap((series) => this.#figuresOf(series))

  #begin(key: string, labels: Labels): Series {
    const series = { labels, counts: Array.from({ length: this.#bounds.length + 1 }, () => 0), sum: 0 }
    this.#series.set(key, series)
    return series
  }

  #figuresOf({ labels, counts, sum }: Series): readonly Figure[] {
    const { name } = this.definition
    let count = 0
    const buckets = counts.map((own, at): Figure => {
      count += own
      const le = String(this.#bounds[at] ?? "+Inf")
      return { labels: { ...labels, le }, value: count, metricName: `${name}_bucket` }
    })
    return [
      ...buckets,
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: count, metricName: `${name}_count` },
    ]
  }
}

/** Figures that are looked up when they are asked for. */
export const looked = (definition: Definition, figures: Source["figures"]): Source => ({
  definition,
  figures,
})
