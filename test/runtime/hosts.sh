#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Faults of jobs over two hosts: two network namespaces with a cable between them. A rank on the second host is
# stopped, killed, leaves or calls something else; the cable is cut; it loses and delays. The job ends in time with
# a message that names the call, its place and the rank, and leaves no process, the launchers' included.
# usage: hosts.sh BUILD-DIRECTORY [--all]; without --all a sample: a rank is killed and stopped in an all_reduce, calls
# an all_gather of another size and a gather with another root, and is killed in every collective.
# Prints PASS, FAIL or SKIP lines.
build=$(cd "$1" && pwd) || exit 1
# Each host has a /tmp of its own, so this cannot lie there.
if [[ $build == /tmp/* ]]; then
  echo "SKIP faults over hosts: the build is in /tmp, which each host hides"
  exit 0
fi
work=$(mktemp -d "$build/hosts.XXXXXX") || exit 1
first=tessera-$$-1 second=tessera-$$-2 # the namespaces
mark=hosts-$$                          # a name of the job's processes that no other has
failed=0

end_hosts() {
  ip netns del "$first" 2>/dev/null
  ip netns del "$second" 2>/dev/null
  rm -rf "$work"
}
trap end_hosts EXIT

# Two hosts and their cable; false where this machine does not allow it.
make_hosts() {
  command -v ip >/dev/null && command -v unshare >/dev/null || return 1
  ip netns add "$first" 2>/dev/null && ip netns add "$second" 2>/dev/null || return 1
  ip link add eth0 netns "$first" type veth peer name eth0 netns "$second" 2>/dev/null || return 1
  local number=1 host
  for host in "$first" "$second"; do
    ip -n "$host" addr add 10.231.77.$number/24 dev eth0 || return 1
    ip -n "$host" link set lo up && ip -n "$host" link set eth0 up || return 1
    number=$((number + 1))
  done
  for number in $(seq 100); do # the second end has a carrier some time after the first
    ip -n "$first" link show eth0 | grep -q "state UP" && ip -n "$second" link show eth0 | grep -q "state UP" && break
    sleep 0.1
  done
  ip netns exec "$first" unshare -u -m true 2>/dev/null
}

if ! make_hosts; then
  echo "SKIP faults over hosts: no network namespaces here (they take root, iproute2 and CAP_SYS_ADMIN)"
  exit 0
fi

# How launchers start something on another host: agent HOST COMMAND... A host has its name, its /tmp, and the
# names of both.
cat >"$work/hosts" <<END
127.0.0.1 localhost
10.231.77.1 h1
10.231.77.2 h2
END
cat >"$work/agent" <<END
#!/bin/bash
while [[ \$1 == -* ]]; do shift; done
host=\$1
shift
namespace=$first
[ "\$host" = h2 ] && namespace=$second
exec ip netns exec \$namespace unshare -u -m bash -c "hostname \$host; mount -t tmpfs t /tmp
  mount --bind $work/hosts /etc/hosts; cd $work; \$*"
END
chmod +x "$work/agent"
cp "$build/test/runtime/runtime-faults" "$work/$mark" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export TESSERA_TIMEOUT=10 ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# LAUNCHER RANKS-PER-HOST: the command in `start`.
choose_launcher() {
  case $1 in
  "Open MPI")
    start=(mpirun.openmpi --mca plm_rsh_agent "$work/agent" -H "h1:$2,h2:$2" --mca pml ob1
      --mca btl self,vader,tcp --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0
      --mca orte_keep_fqdn_hostnames 1 -x TESSERA_TIMEOUT -x ASAN_OPTIONS -x LD_LIBRARY_PATH) ;;
  MPICH)
    start=(mpirun.mpich -launcher ssh -launcher-exec "$work/agent" -hosts "h1:$2,h2:$2"
      -iface eth0 -localhost 10.231.77.1) ;;
  esac
}

fail() {
  echo "FAIL $1: $2"
  head -c 5000 "$work/log"
  failed=1
}

# NAME: neither ranks nor launchers stay.
check_nothing_left() {
  local tries left
  for tries in $(seq 20); do # as long as what ends launchers waits
    left=$( (ip netns pids "$first"; ip netns pids "$second") 2>/dev/null)
    [ -z "$left" ] && return
    sleep 1
  done
  # shellcheck disable=SC2086 # numbers
  fail "$1" "processes are left: $(ps -o pid=,args= -p "$(echo $left | tr ' ' ,)")"
  echo "$left" | xargs -r kill -9 2>/dev/null
  sleep 1
}

# LIMIT COMMAND...: on the first host, within so many seconds.
on_first() {
  local limit=$1
  shift
  timeout -k 5 "$limit" ip netns exec "$first" unshare -u -m bash -c 'hostname h1
    mount -t tmpfs t /tmp; mount --bind "$0/hosts" /etc/hosts; cd "$0"; exec "$@"' "$work" "$@" >"$work/log" 2>&1
}

# LAUNCHER RANKS-PER-HOST COLLECTIVE FAULT PATTERN [CALLS-BEFORE [VICTIM]]: the job ends with one message that has
# the pattern.
check_fault() {
  local name="over hosts, $3, $4${7:+ of rank $7}${6:+ after $6 calls}, $1, $2 on each" status lines began
  choose_launcher "$1" "$2"
  # Where the machine is loaded, starts and answers take longer, and a launcher may have ended all, and what passes
  # on their messages, before one has looked around.
  for TESSERA_TIMEOUT in 4 10 30; do
    began=$SECONDS
    on_first 90 "${start[@]}" "$work/$mark" "$3" "$4" "${6:-3}" ${7:+"$7"}
    status=$?
    lines=$(grep -cE "error: ('.*' on )?rank [0-9]" "$work/log")
    [ "$lines" -eq 0 ] || grep "'start of MPI' on rank\|does not answer" "$work/log" | grep -qv -- "$5" || break
  done
  if [ $status -eq 0 ] || [ $((SECONDS - began)) -ge 90 ]; then # a launcher that hung was killed
    fail "$name" "it ended with $status"
  elif [ "$lines" -ne 1 ]; then
    fail "$name" "$lines messages instead of one"
  elif ! grep "error: \('.*' on \)\?rank" "$work/log" | grep "f.mlir:[12]:1" | grep -q -- "$5"; then
    fail "$name" "it does not say what is wrong"
  else
    echo "PASS $name"
  fi
  check_nothing_left "$name"
}

# LAUNCHER: the cable is cut while the ranks communicate. Each host says that the other does not answer.
check_cut() {
  local TESSERA_TIMEOUT=10 name="over hosts, the network is cut, $1" status began=$SECONDS
  # MPICH's UCX sees one machine, and would go by shared memory.
  local -x UCX_TLS=tcp,self UCX_NET_DEVICES=eth0
  choose_launcher "$1" 2
  (
    for _ in $(seq 300); do # until all are under watch
      [ "$(pgrep -f "^$work/$mark" | sed 's:.*:/proc/&/maps:' | xargs -r grep -l memfd:tessera 2>/dev/null |
        wc -l)" -ge 4 ] && break
      sleep 0.1
    done
    sleep 1
    ip -n "$second" link set eth0 down
  ) &
  on_first 90 "${start[@]}" "$work/$mark" all_reduce none 2000000000
  status=$?
  wait $!
  if [ $status -eq 0 ] || [ $((SECONDS - began)) -ge 90 ]; then
    fail "$name" "it ended with $status"
  elif ! grep "error: 'all_reduce' on rank [01]" "$work/log" |
    grep -q "f.mlir:1:1: .*rank [23] is on a host that does not answer"; then
    fail "$name" "it does not say what is wrong"
  else
    echo "PASS $name"
  fi
  check_nothing_left "$name"
  ip -n "$second" link set eth0 up
}

# LAUNCHER: what comes late, or twice, is no fault.
check_slow() {
  local TESSERA_TIMEOUT=10 name="over hosts, packets are late and lost, $1"
  if ! ip netns exec "$second" tc qdisc add dev eth0 root netem delay 20ms 5ms loss 3% 2>/dev/null; then
    echo "SKIP $name: the kernel has no netem"
    return
  fi
  choose_launcher "$1" 2
  if on_first 90 "${start[@]}" "$work/$mark" all_reduce none 40; then
    echo "PASS $name"
  else
    fail "$name" "it ended with $?"
  fi
  check_fault "$1" 2 all_gather stop "rank 3 is stopped"
  ip netns exec "$second" tc qdisc del dev eth0 root
}

# LAUNCHER FAULT: what the message has to say of rank 3; of calls that differ two ranks are named.
pattern_of() {
  case $1 in
  stop) echo "rank 3 is stopped" ;;
  exit) echo "rank 3 has left" ;;
  kill) echo "rank 3 is gone" ;;
  compute) echo "rank 3 has not come" ;;
  skip) echo "rank 3 \(is \)\?in 'all_reduce' at f.mlir:2:1" ;;
  *) echo "rank" ;;
  esac
}

# COLLECTIVE FAULT: what rank 3 had in a call that differs, or that it had no messages of the same bytes.
pattern_of_difference() {
  local sent="rank [0-3] sent "
  case $2 in
  size) echo "rank 3 \(has \)\?one of [0-9]\|rank 3 cuts\|$sent" ;;
  type) echo "rank 3 \(is \)\?in '[^']*' at f.mlir:1:1 (sum of i32\|$sent" ;;
  root) echo "rank 3 with root 1 in '$1' at f.mlir:1:1\|$sent" ;;
  order) echo "rank 3 \(is \)\?in 'all_reduce' at f.mlir:2:1" ;;
  esac
}

# COLLECTIVE FAULT: not every collective has a root, and numbers that are summed up may differ, as may what lies
# between halos. A barrier has no elements.
applies() {
  case $2 in
  root) [[ " broadcast gather reduce scatter " == *" $1 "* ]] ;;
  size) [[ " sum_size update_halo barrier " != *" $1 "* ]] ;;
  type) [ "$1" != barrier ] ;;
  esac
}

all=$([ "$2" = --all ] && echo yes)
collectives=(all_gather all_reduce all_to_all broadcast gather recv reduce reduce_scatter scatter shift sum_size
  all_slice update_halo exchange started barrier)
for launcher in "Open MPI" MPICH; do
  mpi=$([ "$launcher" = MPICH ] && echo mpich || echo openmpi)
  if ! command -v mpirun.$mpi >/dev/null || [ ! -e "$build/lib/libtessera_mpi_$mpi.so" ]; then
    echo "SKIP faults over hosts, $launcher: it or its backend is missing"
    continue
  fi
  choose_launcher "$launcher" 2
  TESSERA_TIMEOUT=60 on_first 90 "${start[@]}" "$work/$mark" all_reduce none 100 # a loaded machine starts slowly
  status=$?
  if [ $status -ne 0 ]; then
    fail "over hosts, no fault, $launcher" "it ended with $status"
    continue
  fi
  echo "PASS over hosts, no fault, $launcher"
  check_cut "$launcher"
  # What the other host has called is asked for: by a rank that MPI tells of a message that does not fit, and by the watch.
  check_fault "$launcher" 2 all_gather size "$(pattern_of_difference all_gather size)" 70
  check_fault "$launcher" 2 gather root "$(pattern_of_difference gather root)" 70
  check_fault "$launcher" 2 all_reduce kill "rank 1 is gone" 3 1
  check_fault "$launcher" 2 all_reduce kill "rank 2 is gone" 3 2
  if [ "$all" ]; then
    check_fault "$launcher" 1 all_reduce stop "rank 1 is on a host that does not answer"
    check_slow "$launcher"
  fi
  for collective in "${collectives[@]}"; do
    faults=(kill stop exit skip order size type root compute)
    if [ ! "$all" ] && [ "$collective" = all_reduce ]; then
      faults=(kill stop)
    elif [ ! "$all" ]; then
      faults=(kill)
    fi
    for fault in "${faults[@]}"; do
      applies "$collective" "$fault" || continue
      check_fault "$launcher" 2 "$collective" "$fault" "$(pattern_of "$fault")"
      [[ " size type root order " != *" $fault "* ]] ||
        check_fault "$launcher" 2 "$collective" "$fault" "$(pattern_of_difference "$collective" "$fault")" 70
    done
  done
done
exit $failed
