// examples/embedded in the frameworks themselves.
import { clientTests } from "../../support/clients.ts"

await clientTests("embedded", () => import("./hosts.ts"))
