#!/usr/bin/env bash
# A machine with systemd, for tests/docs/run-commands.test.ts, which runs this in a namespace of its own with the folders that
# the commands of docs/deploy.md write to. A systemctl that reads the unit, a journalctl, and a receiver of traces.
set -euo pipefail
work=$1 project=$2
mkdir -p "$work/bin" /etc/systemd/system /etc/prometheus
export PATH=$work/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=$work
cd "$project"

cat > "$work/bin/systemctl" <<'END'
#!/usr/bin/env bash
set -euo pipefail
work=WORK unit=/etc/systemd/system/void.service
of() { sed -n "s/^$1=//p" "$unit" | tail -n 1; }
stop() {
  if [ ! -f "$work/pid" ]; then return; fi
  kill "$(cat "$work/pid")" 2>/dev/null || true
  while kill -0 "$(cat "$work/pid")" 2>/dev/null; do sleep 0.1; done
  rm -f "$work/pid"
}
start() {
  local file
  file=$(of EnvironmentFile)
  cd "$(of WorkingDirectory)"
  # shellcheck disable=SC2046,SC2086
  setsid setpriv --reuid="$(of User)" --regid="$(of Group)" --init-groups env -i PATH=/usr/bin:/bin \
    $(grep -E '^[A-Z_]+=.' "${file#-}") $(of Environment) $(of ExecStart) >> "$work/journal" 2>&1 < /dev/null &
  echo $! > "$work/pid"
}
case $1 in
  daemon-reload | enable | reset-failed) ;;
  stop) stop ;;
  start) start ;;
  restart) stop && start ;;
esac
END
sed -i "s#WORK#$work#" "$work/bin/systemctl"
printf '#!/bin/sh\ncat %s/journal\n' "$work" > "$work/bin/journalctl"
chmod 755 "$work/bin/"*

# What npm ci fetches: the packages without those of tests.
export INSTALL="cp -a $work/packages node_modules"

node "$project/tests/docs/receive-traces.js" "$work/traces" &
. "$work/commands"
