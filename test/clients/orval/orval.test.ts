import { clientTests } from "../../support/clients.ts"

await clientTests("orval", () => import("./requests.ts"))
