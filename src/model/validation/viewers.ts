// The records of those who sign in are of a resource that there is, and have ids.
import { suggest } from "../../base/suggest.ts"
import { own } from "../declaration/keys.ts"
import type { Rule } from "./context.ts"

export const viewers: Rule = ({ viewer, resources }, report) => {
  if (viewer === undefined) return
  const resource = own(resources, viewer)
  if (!resource)
    report(["viewer"], `There is no resource "${viewer}".`, suggest(viewer, Object.keys(resources)))
  else if (resource.key === false)
    report(["viewer"], `"${viewer}" has no key, so that no credential can name the record of a viewer.`)
}
