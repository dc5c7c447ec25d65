# url and authorization are set. recipe.ts imports the types.
curl -sS -H "Authorization: $authorization" "$url/openapi.json" -o openapi.json
openapi-typescript openapi.json --output schema.ts
