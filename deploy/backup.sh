#!/usr/bin/env bash
# backup.sh FILE: writes everything that Void keeps into FILE plus .tar.gz (the embedded database: the data folder;
# the server has to be stopped) or .dump (Postgres: the whole database, while it is in use).
#
# DATABASE_URL or DATA_DIR are taken from the environment or from ENV_FILE, by default ./.env. Run it as the account
# of the server. The file holds secrets and is readable for its owner alone.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p}' "$0" && exit ;; esac
umask 077
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=deploy/settings.sh
. "$here/settings.sh"

file=${1:?usage: backup.sh FILE, without an ending}
ending=tar.gz
if [ -n "$database_url" ]; then ending=dump; fi
file=$file.$ending
# To a name of its own first: a half-written file is never taken for a backup.
trap 'rm -f "$file.part"' EXIT

if [ -n "$database_url" ]; then
  need pg_dump
  pg_dump --format=custom --no-owner --no-privileges --file="$file.part" --dbname="$database_url"
  if [ -f "$data_dir/secrets-key" ]; then
    echo "Keep $data_dir/secrets-key as well: without it the secrets in the dump cannot be read." >&2
  fi
else
  if [ ! -d "$data_dir/store" ]; then
    echo "There is no embedded database in $data_dir." >&2
    exit 1
  fi
  kept=$("$node" "$here/list-kept.js" "$data_dir" "$(dirname "$file")" ${backup_dir:+"$backup_dir"})
  "$node" "$here/hold-data-folder.js" "$data_dir" \
    tar --create --gzip --file="$file.part" --directory="$data_dir" --verbatim-files-from --files-from=- <<<"$kept"
fi

mv "$file.part" "$file"
echo "$file"
