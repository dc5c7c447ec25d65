// examples/embedded/web.ts by Bun and Deno themselves.
import { clientTests } from "../../support/clients.ts"

await clientTests("runtimes", () => import("./runs.ts"))
