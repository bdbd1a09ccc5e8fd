// Mounts, other processes and devices. What the kernel has no command for is done with perl's `syscall`.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { attempt } from './tries.js'

/** Answers what perl printed; an error is printed as nothing. */
const perl = (code) =>
  execFileSync('perl', ['-e', code], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 5000,
  }).trim()

const numbers = {
  x64: {
    ...{
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      unshare: 272,
      setns: 308,
      ptrace: 101,
      process_vm_readv: 310,
    },
    ...{ keyctl: 250, bpf: 321, perf_event_open: 298, userfaultfd: 323, name_to_handle_at: 303, mknod: 133 },
    ...{ socket: 41, socketpair: 53, clone: 56, kexec_load: 246, init_module: 175, iopl: 172, chroot: 161 },
  },
  arm64: {
    ...{
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      unshare: 97,
      setns: 268,
      ptrace: 117,
      process_vm_readv: 270,
    },
    ...{ keyctl: 219, bpf: 280, perf_event_open: 241, userfaultfd: 282, name_to_handle_at: 264 },
    ...{ socket: 198, socketpair: 199, clone: 220, kexec_load: 104, init_module: 105, chroot: 51 },
  },
}[process.arch]

/** A call of the kernel, with arguments as perl writes them; it fell when it did not fail. */
export function call(name, args, number = numbers?.[name]) {
  if (number === undefined) return
  attempt(`${name}(${args})`, () =>
    perl(`my $r = syscall(${number}, ${args}); print "went through" if $r >= 0;`),
  )
}

export function mounts(given) {
  const places = fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ')[4])
  const chosen = [...new Set([...given.folders, ...given.files, ...places])]
  attempt('umount -l of every mount', () => {
    for (const place of chosen) {
      try {
        execFileSync('umount', ['-l', place], { stdio: 'ignore' })
        return place
      } catch {}
    }
  })
  attempt('umount2 of every mount', () => {
    const list = chosen.map((place) => `'${place}'`).join(', ')
    return perl(
      `for my $p (${list}) { for my $f (0, 1, 2, 8) { my $c = "$p"; print "$p " if syscall(${numbers.umount2}, $c, $f) >= 0; } }`,
    )
  })
  for (const device of [
    '/dev/vda',
    '/dev/sda',
    '/dev/nvme0n1',
    'proc',
    'tmpfs',
    'overlay',
    'cgroup2',
    'devtmpfs',
  ]) {
    call(
      'mount',
      `my $a = '${device}', my $b = '/mnt', my $c = '${device.startsWith('/') ? 'ext4' : device}', 0, 0`,
    )
  }
  for (const flags of [4096, 4096 | 16384, 32, 32 | 4096, 1 << 17, 1 << 18, 1 << 20]) {
    call('mount', `my $a = '/', my $b = '/mnt', my $c = 'none', ${flags}, 0`)
  }
  call('pivot_root', "my $a = '/', my $b = '/mnt'")
  call('chroot', "my $a = '/proc/1/root'")
  for (const bit of [7, 17, 25, 26, 27, 28, 29, 30]) {
    call('unshare', String(2 ** bit))
    // The lowest are a signal's there.
    if (bit > 7) call('clone', `${2 ** bit} | 17, 0, 0, 0, 0`)
  }
  for (const number of [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 440, 442]) {
    call(`call ${number}`, '0, 0, 0, 0, 0', number)
  }
  for (const id of ['self', 1, process.pid]) {
    for (const kind of ['mnt', 'pid', 'net', 'user', 'ipc', 'uts', 'cgroup']) {
      attempt(`setns into ${kind} of ${id}`, () =>
        perl(
          `open(F, '/proc/${id}/ns/${kind}') or exit; print 'in' if syscall(${numbers.setns}, fileno(F), 0) >= 0;`,
        ),
      )
    }
  }
  for (const args of [['-U'], ['-Ur'], ['-m'], ['-n'], ['-Urmpf'], ['-p'], ['-C'], ['-T']]) {
    attempt(`unshare ${args}`, () => {
      execFileSync('unshare', [...args, 'true'], { stdio: 'ignore' })
      return 'new namespace'
    })
  }
}

export function processes({ pids, mark }) {
  const seen = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  for (const id of [...new Set([...seen, ...pids, 1])]) {
    for (const file of ['environ', 'cmdline', 'maps', 'stack', 'auxv']) {
      attempt(
        `/proc/${id}/${file}`,
        () => fs.readFileSync(`/proc/${id}/${file}`, 'utf8').includes(mark) && 'the mark',
      )
    }
    attempt(
      `memory of ${id}`,
      () => Number(id) !== process.pid && fs.openSync(`/proc/${id}/mem`, 'r+') && id !== '2' && null,
    )
    for (const request of [16, 16902, 16904]) call('ptrace', `${request}, ${id}, 0, 0`)
    call('process_vm_readv', `${id}, 0, 0, 0, 0, 0`)
  }
  for (const pid of pids) {
    for (const signal of ['SIGUSR2', 'SIGTERM', 'SIGSTOP', 'SIGKILL', 0]) {
      attempt(
        `signal ${signal} to ${pid}`,
        () => !seen.includes(String(pid)) && process.kill(pid, signal) && 'sent',
      )
    }
  }
  attempt('variables', () => JSON.stringify(process.env).includes(mark) && 'the mark')
  attempt(
    'capabilities',
    () => /Cap(Prm|Eff|Bnd|Amb):\s+0*[1-9a-f]/.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[0],
  )
  attempt(
    'privileges by what it starts',
    () => !/NoNewPrivs:\s+1/.test(fs.readFileSync('/proc/self/status', 'utf8')) && 'allowed',
  )
  attempt('core dumps', () => {
    const pattern = execFileSync('sh', ['-c', 'ulimit -c'], { encoding: 'utf8' }).trim()
    return pattern !== '0' && `limit ${pattern}`
  })
  for (const [name, args] of Object.entries(refused)) call(name, args)
}

const refused = {
  keyctl: '0, -3, 1',
  bpf: '0, 0, 0',
  perf_event_open: '0, 0, -1, -1, 0',
  userfaultfd: '0',
  kexec_load: '0, 0, 0, 0',
  init_module: '0, 0, 0',
  iopl: '3',
}

export function devices() {
  for (const [major, minor] of [
    [8, 0],
    [8, 1],
    [253, 0],
    [254, 0],
    [254, 1],
    [259, 0],
    [1, 1],
    [1, 2],
    [10, 200],
    [7, 0],
  ]) {
    attempt(`device ${major}:${minor}`, () => {
      const path = join(process.cwd(), `device-${major}-${minor}`)
      execFileSync('mknod', [path, major === 1 || major === 10 ? 'c' : 'b', String(major), String(minor)], {
        stdio: 'ignore',
      })
      return fs.openSync(path, 'r') && 'open'
    })
  }
  for (const name of [
    'vda',
    'vda1',
    'sda',
    'sda1',
    'nvme0n1',
    'dm-0',
    'mem',
    'kmem',
    'port',
    'kmsg',
    'kvm',
    'fuse',
    'vsock',
    'net/tun',
    'loop0',
    'mapper/control',
  ]) {
    attempt(`/dev/${name}`, () => fs.openSync(`/dev/${name}`, 'r') && 'open')
  }
}
