# url and authorization are set; -g leaves the brackets of filter[…] alone.
shop() { curl -sS -g -H "Authorization: $authorization" "$@"; }

pages() { # path: prints each page on a line
  local next=$1
  while [ -n "$next" ]; do
    shop "$url$next" -w '\n%header{link}\n' > answer.txt
    head -n 1 answer.txt
    next=$(sed -n '2s/.*<\([^>]*\)>; rel="next".*/\1/p' answer.txt)
  done
}

change() { # path, a command that reads the record and prints the changes
  local status=412
  while [ "$status" = 412 ]; do
    shop "$url$1" -w '\n%header{etag}\n' > answer.txt
    status=$(head -n 1 answer.txt | "$2" | shop "$url$1" -X PATCH --json @- \
      -H "If-Match: $(sed -n 2p answer.txt)" -o changed.json -w '%{http_code}')
  done
  cat changed.json
}

create() { # path, record, a key of its own for each thing that is to happen once
  shop "$url$1" --json "$2" -H "Idempotency-Key: $3" --retry 3 --retry-all-errors --retry-delay 1
}
