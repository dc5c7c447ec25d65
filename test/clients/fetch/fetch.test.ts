import { clientTests } from "../../support/clients.ts"

await clientTests("fetch", () => import("./requests.ts"))
