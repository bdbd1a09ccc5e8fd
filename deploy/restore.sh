#!/usr/bin/env bash
# restore.sh FILE: puts back what backup.sh wrote.
#
# FILE.tar.gz goes into DATA_DIR, with the server stopped; a store that is there is moved aside, not deleted.
# FILE.dump goes into the database of DATABASE_URL, which has to be empty: make a new one, restore, and point the
# server at it. So neither can destroy anything.
#
# DATABASE_URL or DATA_DIR come from the environment or from ENV_FILE, by default ./.env. Run it as the account of
# the server.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p}' "$0" && exit ;; esac
umask 077
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/settings.sh
. "$here/settings.sh"

file=${1:?usage: restore.sh FILE}

fail() {
  echo "$*" >&2
  exit 1
}

restore_postgres() {
  [ -n "$database_url" ] || fail 'This is a backup of a Postgres database: set DATABASE_URL.'
  need psql pg_restore
  local tables
  tables=$(psql --no-psqlrc --tuples-only --no-align --dbname="$database_url" --command="
    select count(*)
    from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p')
      and nspname <> 'information_schema'
      and nspname !~ '^pg_'")
  [ "$tables" = 0 ] || fail "That database holds $tables tables already. Restore into an empty one."
  # No comments: the one on the extension belongs to whoever installed it.
  pg_restore --no-owner --no-privileges --no-comments --single-transaction --exit-on-error \
    --dbname="$database_url" "$file"
}

restore_folder() {
  [ -z "$database_url" ] || fail 'This is a backup of an embedded database, but DATABASE_URL is set.'
  mkdir -p "$data_dir"
  "$node" "$here/hold-data-folder.js" "$data_dir" bash -c "$(declare -f fail swap_in); swap_in \"\$@\"" \
    restore "$file" "$data_dir"
}

# Runs while the data folder is locked.
swap_in() {
  set -euo pipefail
  local file=$1 data=$2 new entry aside
  new=$(mktemp -d "$data/restoring.XXXXXX")
  tar --extract --gzip --file="$file" --directory="$new" || { rm -rf "$new"; fail "$file cannot be read."; }
  [ -f "$new/store/PG_VERSION" ] || { rm -rf "$new"; fail "$file holds no store."; }

  aside=$data/before-restore-$(date -u +%Y%m%dT%H%M%SZ)
  for entry in "$new"/*; do
    if [ -e "$data/${entry##*/}" ]; then mkdir -p "$aside" && mv "$data/${entry##*/}" "$aside/"; fi
    mv "$entry" "$data/"
  done
  rmdir "$new"
  if [ -d "$aside" ]; then echo "What was there is in $aside now."; fi
}

case $file in
  *.dump) restore_postgres ;;
  *.tar.gz) restore_folder ;;
  *) fail 'A backup ends in .dump or .tar.gz.' ;;
esac
echo "Restored $file."
