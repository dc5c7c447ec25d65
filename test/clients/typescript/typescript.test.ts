import { clientTests } from "../../support/clients.ts"

await clientTests("typescript", () => import("./compiled.ts"))
