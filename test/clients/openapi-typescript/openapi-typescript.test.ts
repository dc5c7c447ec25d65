import { clientTests } from "../../support/clients.ts"

await clientTests("openapi-typescript", () => import("./requests.ts"))
