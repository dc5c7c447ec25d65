import { clientTests } from "../../support/clients.ts"

await clientTests("prism", () => import("./exchanges.ts"))
