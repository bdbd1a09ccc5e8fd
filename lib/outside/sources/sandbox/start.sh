# Starts a program in its sandbox: sh start.sh FILTER FOLDER [OPTION of bwrap …] -- PROGRAM [ARGUMENT …]
#
# FILTER is the file of system calls that it has to do without. With a FOLDER for pipes it gets a network of its own that
# leads out through slirp4netns, which connects to nothing of this machine; with '' none. Everything ends with this process.
set -eu
ulimit -c 0
filter=$1 folder=$2
shift 2
if [ -z "$folder" ]; then
  exec bwrap --seccomp 9 "$@" 9<"$filter"
fi

pipes=$(mktemp -d "$folder/start-XXXXXXXX")
mkfifo "$pipes/info" "$pipes/go" "$pipes/ready" "$pipes/end"
# A shell gives nothing of its own input to what it starts in the background. Who waits at the end of a pipe goes on when
# this process ends.
exec 3<&0
bwrap --info-fd 7 --block-fd 5 --seccomp 9 "$@" <&3 3<&- 5<"$pipes/go" 7>"$pipes/info" 9<"$filter" &
program=$!
exec 5>"$pipes/go"
inside=$(sed -n 's/.*"child-pid": *\([0-9]*\).*/\1/p' "$pipes/info")
ready=
if [ -n "$inside" ]; then
  slirp4netns --configure --mtu=65520 --disable-host-loopback --disable-dns --exit-fd=8 --ready-fd=6 \
    --userns-path="/proc/$inside/ns/user" "$inside" tap0 <"/dev/null" >/dev/null 2>&1 3<&- 5>&- 8<"$pipes/end" 6>"$pipes/ready" &
  network=$!
  # Closed when this process ends, however it does, which ends slirp4netns.
  exec 4>"$pipes/end"
  ready=$(head -c 1 "$pipes/ready")
fi
rm -rf "$pipes"
if [ -z "$ready" ]; then
  kill -9 "$program" ${inside:+"$inside"} 2>/dev/null || true
  echo 'The sandbox could not be set up.' >&2
  exit 1
fi
echo >&5
exec 3<&- 5>&-
ended=0
wait "$program" || ended=$?
kill "$network" 2>/dev/null || true
exit "$ended"
