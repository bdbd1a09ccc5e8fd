// A source's program in its sandbox, which tries to read, reach and change what is not its own.

import { createSocket } from 'node:dgram'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SourceRow } from '../../../../lib/db/repos/sources.ts'
import { createTextThreads } from '../../../../lib/jobs/workers/text-threads.ts'
import { createConnections } from '../../../../lib/outside/sources/connections.ts'
import { createSandbox } from '../../../../lib/outside/sources/sandbox/sandbox.ts'
import type { Surface } from '../surface.ts'

const mark = 'mark-of-the-sandbox-4711'
const inside = fileURLToPath(new URL('../inside-sandbox/main.js', import.meta.url))

export const surface: Surface = {
  name: 'sandbox of sources',
  attack: async ({ tried, fell }) => {
    const world = await makeWorld()
    process.env.VOID_ATTACK_MARK = mark
    try {
      for (const network of [false, true]) {
        const report = await attackFromInside(world, network)
        tried(report.tried)
        const where = network ? 'with network' : 'without network'
        for (const fall of report.falls) fell(`${where}: ${fall}`)
        if (report.own !== 'own') fell(`${where}: it could not read its own file`)
        for (const change of world.changes()) fell(`${where}: ${change}`)
      }
    } finally {
      delete process.env.VOID_ATTACK_MARK
      world.close()
    }
  },
}

type World = Awaited<ReturnType<typeof makeWorld>>

async function attackFromInside(world: World, network: boolean) {
  const { sandbox, dataFolder, given } = world
  const problem = await sandbox.problem({ network })
  if (problem) throw new Error(`${problem} (apt-get install bubblewrap slirp4netns)`)
  const secrets = { resolve: async (spec: string) => spec, current: (spec: string | null) => spec }
  const connections = createConnections({
    secrets,
    threads: createTextThreads(),
    sandbox,
    dataFolder,
    version: '0',
  })
  const id = network ? 'with-network' : 'alone'
  const folder = join(dataFolder, 'sources', id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'own'), 'own')
  const source = {
    ...{
      id,
      name: id,
      transport: 'stdio',
      command: process.execPath,
      args: [inside],
      env: {},
      url: null,
      headers: {},
    },
    ...{ network, unconfined: false },
  } as unknown as SourceRow
  try {
    const { content } = await connections.use(source, ({ client }) =>
      client.callTool({ name: 'attack', arguments: given }, { timeout: 60_000 }),
    )
    return JSON.parse(Reflect.get(Object(content[0]), 'text')) as {
      tried: number
      falls: string[]
      own: string
    }
  } finally {
    await connections.close()
  }
}

/** A Void's files, and services of this machine. */
async function makeWorld() {
  const root = mkdtempSync(join(tmpdir(), 'void-attack-sandbox-'))
  const file = (...path: string[]) => {
    const whole = join(root, ...path)
    mkdirSync(join(whole, '..'), { recursive: true })
    writeFileSync(whole, `${mark}\n`)
    return whole
  }
  const data = file('data', 'owner-token')
  symlinkSync(join(root, 'data'), join(root, 'linked'))
  const files = [
    ...[
      data,
      file('data', 'secrets-key'),
      file('data', 'store', 'base', '1'),
      file('data', 'sources', 'other', 'note'),
    ],
    ...[
      file('backups', 'void-1.tar.gz'),
      file('keys', 'anthropic'),
      file('keys', 'mail'),
      file('keys', 'master'),
    ],
    ...[
      file('start', '.env'),
      file('start', 'void.env'),
      file('start', '.git', 'config'),
      join(root, 'linked', 'owner-token'),
    ],
  ]
  const sandbox = createSandbox({
    dataFolder: join(root, 'linked'),
    startFolder: join(root, 'start'),
    hidden: [join(root, 'backups'), join(root, 'keys', 'anthropic'), join(root, 'keys', 'master')],
    findHidden: async () => [join(root, 'keys', 'mail')],
  })
  const before = files.map((path) => readFileSync(path, 'utf8')).join()
  const folders = ['data', 'data/store', 'data/sources/other', 'backups', 'start', 'linked'].map((path) =>
    join(root, path),
  )
  const names = () => JSON.stringify(folders.map((folder) => readdirSync(folder).toSorted()))
  mkdirSync(join(root, 'data', 'sources', 'alone'))
  mkdirSync(join(root, 'data', 'sources', 'with-network'))
  await sandbox.problem({ network: true })
  const namesBefore = names()
  const services = await startServices(root)
  return {
    sandbox,
    dataFolder: join(root, 'linked'),
    given: {
      ...{ files, folders, mark, pids: [process.pid, process.ppid], ...services.reachable },
      names: ['owner-token', 'secrets-key', 'base', 'note', 'void-1.tar.gz', 'void.env', '.git'],
      elsewhere: persistent,
      addresses: Object.values(networkInterfaces()).flatMap((all) =>
        (all ?? []).map(({ address }) => address),
      ),
    },
    changes() {
      const isChanged =
        names() !== namesBefore || files.map((path) => readFileSync(path, 'utf8')).join() !== before
      return isChanged ? ['a file of Void was changed'] : []
    },
    close() {
      services.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** What other programs read or run later. */
const persistent = [
  ...[
    '/etc/passwd',
    '/etc/shadow',
    '/etc/crontab',
    '/etc/profile',
    '/etc/ld.so.preload',
    '/etc/hosts',
    '/root/.bashrc',
  ],
  ...[
    '/root/.profile',
    '/usr/bin/env',
    '/bin/sh',
    process.execPath,
    inside,
    '/var/lib/dpkg/status',
    '/etc/sudoers',
  ],
  ...[
    '/proc/sys/kernel/core_pattern',
    '/proc/sys/kernel/modprobe',
    '/proc/sysrq-trigger',
    '/sys/kernel/uevent_helper',
  ],
  ...['/proc/sys/vm/overcommit_memory', '/sys/power/state', '/sys/kernel/mm/ksm/run'],
]

async function startServices(root: string) {
  const servers: Server[] = []
  const listen = (where: object) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.end('void')
    })
    servers.push(server)
    return new Promise<number>((resolve) => {
      server.on('error', () => resolve(0))
      server.listen(where, () => resolve(Number(Reflect.get(Object(server.address()), 'port') ?? 0)))
    })
  }
  const ports = [await listen({ host: '127.0.0.1', port: 0 }), await listen({ host: '::1', port: 0 })]
  const abstract = `void-attack-${process.pid}`
  const unix = [
    join(root, 'socket'),
    join('/run', `${abstract}.socket`),
    join(tmpdir(), `${abstract}.socket`),
  ]
  for (const path of [...unix, `\0${abstract}`]) await listen({ path })
  const udp = createSocket('udp4', (_bytes, { address, port }) => udp.send('void', port, address))
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  return {
    reachable: { ports: ports.filter(Boolean), udpPort: udp.address().port, unix, abstract: [abstract] },
    close() {
      for (const server of servers) server.close()
      udp.close()
    },
  }
}
