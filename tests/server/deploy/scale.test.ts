// The files of deploy/ for many servers: what they name exists, and Caddy does with them what docs/scale.md says.

import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../../lib/server/config.ts'
import { freePort } from '../../helpers/clusters.ts'
import { databaseEnv } from '../../helpers/direct-url.ts'
import { text as says, startFakeAnthropic } from '../../helpers/fake-anthropic.ts'
import { deployed, missing, startCaddy } from '../../helpers/proxies.ts'
import { startVoidProcess } from '../../helpers/void-process.ts'
import { makeCrashDatabase } from '../../tools/crash/crash-database.ts'

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')
const { services, volumes } = parse(read('compose.scale.yaml'), { merge: true })
const servers = Object.keys(services).filter((name) => name.startsWith('void-'))

test('three servers share everything but their folders, with settings that exist', () => {
  expect(servers).toHaveLength(3)
  const [first, ...others] = servers.map((name) => services[name])

  expect(variables).toEqual(expect.arrayContaining(Object.keys(first.environment)))
  for (const other of others) expect({ ...other, volumes: [] }).toEqual({ ...first, volumes: [] })
  const folders = servers.map((name) => services[name].volumes[0].split(':')[0])
  expect(new Set(folders).size).toBe(3)
  expect(Object.keys(volumes)).toEqual(expect.arrayContaining(folders))
  // Each would make its own.
  expect(Object.keys(first.environment)).toEqual(
    expect.arrayContaining(['OWNER_TOKEN', 'SECRETS_KEY', 'TRUST_PROXY']),
  )
})

test('each address in the settings is that of a service, and statements go through the pooler', () => {
  const { environment } = services['void-1']
  const hostOf = (name: string) => /@([\w-]+):(\d+)\//.exec(environment[name])?.slice(1)

  expect(hostOf('DATABASE_URL')).toEqual([
    'pgbouncer',
    /^listen_port = (\d+)$/m.exec(read('pgbouncer.ini'))![1],
  ])
  expect(hostOf('DATABASE_DIRECT_URL')).toEqual(['postgres', '5432'])
  expect(Object.keys(services)).toEqual(expect.arrayContaining(['pgbouncer', 'postgres', 'caddy']))
  expect(read('pgbouncer.ini')).toMatch(/^pool_mode = transaction$/m)
})

test('the proxy knows every server, and asks whether it is ready', () => {
  const line = /reverse_proxy (.*) \{/.exec(read('Caddyfile.scale'))![1]!

  expect(line.split(' ').sort()).toEqual(servers.map((name) => `${name}:3000`).sort())
  expect(read('Caddyfile.scale')).toMatch(/health_uri \/ready/)
})

test('every service has limits and no privilege, and images of others are named by digest', () => {
  for (const service of Object.values<Record<string, unknown>>(services)) {
    expect(service).toMatchObject({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
  }
  const base = /^FROM (\S+)/m.exec(read('Dockerfile'))![1]
  const bases = [...read('Dockerfile.scale').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)
  expect(bases).toEqual([base, base])
  const single = parse(read('compose.yaml')).services.postgres.image
  expect(services.postgres.image).toBe(single)
  expect(services['void-1'].stop_grace_period).toBe(
    parse(read('compose.yaml')).services.void.stop_grace_period,
  )
})

describe.skipIf(missing.caddy)(`behind Caddy${missing.caddy}`, () => {
  const ends: (() => unknown)[] = []

  afterAll(async () => {
    for (const end of ends) await end()
  })

  /** Starts Caddy before servers on these ports; its own address. */
  async function startBefore(ports: readonly string[]): Promise<string> {
    const port = await freePort()
    const changes = servers.map((name, at) => [`${name}:3000`, `127.0.0.1:${ports[at]}`] as const)
    await startCaddy(
      deployed('Caddyfile.scale', [...changes, [':8080 {', `http://127.0.0.1:${port} {`]]),
      port,
    )
    return `http://127.0.0.1:${port}`
  }

  /** What stands for a server: it says its name, and whether it is ready. */
  async function startBackend(name: string) {
    const state = { ready: true, asked: 0 }
    const server: Server = createServer((req, res) => {
      const isReady = req.url !== '/ready' || state.ready
      if (req.url !== '/ready') state.asked += 1
      res.writeHead(isReady ? 200 : 503).end(name)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const stop = () => {
      server.closeAllConnections()
      server.close()
    }
    ends.push(stop)
    return { state, stop, port: (server.address() as AddressInfo).port }
  }

  test('a server that drains gets no more requests, one that died is passed over, and nobody notices', async () => {
    const backends = await Promise.all(servers.map(startBackend))
    const url = await startBefore(backends.map(({ port }) => String(port)))
    const ask = async () => {
      const answer = await fetch(`${url}/`)
      return { status: answer.status, by: await answer.text() }
    }
    await expect
      .poll(() =>
        ask().then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200)
    /** Which servers answer a number of requests, all of which are answered. */
    const answering = async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, ask))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      return [...new Set(answers.map(({ by }) => by))].sort()
    }
    await expect.poll(answering).toEqual(servers)

    backends[0]!.state.ready = false
    await expect.poll(answering).toEqual(servers.slice(1))
    expect(await answering()).not.toContain(servers[0])

    backends[1]!.stop()
    expect(await answering()).toEqual([servers[2]])

    backends[0]!.state.ready = true
    await expect.poll(answering).toEqual([servers[0], servers[2]])
  })

  test.runIf(inject('postgresTemplate'))(
    'three servers on one Postgres are one: streams, writes, a server that stops and one that dies',
    async () => {
      const { url: databaseUrl = '', drop } = await makeCrashDatabase()
      const said = Promise.withResolvers<void>()
      const model = await startFakeAnthropic([
        async () => {
          await said.promise
          return says('From one of three.')
        },
      ])
      const data = mkdtempSync(join(tmpdir(), 'void-scale-'))
      const token = 'owner_of-the-scale-test-0123456789'
      const secretsKey = randomBytes(32).toString('base64')
      const voids = await Promise.all(
        servers.map((name) =>
          startVoidProcess({
            DATA_DIR: join(data, name),
            OWNER_TOKEN: token,
            SECRETS_KEY: secretsKey,
            TRUST_PROXY: '1',
            ANTHROPIC_BASE_URL: model.url,
            ANTHROPIC_API_KEY: 'scale',
            ROUTER_MODEL: 'none',
            ...databaseEnv(databaseUrl),
          }),
        ),
      )
      const url = await startBefore(voids.map((one) => new URL(one.url).port))
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const call = (path: string, body?: unknown) =>
        fetch(`${url}${path}`, {
          headers: { ...headers, 'accept-encoding': 'gzip' },
          ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        })
      const { id: space } = (await (await call('/api/spaces', { name: 'Shared' })).json()) as { id: string }
      const collect = (response: Response) => {
        const printed = { text: '' }
        const read = async () => {
          for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) printed.text += chunk
        }
        void read().catch(() => {})
        return printed
      }

      // As many streams as servers, each at another one.
      const streams = await Promise.all(servers.map(() => call('/api/events')))
      const heard = streams.map(collect)
      const turn = collect(await call(`/api/spaces/${space}/companion/turn`, { text: 'Who is there?' }))
      await expect.poll(() => turn.text).toMatch(/^event: /m)
      expect(turn.text).not.toContain('From one of three.')
      await call(`/api/spaces/${space}/pages`, { title: 'For all' })
      for (const one of heard) await expect.poll(() => one.text).toContain(space)
      said.resolve()
      await expect.poll(() => turn.text).toContain('event: done')

      const isAnswered = async () => {
        const answers = await Promise.all(
          Array.from({ length: 12 }, () => call(`/api/spaces/${space}/pages`)),
        )
        return answers.map(({ status }) => status).filter((status) => status !== 200)
      }
      voids[0]!.terminate()
      await voids[0]!.gone
      expect(await isAnswered()).toEqual([])
      voids[1]!.kill()
      await voids[1]!.gone
      expect(await isAnswered()).toEqual([])
      expect((await call(`/api/spaces/${space}/pages`, { title: 'By the last' })).status).toBe(201)

      voids[2]!.terminate()
      await voids[2]!.gone
      await model.close()
      await drop()
      rmSync(data, { recursive: true, force: true })
    },
  )
})
