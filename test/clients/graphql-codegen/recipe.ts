// codegen.ts
const scalars = {
  Bytes: "string",
  Date: "string",
  Decimal: "string", // exact, as the API sends it
  Email: "string",
  Int64: "string",
  JSON: "unknown",
  Slug: "string",
  Time: "string",
  Timestamp: "string",
  URL: "string",
  UUID: "string",
}

export const config = {
  schema: "http://localhost:4000/graphql",
  documents: ["src/**/*.ts"],
  generates: {
    "src/gql/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        scalars,
        strictScalars: true,
        documentMode: "string",
        enumsAsTypes: true,
        useTypeImports: true,
        emitLegacyCommonJSImports: false,
      },
    },
  },
}
