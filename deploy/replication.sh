#!/usr/bin/env bash
# Run once by the image of Postgres, when it sets the primary up: the replica may follow it.
set -euo pipefail
echo 'host replication void all scram-sha-256' >> "$PGDATA/pg_hba.conf"
