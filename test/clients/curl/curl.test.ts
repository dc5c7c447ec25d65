import { clientTests } from "../../support/clients.ts"

await clientTests("curl", () => import("./requests.ts"))
