import { clientTests } from "../../support/clients.ts"

await clientTests("apollo", () => import("./shopping.ts"))
