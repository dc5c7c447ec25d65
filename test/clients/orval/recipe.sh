# url and authorization are set. orval.config.ts names the files.
curl -sS -H "Authorization: $authorization" "$url/openapi.json" -o generated/openapi.json
orval --config orval.config.ts
