import { clientTests } from "../../support/clients.ts"

await clientTests("pages", () => import("./browser.ts"))
