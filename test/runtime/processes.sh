#!/bin/bash
# Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
# Starts a command as so many processes, as launchers without MPI do, and ends as the first that fails.
# usage: processes.sh torchrun|slurm|numbered N COMMAND...; `numbered` puts rank and size behind it.
how=$1 ranks=$2
shift 2
# A port that nobody has now.
port=$(/usr/bin/python3 -c 'import socket
for tries in range(100):
    one, next = socket.socket(), socket.socket()
    try:
        one.bind(("", 0))
        next.bind(("", one.getsockname()[1] + 1))
        print(one.getsockname()[1])
        break
    except OSError:
        pass')
processes=()
for ((rank = 0; rank < ranks; rank++)); do
  case $how in
    torchrun)
      env RANK=$rank WORLD_SIZE="$ranks" LOCAL_RANK=$rank LOCAL_WORLD_SIZE="$ranks" \
        MASTER_ADDR=localhost MASTER_PORT="$port" "$@" & ;;
    slurm)
      env SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS="$ranks" SLURM_STEP_NODELIST="localhost" \
        SLURM_JOB_ID="$port" SLURM_STEP_ID=0 TESSERA_BACKEND="${TESSERA_BACKEND:-tcp}" "$@" & ;;
    numbered) "$1" $rank "$ranks" "${@:2}" & ;;
  esac
  processes+=($!)
done
status=0
for process in "${processes[@]}"; do
  wait "$process"
  code=$?
  ((status)) || status=$code
done
exit $status
