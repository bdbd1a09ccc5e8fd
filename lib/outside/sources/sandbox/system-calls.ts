// The system calls that a program in the sandbox has to do without, as a program for the kernel's packet filter, which
// bubblewrap hands over: https://docs.kernel.org/userspace-api/seccomp_filter.html. They are what leads out although no
// capability is left: other namespaces, other processes' memory, the kernel's keys, and sockets that belong to no
// network namespace: those of this machine's services that are files, and of its hypervisor.

type Machine = {
  /** AUDIT_ARCH of linux/audit.h. */
  audit: number
  /** Of asm/unistd.h. */
  denied: readonly number[]
  clone: number
  clone3: number
  socket: number
  socketpair: number
}

/** From 424 on, every machine has the same: open_tree to fspick, pidfd_getfd, process_madvise, mount_setattr, io_uring. */
const deniedEverywhere = [428, 429, 430, 431, 432, 433, 438, 440, 442, 425, 426, 427]

/**
 * mount, umount2, pivot_root, setns, unshare, name_to_handle_at, open_by_handle_at, ptrace, process_vm_readv,
 * process_vm_writev, kcmp, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd, syslog.
 */
const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    denied: [165, 166, 155, 308, 272, 303, 304, 101, 310, 311, 312, 250, 248, 249, 321, 298, 323, 103],
    clone: 56,
    clone3: 435,
    socket: 41,
    socketpair: 53,
  },
  arm64: {
    audit: 0xc00000b7,
    denied: [40, 39, 41, 268, 97, 264, 265, 117, 270, 271, 272, 219, 217, 218, 280, 241, 282, 116],
    clone: 220,
    clone3: 435,
    socket: 198,
    socketpair: 199,
  },
}

// linux/filter.h
const load = 0x20
const and = 0x54
const ifEqual = 0x15
const ifAtLeast = 0x35
const ifAnyBit = 0x45
const answer = 0x06

// struct seccomp_data
const callNumber = 0
const architecture = 4
const firstArgument = 16
const secondArgument = 24

const allow = 0x7fff0000
const kill = 0x80000000
const fail = (errno: number) => 0x00050000 | errno
const notPermitted = fail(1)
const notImplemented = fail(38)
const noSuchFamily = fail(97)

/** CLONE_NEWTIME excepted, which is none of clone's: mount, cgroup, uts, ipc, user, pid, net. */
const newNamespaces = 0x7e020000
/** Of another way of calling on x64, with numbers of its own. */
const x32 = 0x40000000
const [unix, inet, netlink, inet6] = [1, 2, 16, 10]
const [stream, seqpacket] = [1, 5]

type Step = [code: number, k: number, ifTrue?: number, ifFalse?: number]

/** The filter, for this machine or another one; `null`: of this kind of processor no numbers are known. */
export function denySystemCalls(arch: string = process.arch): Buffer | null {
  const machine = machines[arch]
  return machine ? toBytes(stepsOf(machine)) : null
}

function stepsOf({ audit, denied, clone, clone3, socket, socketpair }: Machine): Step[] {
  return [
    [load, architecture],
    [ifEqual, audit, 1, 0],
    [answer, kill],
    [load, callNumber],
    [ifAtLeast, x32, 0, 1],
    [answer, notImplemented],
    ...[...denied, ...deniedEverywhere].flatMap((number): Step[] => [
      [ifEqual, number, 0, 1],
      [answer, notPermitted],
    ]),
    // Its flags are behind a pointer, which a filter cannot follow. libc then uses clone.
    [ifEqual, clone3, 0, 1],
    [answer, notImplemented],
    ...when(clone, [
      [load, firstArgument],
      [ifAnyBit, newNamespaces, 0, 1],
      [answer, notPermitted],
      [answer, allow],
    ]),
    ...when(socket, [[load, firstArgument], ...onlyIf([inet, inet6, netlink])]),
    // A pair of datagram sockets could send to others by their names.
    ...when(socketpair, [
      [load, firstArgument],
      [ifEqual, unix, 1, 0],
      [answer, noSuchFamily],
      [load, secondArgument],
      [and, 0xf],
      ...onlyIf([stream, seqpacket]),
    ]),
    [answer, allow],
  ]
}

/** The steps, passed by for every other call. */
const when = (number: number, steps: readonly Step[]): Step[] => [
  [ifEqual, number, 0, steps.length],
  ...steps,
]

const onlyIf = (values: readonly number[]): Step[] => [
  ...values.flatMap((value): Step[] => [
    [ifEqual, value, 0, 1],
    [answer, allow],
  ]),
  [answer, noSuchFamily],
]

function toBytes(steps: readonly Step[]): Buffer {
  const bytes = Buffer.alloc(steps.length * 8)
  for (const [at, [code, k, ifTrue = 0, ifFalse = 0]] of steps.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(ifTrue, at * 8 + 2)
    bytes.writeUInt8(ifFalse, at * 8 + 3)
    bytes.writeUInt32LE(k, at * 8 + 4)
  }
  return bytes
}
