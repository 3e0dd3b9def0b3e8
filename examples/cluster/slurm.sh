#!/bin/bash
#SBATCH --job-name=playout
#SBATCH --nodes=8
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=64
#SBATCH --time=12:00:00

# A search on whole nodes of a SLURM cluster:  sbatch slurm.sh
#
# One task a node: the first starts the head, the others join it, and when all are there the command
# runs once, on the first. Submitted again, it goes on from the checkpoint. At the end `ray stop` ends
# all of your Ray processes on these nodes, so take whole nodes only.
# Checked with bash -n; not run on a SLURM system.

set -euo pipefail
source .venv/bin/activate                                               # pip install "playout[cluster]"
export RAY_AUTH_MODE=token RAY_AUTH_TOKEN_PATH="$HOME/.ray/auth_token"  # ray get-auth-token --generate
export PLAYOUT_CACHE="${TMPDIR:-/tmp}/playout-cache-$USER"              # each node's own
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)

srun --kill-on-bad-exit=0 ray symmetric-run \
    --address "$head:6379" --min-nodes "$SLURM_JOB_NUM_NODES" --num-cpus "$SLURM_CPUS_PER_TASK" -- \
    playout solve samegame boards.txt#1 -a gnrpa -o level=5 --seconds 11h \
        --cluster auto --workers 512 --checkpoint run.ckpt --save result.json
