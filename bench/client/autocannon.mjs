// Load by autocannon: reads a file of requests, prints one line of JSON. A process of its own, to have a core of its own.
import { readFileSync } from "node:fs"
import autocannon from "autocannon"

const { url, requests, connections, seconds } = JSON.parse(readFileSync(process.argv[2], "utf8"))

/** autocannon's own histogram counts whole milliseconds; these are counts by microsecond, the last one for all above. */
const counts = new Uint32Array(1_000_001)
let answered = 0
let first = 0

const run = autocannon(
  {
    url,
    connections,
    duration: seconds,
    // Each connection begins elsewhere in the list, or all would ask for the same at once.
    setupClient: (client) => {
      const at = Math.floor((first++ * requests.length) / connections)
      client.setRequests([...requests.slice(at), ...requests.slice(0, at)])
    },
  },
  (error, result) => {
    if (error) throw error
    const { duration, non2xx, errors, timeouts } = result
    const figures = { requests: answered, seconds: duration, p50: percentile(0.5), p99: percentile(0.99) }
    process.stdout.write(`${JSON.stringify({ ...figures, failed: non2xx + errors + timeouts })}\n`)
  },
)
run.on("response", (_client, _status, _bytes, milliseconds) => {
  answered += 1
  counts[Math.min(counts.length - 1, Math.round(milliseconds * 1_000))] += 1
})

function percentile(share) {
  let seen = 0
  for (const [microseconds, count] of counts.entries()) {
    seen += count
    if (seen >= answered * share) return microseconds
  }
  return counts.length
}
