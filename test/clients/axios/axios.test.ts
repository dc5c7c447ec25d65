import { clientTests } from "../../support/clients.ts"

await clientTests("axios", () => import("./requests.ts"))
