import { clientTests } from "../../support/clients.ts"

await clientTests("postman", () => import("./collection.ts"))
