import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../../lib/server/config.ts'
import { stopLimits } from '../../../lib/server/stop.ts'

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')
const names = variables.toSorted()

test('the example of an environment names every setting and no other', () => {
  const named = [...read('void.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1])

  expect(named.filter((name) => name !== 'POSTGRES_PASSWORD').sort()).toEqual(names)
})

test('compose.yaml starts Void after a Postgres that answers, with settings that exist', () => {
  const compose = parse(read('compose.yaml'))

  expect(names).toEqual(expect.arrayContaining(Object.keys(compose.services.void.environment)))
  expect(compose.services.void.depends_on.postgres.condition).toBe('service_healthy')
  expect(compose.services.void.ports).toEqual(['127.0.0.1:3000:3000'])
  expect(compose.services.postgres.healthcheck.test).toContain('--host=127.0.0.1')
  expect(compose.services.postgres.ports).toBeUndefined()
  for (const service of ['void', 'postgres']) {
    const volume = compose.services[service].volumes[0].split(':')[0]
    expect(Object.keys(compose.volumes)).toContain(volume)
  }
})

test('images of others are named by their digest, one and the same in each stage', () => {
  const pinned = /^\S+:\S+@sha256:[0-9a-f]{64}$/
  const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)

  expect(bases).toHaveLength(2)
  expect(new Set(bases).size).toBe(1)
  expect(bases[0]).toMatch(pinned)
  expect(parse(read('compose.yaml')).services.postgres.image).toMatch(pinned)
})

test('both services of compose.yaml have limits, no capability but those that they need, and start again by themselves', () => {
  const { services } = parse(read('compose.yaml'))

  for (const service of [services.void, services.postgres]) {
    expect(service).toMatchObject({
      restart: 'unless-stopped',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+g$/),
      pids_limit: expect.any(Number),
    })
  }
  expect(services.void.cap_add).toBeUndefined()
})

test('the unit starts again for ever, each time later, within a limit of memory', () => {
  const unit = read('void.service').split('\n')

  expect(unit).toEqual(
    expect.arrayContaining([
      'StartLimitIntervalSec=0',
      'Restart=on-failure',
      'RestartSteps=6',
      'RestartMaxDelaySec=2min',
      'MemoryMax=2G',
      'TasksMax=256',
    ]),
  )
})

test('the image runs as an ordinary user and sets only settings that exist', () => {
  const dockerfile = read('Dockerfile')

  expect(dockerfile).toMatch(/^USER node$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  const set = [...(dockerfile.match(/^ENV (.*)$/m)?.[1] ?? '').matchAll(/([A-Z_]+)=/g)].map(
    (match) => match[1],
  )
  expect(['NODE_ENV', ...names]).toEqual(expect.arrayContaining(set))
})

test('the image gets every folder that the server reads', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap((match) =>
    match[1]!.split(' '),
  )
  const ignored = readFileSync('.dockerignore', 'utf8')

  expect(copied).toEqual(expect.arrayContaining(['server.js', 'package.json', 'lib', 'public', 'docs']))
  for (const path of copied.filter((one) => one !== 'deploy/'))
    expect(ignored.split('\n')).toContain(`!${path}`)
})

test('the unit lets the server write where the example of an environment has it write', () => {
  const writable = [...read('void.service').matchAll(/^ReadWritePaths=-?(.*)$/gm)].map(([, path]) => path)
  const [, backups] = /^#BACKUP_DIR=(.*)$/m.exec(read('void.env.example'))!

  expect([...writable, '/var/lib/void']).toContain(backups)
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(`install -d -o void -g void -m 700 ${backups}\n`)
})

test('the unit keeps its walls', () => {
  const unit = read('void.service').split('\n')

  expect(unit).toEqual(
    expect.arrayContaining([
      'User=void',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'PrivateDevices=yes',
      'CapabilityBoundingSet=',
      'StateDirectory=void',
      'StateDirectoryMode=0700',
      'SystemCallFilter=@system-service',
      'Restart=on-failure',
    ]),
  )
})

test.each([
  ['void.service', /^TimeoutStopSec=(\d+)s$/m],
  ['compose.yaml', /^ {4}stop_grace_period: (\d+)s$/m],
])('%s waits longer for the end than the server takes', (file, pattern) => {
  const longestMs = Object.values(stopLimits).reduce((sum, ms) => sum + ms, 0)

  expect(Number(read(file).match(pattern)?.[1]) * 1000).toBeGreaterThan(longestMs)
})

test.each(['nginx.conf', 'Caddyfile'])('%s keeps browsers on HTTPS for a year', (file) => {
  const [, seconds] = /Strict-Transport-Security "max-age=(\d+)"/.exec(read(file)) ?? []

  expect(Number(seconds)).toBeGreaterThanOrEqual(365 * 24 * 3600)
})

test.each(['nginx.conf', 'Caddyfile'])('%s holds no stream back', (file) => {
  expect(read(file)).toMatch(/proxy_buffering off;|flush_interval -1/)
})

test.each(readdirSync('deploy').filter((file) => /\.sh$/.test(file)))(
  '%s stops at the first failure',
  (file) => {
    if (file === 'settings.sh') expect(read(file)).toMatch(/^# shellcheck shell=bash/)
    else expect(read(file)).toMatch(/^#!\/usr\/bin\/env bash\n[\s\S]*\nset -euo pipefail\n/)
  },
)
