# url and authorization are set. app/recipe.ts imports the types.
curl -sS -H "Authorization: $authorization" "$url/openapi.json" -o generated/openapi.json
openapi-typescript generated/openapi.json --output generated/schema.ts
