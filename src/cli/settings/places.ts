// The places where a server answers, tried before a database is made or changed for one that cannot be started.
import type { Model } from "../../model/model.ts"
import { refuseTaken } from "../../server/listening.ts"
import { checkMetricsPlace } from "../../service/watch.ts"
import type { Settings } from "../../settings/settings.ts"
import { edgeOf } from "./edge.ts"

/** Rejects with a Refusal that says which place cannot be had. @param model as it was declared */
export async function refusePlaces(options: Settings, model: Model | undefined): Promise<void> {
  const { socket, tls } = edgeOf(options)
  if (socket) {
    const { removeStale } = await import("../../server/transports/unix-socket.ts")
    await removeStale(socket.path)
  } else await refuseTaken(options)
  if (tls) {
    const { readCertificate } = await import("../../server/transports/certificate.ts")
    await readCertificate(tls)
  }
  await checkMetricsPlace(options.metrics, { ...options, model })
}
