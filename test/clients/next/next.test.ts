import { clientTests } from "../../support/clients.ts"

await clientTests("next", () => import("./served.ts"))
