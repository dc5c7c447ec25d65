// The same library in tables that another program has made, as `bifold init` finds them: none is STRICT.
import music from "../service.ts"

const resources = Object.entries(music.resources).map(([name, resource]) => {
  const fields = Object.entries(resource.fields ?? {}).map(([field, declared]) => [
    field,
    { ...declared, stored: "loose" as const },
  ])
  return [name, { ...resource, fields: Object.fromEntries(fields) }]
})

export default {
  ...music,
  managed: false,
  resources: Object.fromEntries(resources) as typeof music.resources,
}
