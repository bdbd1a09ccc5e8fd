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

if [ -n "$database_url" ]; then
  file=$file.dump
  # To a name of its own first: a half-written file is never taken for a backup.
  pg_dump --format=custom --no-owner --no-privileges --file="$file.part" --dbname="$database_url"
else
  file=$file.tar.gz
  if [ ! -d "$data_dir/store" ]; then
    echo "There is no embedded database in $data_dir." >&2
    exit 1
  fi
  # Where a path is in the data folder, for tar; nothing of what is elsewhere.
  within() {
    "$node" -p "const [folder, path] = process.argv.slice(1).map((one) => require('node:path').resolve(one));
      path.startsWith(folder + '/') ? '.' + path.slice(folder.length) : ''" "$data_dir" "$1"
  }
  excluded=()
  for path in "$file" "$file.part" ${backup_dir:+"$backup_dir"}; do
    path=$(within "$path")
    if [ -n "$path" ]; then excluded+=("--exclude=$path"); fi
  done
  # Made before tar looks at the folder: a new file in it would be a change.
  : > "$file.part"
  # Not the backups, the lock and its journal, nor what tells where the server runs (they belong to a process), nor what
  # restore.sh moved aside.
  "$node" "$here/hold-data-folder.js" "$data_dir" \
    tar --create --gzip --file="$file.part" --directory="$data_dir" \
    --exclude='./lock*' --exclude=./server.json --exclude='./before-restore-*' ${excluded[@]+"${excluded[@]}"} .
fi

mv "$file.part" "$file"
echo "$file"
