# url and authorization are set. An MCP client starts this as a server over stdio.
curl -sS -H "Authorization: $authorization" "$url/openapi.json" -o openapi.json
exec openapi-mcp-server --openapi-spec openapi.json --api-base-url "$url" --transport stdio \
  --headers "Authorization:$authorization" --disable-abbreviation true
