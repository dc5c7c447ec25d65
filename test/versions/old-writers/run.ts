import { evolve } from "./services.ts"
import { tryService } from "./trying.ts"

const [from, to, writes] = process.argv.slice(2).map(Number) as [number, number, number]
for (let seed = from; seed <= to; seed++) {
  try {
    const { differences, ...o } = await tryService({ evolved: evolve(seed), writes })
    console.log(
      seed,
      o.writes,
      o.refused,
      o.reads,
      differences.length,
      Math.round(process.cpuUsage().user / 1e6),
    )
    const seen = new Map<string, number>()
    for (const d of differences) {
      const key = d.what.replace(/.*write \d+, (\w+) by (\S+) .*(answer|reads|history)?$/, "$1 $2 $3")
      if ((seen.get(key) ?? 0) < 1 && seen.size < 6)
        console.log(
          "  ",
          d.what.slice(0, 700),
          "\n      want",
          JSON.stringify(d.expected),
          "\n      got ",
          JSON.stringify(d.found)?.slice(0, 600),
        )
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
  } catch (e) {
    console.log(
      seed,
      (e as Error).stack?.slice(0, 1500),
      JSON.stringify((e as { problems?: unknown }).problems)?.slice(0, 800),
    )
  }
}
process.exit()
