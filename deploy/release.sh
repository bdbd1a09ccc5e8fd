#!/usr/bin/env bash
# release.sh RELEASE: takes ROOT/releases/RELEASE into service. push.sh runs it on the target, as root.
#
# install → (stop) → back up → migrate → switch → restart → check. Until the switch, a failure leaves the old release
# in service; after it, the old one is put back. Either way the exit code is 1.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p}' "$0" && exit ;; esac
umask 022

root=${ROOT:-/opt/void}                         # releases/, backups/ and `current`, the release in service
keep=${KEEP:-5}                                 # releases, and backups made here, that stay; the others go
service=${SERVICE:-void}                        # name of the systemd unit
run_as=${RUN_AS:-void}                          # account of the server: it owns the data
export ENV_FILE=${ENV_FILE:-/etc/void/void.env} # settings of the server, as the unit reads them
export DATA_DIR=${DATA_DIR:-/var/lib/void}      # its data folder
health_url=${HEALTH_URL:-http://127.0.0.1:3000/health}
health_seconds=${HEALTH_SECONDS:-60}            # how long a start may take
export NODE=${NODE:-node}                       # Node 24 or newer
# No package's own scripts: they would run as root, and none that Void uses needs them.
install=${INSTALL:-npm ci --omit=dev --ignore-scripts --no-audit --no-fund}
backup=${BACKUP:-yes}                           # no: none before migrations
# A unit that failed too often refuses to start until its count is reset. Both commands must wait for the old
# process to end, as systemctl does: that is how the check knows whom it talks to.
stop=${STOP:-systemctl stop "$service"}
restart=${RESTART:-systemctl reset-failed "$service" 2>/dev/null; systemctl restart "$service"}

name=${1:?usage: release.sh RELEASE}
release=$root/releases/$name
current=$root/current
migrations=lib/db/migrations
previous='' # the release in service until now
stopped=no

main() {
  trap abandon EXIT
  exec 9>"$root/push.lock"
  flock --nonblock 9 || fail 'Another push to this machine is under way.'
  [ "$("$NODE" -p 'parseInt(process.versions.node)')" -ge 24 ] || fail 'Void needs Node 24 or newer on this machine.'
  if [ -d "$current" ]; then previous=$(readlink -f "$current"); fi

  say "Installing $name"
  (cd "$release" && run "$install")
  bring_schema_up_to_date

  say "Switching to $name"
  trap roll_back EXIT
  switch_to "$release"
  trap - EXIT
  say "$name is in service"
  prune "$root/releases"
  prune "$root/backups"
}

bring_schema_up_to_date() {
  # The embedded store has one owner at a time. A Postgres server is migrated under the running release, so that a
  # migration that fails costs no moment of service.
  if ! uses_postgres && [ -n "$previous" ]; then
    say 'Stopping the server, because the embedded store has to be closed'
    stopped=yes
    run "$stop"
  fi

  if [ "$backup" != no ] && [ -n "$previous" ] && ! diff -rq "$previous/$migrations" "$release/$migrations" >/dev/null; then
    say 'Backing up, because there are new migrations'
    install --directory --mode=700 --owner="$run_as" "$root/backups"
    as_service "$release/deploy/backup.sh" "$root/backups/$name"
  fi

  say 'Migrating'
  (cd "$release" && as_service "$NODE" --env-file-if-exists="$ENV_FILE" lib/server/cli/migrate.ts)
}

# Points `current` at a release, restarts, and tells whether that release then answers.
switch_to() {
  local version
  # A rename replaces the link in one step: there is no moment without a release.
  version=$("$NODE" -p 'require(process.argv[1]).version' "$1/package.json") &&
    ln -sfn "$1" "$current.new" &&
    mv -fT "$current.new" "$current" &&
    run "$restart" &&
    "$NODE" "$release/deploy/check-health.js" "$health_url" "$health_seconds" "$version"
}

# The end of a push that failed after the switch.
roll_back() {
  trap - EXIT
  say "$name is not well"
  if [ -z "$previous" ]; then
    run "$stop" || true
    rm -f "$current"
    fail 'There is no release to go back to. The server is stopped.'
  fi

  say "Going back to $(basename "$previous")"
  if switch_to "$previous"; then fail "Rolled back: $(basename "$previous") is in service again."; fi
  fail "The old release does not answer either. If the new schema is why, restore the backup in $root/backups."
}

# The end of a push that failed before the switch.
abandon() {
  trap - EXIT
  say 'Giving up before the switch'
  if [ "$stopped" = yes ]; then switch_to "$previous" || say 'The old release does not answer any more.'; fi
  rm -rf "$release"
  fail "In service is: $(basename "${previous:-nothing}")."
}

# Removes all but the newest entries of a folder, by when they were written: names tell the second only. The releases
# in service and to go back to always stay.
prune() {
  local old
  [ -d "$1" ] || return 0
  find "$1" -mindepth 1 -maxdepth 1 -printf '%T@ %f\n' | sort -rn | tail -n "+$((keep + 1))" | while read -r _ old; do
    case "$1/$old" in "$release" | "$previous") ;; *) rm -rf "${1:?}/$old" ;; esac
  done
}

uses_postgres() { [ -r "$ENV_FILE" ] && grep -Eq '^[[:space:]]*(export +)?DATABASE_URL=["'\'']?postgres' "$ENV_FILE"; }

as_service() { if [ "$(id -un)" = "$run_as" ]; then "$@"; else runuser -u "$run_as" -- "$@"; fi; }

# A command of the settings. Not with descriptor 9: a server started here would hold the lock for good.
run() { bash -c "$1" 9>&-; }

say() { echo "→ $*"; }

fail() {
  echo "$*" >&2
  exit 1
}

main
