// Observations of an embedded service whose host does not take them: they are written to stderr, as the command line does.
import type { Observe } from "../server/observation.ts"

export async function writtenObservations(): Promise<Observe> {
  const { sayObservation } = await import("../telemetry/observations.ts")
  const { openTerminal } = await import("../telemetry/terminal/terminal.ts")
  const terminal = openTerminal(process)
  return (observation) => sayObservation(terminal, observation)
}
