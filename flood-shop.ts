import { anyone, f, many, one, resource, service } from "bifold"
export default service({ name: "flood", resources: { big: resource({ key: { column: "id", type: "integer" }, fields: { name: f.text(), note: f.text() }, relations: { parent: one("big", {optional: true}), children: many("big", { by: "parent" }) }, allow: { read: anyone, create: anyone } }) } })
