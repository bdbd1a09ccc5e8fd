#!/usr/bin/env bash
# The replica: a copy of the primary on its first start, from then on whatever the primary writes. Its slot keeps what it
# has not had yet, up to max_slot_wal_keep_size.
set -euo pipefail
export PGDATA=${PGDATA:-/var/lib/postgresql/data}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "${PGDATA:?}"/*
  copy=(pg_basebackup "--pgdata=$PGDATA" '--dbname=host=postgres user=void' --write-recovery-conf --checkpoint=fast)
  # The slot is there already where an earlier replica was thrown away.
  "${copy[@]}" --slot=replica --create-slot || "${copy[@]}" --slot=replica
  chown -R postgres:postgres "$PGDATA"
  chmod 700 "$PGDATA"
fi
exec docker-entrypoint.sh postgres
