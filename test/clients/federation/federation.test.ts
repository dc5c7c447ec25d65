import { clientTests } from "../../support/clients.ts"

await clientTests("federation", () => import("./composed.ts"))
