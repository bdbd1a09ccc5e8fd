// What a program of a source sees of this machine. Linux's bubblewrap runs it in namespaces of its own: it has no
// capability and gains none, sees no other process, writes only into its own folder and those that are named to it, finds
// nothing where Void's data, backups, keys and start folder are, and ends with Void. Its network leads nowhere, or, where
// the source needs it, out of this machine (slirp4netns), but never to what listens on this machine alone.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pickEnv } from '../../../auth/secrets/resolve-secret.ts'
import { isWithin, pathsOf, readMounts, realPath } from './hidden-paths.ts'
import { denySystemCalls } from './system-calls.ts'

export type Program = {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Whether it needs to reach other machines. */
  network: boolean
}

export type Sandbox = {
  /** Why programs, or those that need the network, cannot be run in it here; `null`: they can. Asked of the system until they can. */
  problem(needs: { network: boolean }): Promise<string | null>
  /** The program, to be run in it, in a folder of its own that exists. */
  wrap(program: Program, ownFolder: string): Promise<Pick<Program, 'command' | 'args'>>
}

export type SandboxDeps = {
  dataFolder: string
  /** The folder in which Void was started. */
  startFolder: string
  /** Further files and folders to be hidden. */
  hidden: readonly string[]
  /** More of them, as they are when a program is started. */
  findHidden: () => Promise<readonly string[]>
}

/** Where the programs of sources have their folders. */
export const sourcesFolder = (dataFolder: string = tmpdir()): string => join(dataFolder, 'sources')

const starter = fileURLToPath(new URL('start.sh', import.meta.url))
const codeFolder = resolve(fileURLToPath(new URL('../../../..', import.meta.url)))
const probeMs = 5000

const namespaces = [
  ...[
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-net',
    '--unshare-cgroup-try',
  ],
  ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
]
const bind = (option: string) => (path: string) => [option, path, path]

/**
 * Not `--dev`: with it, and without root, bubblewrap ends in a user namespace within the one that the network belongs to,
 * which slirp4netns then may not enter.
 */
const devices = [
  ...['--tmpfs', '/dev', '--dir', '/dev/shm'],
  ...['null', 'zero', 'full', 'random', 'urandom', 'tty'].flatMap((name) =>
    bind('--dev-bind-try')(`/dev/${name}`),
  ),
  ...['--symlink', '/proc/self/fd', '/dev/fd'],
  ...['stdin', 'stdout', 'stderr'].flatMap((name, n) => ['--symlink', `/proc/self/fd/${n}`, `/dev/${name}`]),
]
/** Devices and processes are its own; what runs has its sockets, keys and locks in /run. */
const system = [
  ...['--ro-bind', '/', '/', ...devices, '--proc', '/proc', '--tmpfs', '/run'],
  // Root may set the kernel's switches without a capability.
  ...['sys', 'irq', 'bus', 'fs', 'acpi', 'mtrr'].flatMap((name) => [
    '--ro-bind-try',
    `/proc/${name}`,
    `/proc/${name}`,
  ]),
  // Where NixOS has its programs.
  ...['--ro-bind-try', '/run/current-system', '/run/current-system'],
]
/** Never writable, whoever names them. */
const systemFolders = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
]

export function createSandbox({ dataFolder, startFolder, hidden, findHidden }: SandboxDeps): Sandbox {
  const folder = join(dataFolder, 'sandbox')
  const filter = join(folder, 'system-calls')
  const nameservers = join(folder, 'resolv.conf')
  const able = { alone: false, online: false }

  return {
    async problem({ network }) {
      if (!(network ? able.online : able.alone)) await probe()
      if (!able.alone) return noSandbox
      return network && !able.online ? noNetwork : null
    },
    wrap,
  }

  async function probe(): Promise<void> {
    const program = { command: 'true', args: [], env: {} }
    if (!prepare()) return
    able.alone = await ends(await wrap({ ...program, network: false }, folder))
    able.online =
      able.alone && existsSync(nameservers) && (await ends(await wrap({ ...program, network: true }, folder)))
  }

  /** Writes what the starter needs; false: there can be no sandbox. */
  function prepare(): boolean {
    const calls = process.platform === 'linux' ? denySystemCalls() : null
    if (!calls) return false
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(filter, calls, { mode: 0o600 })
    const servers = findNameservers()
    rmSync(nameservers, { force: true })
    if (servers.length > 0)
      writeFileSync(nameservers, servers.map((line) => `${line}\n`).join(''), { mode: 0o644 })
    return true
  }

  async function wrap({ command, args, env, network }: Program, given: string) {
    const ownFolder = realPath(given) ?? given
    const start = realPath(startFolder) ?? startFolder
    const mounts = readMounts()
    const emptied = pathsOf(['/tmp', start], mounts).filter((path) => path !== '/')
    const concealed = pathsOf(
      [dataFolder, ...hidden, ...(await findHidden()), ...(start === '/' ? ['/.env'] : [])],
      mounts,
    )
    const named = namedPaths([command, ...args, ...Object.values(env)])
    const isIn = (folders: readonly string[]) => (path: string) =>
      folders.some((folder) => isWithin(path, folder) && path !== folder)
    const shown = named.filter(isIn(emptied))
    const isWritable = (path: string) => isFolder(path) && !isWithin(path, codeFolder)
    const options = [
      ...[...namespaces, ...system],
      ...named.filter((path) => !isIn(emptied)(path) && !isOfSystem(path)).flatMap(bind('--bind')),
      ...bind('--ro-bind')(codeFolder),
      ...emptied.flatMap(hide),
      // A program that is named comes with its modules.
      ...[...shown.map(folderOf), join(start, 'node_modules')]
        .filter(isIn(emptied))
        .flatMap(bind('--ro-bind-try')),
      ...shown.filter(isWritable).flatMap(bind('--bind')),
      ...concealed.flatMap(hide),
      ...(network ? ['--ro-bind', nameservers, realPath('/etc/resolv.conf') ?? '/etc/resolv.conf'] : []),
      ...[...bind('--bind')(ownFolder), '--chdir', ownFolder],
    ]
    return {
      command: '/bin/sh',
      args: [starter, filter, network ? folder : '', ...options, '--', command, ...args],
    }
  }
}

const noSandbox =
  'This machine has no sandbox for programs, which needs Linux with bubblewrap (bwrap) and user namespaces. Without one the program can read and change everything that Void’s account can, Void’s own data, keys and backups included.'

const noNetwork =
  'This machine has no sandbox for programs that use the network, which needs slirp4netns, /dev/net/tun and a nameserver outside of this machine. Without one the program can read and change everything that Void’s account can, Void’s own data, keys and backups included, and reach every service on this machine.'

async function ends({ command, args }: Pick<Program, 'command' | 'args'>): Promise<boolean> {
  const options = { timeout: probeMs, env: pickEnv(/^PATH$/) }
  return await promisify(execFile)(command, args, options).then(
    () => true,
    () => false,
  )
}

const hide = (path: string): string[] =>
  isFolder(path) ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path]

/** The files and folders that exist among these values, also as `--name=/path`. */
function namedPaths(values: readonly string[]): string[] {
  const written = values
    .map((value) => value.replace(/^--?[\w-]+=/, ''))
    .filter((value) => value.startsWith('/'))
  return [...new Set(written.map(realPath).filter((path) => path !== null))]
    .filter((path) => path !== '/')
    .sort()
}

const isOfSystem = (path: string) => systemFolders.some((folder) => isWithin(path, folder))

const isFolder = (path: string) => statSync(path).isDirectory()
const folderOf = (path: string) => (isFolder(path) ? path : dirname(path))

/** The system's that are not on this machine, which the sandbox does not reach. */
function findNameservers(): string[] {
  const lines = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'].map((file) =>
    existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [],
  )
  const servers = (all: readonly string[]) =>
    all.filter((line) => /^nameserver\s+\d/.test(line) && !/^nameserver\s+(127|0)\./.test(line))
  const [own = [], upstream = []] = lines.map(servers)
  return own.length > 0 ? own : upstream
}
