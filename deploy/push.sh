#!/usr/bin/env bash
# Puts a commit on a machine and into service, or leaves the machine as it was.
#
#   TARGET=user@host deploy/push.sh            the commit that is checked out
#   TARGET=user@host REF=v1.2.0 deploy/push.sh
#   TARGET=local: deploy/push.sh               this machine, without ssh
#
# It copies what git knows of that commit into ROOT/releases/<time>-<commit>, then lets that release's own release.sh
# install, migrate, switch over, check /health and roll back. docs/deploy.md says how to prepare a machine.
#
# SUDO (by default `sudo -n`, nothing for root@… and local:) makes the remote side root. ROOT, KEEP, SERVICE, RUN_AS,
# ENV_FILE, DATA_DIR, HEALTH_URL, HEALTH_SECONDS, NODE, INSTALL, STOP, RESTART and BACKUP go to release.sh, which
# describes them.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p}' "$0" && exit ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${TARGET:?set TARGET=user@host, or TARGET=local: for this machine}
ref=${REF:-HEAD}
root=${ROOT:-/opt/void}
commit=$(git rev-parse --short "$ref^{commit}")
release=$(date -u +%Y%m%dT%H%M%SZ)-$commit

case $target in
  local: | root@*) sudo=${SUDO-} ;;
  *) sudo=${SUDO-sudo -n} ;;
esac

# Runs a command line on the target; its standard input goes there too.
on_target() {
  if [ "$target" = local: ]; then
    bash -c "$1"
  else
    # shellcheck disable=SC2029 # Both are meant to be put together on this side.
    ssh -o BatchMode=yes "$target" "$sudo bash -c $(printf %q "$1")"
  fi
}

# The release's settings as words for `env`, quoted for the shell that will read them.
settings() {
  local name
  for name in ROOT KEEP SERVICE RUN_AS ENV_FILE DATA_DIR HEALTH_URL HEALTH_SECONDS NODE INSTALL STOP RESTART BACKUP; do
    if [ -n "${!name+set}" ]; then printf '%q ' "$name=${!name}"; fi
  done
}

if ! git diff --quiet HEAD --; then
  echo "Note: this pushes $commit; changes that are not committed stay here." >&2
fi

folder=$root/releases/$release
echo "Copying $commit to $target, $folder"
git -c tar.umask=0022 archive --format=tar "$ref" |
  on_target "umask 022 && mkdir -p $(printf %q "$folder") && tar -x -C $(printf %q "$folder")" || {
  echo 'The copy broke off; nothing was changed.' >&2
  on_target "rm -rf $(printf %q "$folder")" </dev/null
  exit 1
}

on_target "env $(settings)bash $(printf %q "$folder/deploy/release.sh") $(printf %q "$release")" </dev/null
