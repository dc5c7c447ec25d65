# url and authorization are set. Import collection.json, and set its variables baseUrl and bearerToken.
curl -sS -H "Authorization: $authorization" "$url/openapi.json" -o openapi.json
openapi2postmanv2 -s openapi.json -o collection.json -O parametersResolution=Example,enableOptionalParameters=false
