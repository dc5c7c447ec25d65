import { clientTests } from "../../support/clients.ts"

await clientTests("relay", () => import("./shopping.ts"))
