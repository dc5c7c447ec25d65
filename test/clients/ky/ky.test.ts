import { clientTests } from "../../support/clients.ts"

await clientTests("ky", () => import("./requests.ts"))
