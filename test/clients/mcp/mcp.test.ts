import { clientTests } from "../../support/clients.ts"

await clientTests("mcp", () => import("./tools.ts"))
