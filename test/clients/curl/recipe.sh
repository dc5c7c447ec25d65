# url and authorization are set; -g leaves the brackets of filter[…] alone. A refusal is printed, and the status is not 0.
shop() { curl -sS -g -H "Authorization: $authorization" "$@"; }

pages() { # path: prints each page on a line
  local next=$1
  while [ -n "$next" ]; do
    shop "$url$next" --fail-with-body -w '\n%header{link}\n' > answer.txt || { cat answer.txt; return 1; }
    head -n 1 answer.txt
    next=$(sed -n '2s/.*<\([^>]*\)>; rel="next".*/\1/p' answer.txt)
  done
}

change() { # path, a command that reads the record and prints the changes
  local status=412
  while [ "$status" = 412 ]; do
    shop "$url$1" --fail-with-body -w '\n%header{etag}\n' > answer.txt || { cat answer.txt; return 1; }
    status=$(head -n 1 answer.txt | "$2" | shop "$url$1" -X PATCH --json @- \
      -H "If-Match: $(sed -n 2p answer.txt)" -o changed.json -w '%{http_code}') || return 1
  done
  cat changed.json && [ "$status" -lt 400 ]
}

create() { # path, record, a key of its own for each thing that is to happen once
  local status
  status=$(shop "$url$1" --json "$2" -H "Idempotency-Key: $3" --retry 3 --retry-all-errors --retry-delay 1 \
    -o created.json -w '%{http_code}') || return 1
  cat created.json && [ "$status" -lt 400 ]
}
