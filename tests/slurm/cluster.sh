#!/bin/bash
# cluster.sh FOLDER HIDDEN: a Slurm cluster of one machine without systemd and control groups: munged, slurmctld, and two slurmd as
# the nodes `one` and `two`. `two` does not see the folder HIDDEN, if there is that.
# Requires: to be process 1 of its own mount, process, UTS and network namespaces (tests/run/slurm.sh); Debian's slurmctld, slurmd,
# slurm-client and munge. It writes FOLDER/up when the cluster answers, and ends when FOLDER/down is there.
set -eu
folder=$1 hidden=${2:-}
mount -t proc proc /proc
for place in /run /etc/munge /etc/slurm /var/log/munge /var/lib/munge /var/log/slurm /var/spool; do
    mkdir -p $place
    mount -t tmpfs tmpfs $place
done
ip link set lo up
# Slurm looks names up with AI_ADDRCONFIG, which does not count 127.0.0.1.
ip addr add 192.0.2.1/32 dev lo
hostname slurmtest
echo "127.0.0.1 localhost slurmtest" >"$folder/hosts"
mount --bind "$folder/hosts" /etc/hosts

mkdir /run/munge
head -c 1024 /dev/urandom >/etc/munge/munge.key
chown -R munge: /etc/munge /var/log/munge /var/lib/munge /run/munge
chmod 700 /etc/munge
chmod 400 /etc/munge/munge.key
chmod 755 /run/munge

mkdir -p /var/spool/slurmctld /var/spool/slurmd.one /var/spool/slurmd.two
cat >/etc/slurm/slurm.conf <<'EOF'
ClusterName=test
SlurmctldHost=slurmtest(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd.%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.%n.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=/var/log/slurm/jobcomp
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
KillWait=8
MpiDefault=none
ReturnToService=0
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,default_queue_depth=1000
MaxArraySize=8
NodeName=one NodeHostname=slurmtest NodeAddr=127.0.0.1 Port=17001 CPUs=1 RealMemory=6000 State=UNKNOWN
NodeName=two NodeHostname=slurmtest NodeAddr=127.0.0.1 Port=17002 CPUs=1 RealMemory=6000 State=UNKNOWN
PartitionName=test Nodes=one,two Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
EOF
setpriv --reuid munge --regid munge --clear-groups munged
slurmctld
slurmd -N one
if [ -n "$hidden" ]; then
    unshare --mount sh -c 'mount -t tmpfs tmpfs "$0" && exec slurmd -N two' "$hidden"
else
    slurmd -N two
fi
for _ in $(seq 100); do
    [ "$(sinfo -h -N -o %t | grep -c idle)" != 2 ] || break
    sleep 0.2
done
sinfo -N >"$folder/up.new"
mv "$folder/up.new" "$folder/up"
while [ ! -e "$folder/down" ]; do sleep 0.2; done
