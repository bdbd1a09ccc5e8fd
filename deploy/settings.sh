# shellcheck shell=bash
# For backup.sh and restore.sh: where the data is, read the way the server reads it.
# Sets node, database_url, data_dir, backup_dir and, for the Postgres tools, PGPASSWORD.

# The one that npm brought, where the machine's own was too old.
brought=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/node_modules/.bin/node
if [ ! -x "$brought" ]; then brought=node; fi
node=${NODE:-$brought}
env_file=${ENV_FILE:-.env}

if [ ! -f "$env_file" ]; then env_file=''; fi

# A setting from the environment or the file behind it; the words of an expression on its value `it`.
setting() {
  "$node" ${env_file:+--env-file="$env_file"} -p "const it = process.env.$1 ?? ''; $2"
}

# need PROGRAM...: ends the script where one is missing.
need() {
  local program
  for program in "$@"; do
    if command -v "$program" >/dev/null; then continue; fi
    echo "There is no $program here. Install the client programs of Postgres, as new as its server. With Compose, its" \
      'container has them: docs/deploy.md has the commands.' >&2
    exit 1
  done
}

data_dir=$(setting DATA_DIR "it || './data'")
backup_dir=$(setting BACKUP_DIR it)
# The password goes through the environment: a command line can be read by everyone on the machine.
database_url=$(setting DATABASE_URL "it && Object.assign(new URL(it), { password: '' }).href")
PGPASSWORD=$(setting DATABASE_URL "it && decodeURIComponent(new URL(it).password)")
export PGPASSWORD
# shellcheck disable=SC2034 # Used by the scripts that read this one.
readonly node data_dir backup_dir database_url
