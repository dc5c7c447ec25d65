// Counts and distributions that a request adds to, as plain numbers. prom-client sorts and joins labels each time,
// which takes as long as a third of a small request. Its registry gets them as metrics.
import type { Metric, Registry, RegistryContentType } from "prom-client"
import type { Definition } from "./definitions.ts"

export type Labels = Readonly<Record<string, string>>

interface Figure {
  readonly labels: Labels
  readonly value: number
  readonly metricName?: string
}

export type Figures = () => readonly Figure[] | Promise<readonly Figure[]>

interface Source {
  readonly definition: Definition
  readonly figures: Figures
}

/** Adds a metric of ours to a registry of prom-client, which asks it for its figures. Gives the metric. */
export function register<Of extends Source>(registry: Registry<RegistryContentType>, source: Of): Of {
  const { definition, figures } = source
  const { name, help, kind, together = "sum" } = definition
  const metric = {
    name,
    get: async () => ({ name, help, type: kind, values: await figures(), aggregator: together }),
  }
  registry.registerMetric(metric as unknown as Metric)
  return source
}

interface Count {
  readonly labels: Labels
  value: number
}

/** A counter for each set of labels. */
export class Counts implements Source {
  readonly definition: Definition
  readonly #counts: Count[] = []

  constructor(definition: Definition) {
    this.definition = definition
  }

  /** The counter of labels that no other has. The caller keeps it. */
  counter(labels: Labels): Count {
    const count = { labels, value: 0 }
    this.#counts.push(count)
    return count
  }

  readonly figures = (): readonly Figure[] => this.#counts
}

/** The histogram of a set of labels. */
class Distribution {
  readonly labels: Labels
  readonly #bounds: readonly number[]
  /** Values up to each bound, and above the last one; not of those before. */
  readonly counts: number[]
  sum = 0

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels
    this.#bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  add(value: number): void {
    const bounds = this.#bounds
    let at = 0
    while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.sum += value
  }
}

/** A histogram for each set of labels. */
export class Distributions implements Source {
  readonly definition: Definition
  readonly #bounds: readonly number[]
  readonly #distributions: Distribution[] = []

  constructor(definition: Definition & Required<Pick<Definition, "buckets">>) {
    this.definition = definition
    this.#bounds = definition.buckets
  }

  /** As `Counts.counter`. */
  distribution(labels: Labels): Distribution {
    const distribution = new Distribution(labels, this.#bounds)
    this.#distributions.push(distribution)
    return distribution
  }

  readonly figures = (): readonly Figure[] =>
    this.#distributions.flatMap((distribution) => this.#figuresOf(distribution))

  #figuresOf({ labels, counts, sum }: Distribution): readonly Figure[] {
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

/** A family of metrics with a member for each key, made at its first use. A request finds its counters without building a key. */
export class Family<Key, One> {
  readonly #known = new Map<Key, One>()
  readonly #make: (key: Key) => One

  constructor(make: (key: Key) => One) {
    this.#make = make
  }

  of(key: Key): One {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const made = this.#make(key)
    this.#known.set(key, made)
    return made
  }
}
