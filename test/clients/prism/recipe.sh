# url and authorization are set. The document for validation has every answer there may be; clients send requests to $port.
curl -sS -H "Authorization: $authorization" "$url/openapi.json?purpose=validation" -o openapi-validation.json
exec prism proxy openapi-validation.json "$url" --port "$port"
# An answer has the header sl-violations where it or its request is not as described; with --errors it is a refusal instead.
