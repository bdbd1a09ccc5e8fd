import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeTarget, type FakeTarget } from './fake-target.ts'

let target: FakeTarget

beforeEach(async () => {
  target = await createFakeTarget()
  target.commit('1.0.0')
})

afterEach(() => target.remove())

const releases = () => readdirSync(join(target.root, 'releases'))

/** A release that is not well is found out at the first look. */
const atOnce = { HEALTH_SECONDS: '0' }

test('a release is installed, migrated and put into service', async () => {
  const { code, said } = target.push()

  expect(said).toMatch(/is in service\n$/)
  expect(code).toBe(0)
  expect(await target.version()).toBe('1.0.0')
  expect(existsSync(join(target.root, 'current/installed'))).toBe(true)
})

test('a release that is not well is rolled back', async () => {
  target.push()
  target.commit('1.1.0', { status: 'degraded' })

  const { code, said } = target.push(atOnce)

  expect(said).toContain('says that it is degraded')
  expect(said).toMatch(/Rolled back: .* is in service again\.\n$/)
  expect(code).toBe(1)
  expect(await target.version()).toBe('1.0.0')
})

test('a release that takes a moment to be well is waited for', async () => {
  target.commit('1.1.0', { status: ['starting', 'starting', 'ok'] })

  const { code } = target.push()

  expect(code).toBe(0)
  expect(await target.version()).toBe('1.1.0')
})

test('a release that does not start is rolled back', async () => {
  target.push()
  target.commit('1.1.0', { files: { 'server.js': 'process.exit(1)' } })

  const { code } = target.push(atOnce)

  expect(code).toBe(1)
  expect(await target.version()).toBe('1.0.0')
})

test('a first release that is not well leaves nothing in service', async () => {
  target.commit('1.0.1', { status: 'degraded' })

  const { code } = target.push(atOnce)

  expect(code).toBe(1)
  expect(await target.version()).toBe(null)
  expect(existsSync(join(target.root, 'current'))).toBe(false)
})

test('a restart that left the old process running does not pass for the new release', async () => {
  target.push()
  target.commit('1.1.0')

  const { code, said } = target.push({ ...atOnce, RESTART: 'true', STOP: 'true' })

  expect(said).toContain('is version 1.0.0, not 1.1.0')
  expect(code).toBe(1)
})

test.each([
  ['install', { INSTALL: 'false' }, {}],
  ['migrate', {}, { 'broken-migration': '' }],
])(
  'a release that fails to %s leaves the old one in service and nothing behind',
  async (_step, settings, files) => {
    target.push()
    target.commit('1.1.0', { files })

    const { code, said } = target.push(settings)

    expect(said).toContain('Giving up before the switch')
    expect(code).toBe(1)
    expect(await target.version()).toBe('1.0.0')
    expect(releases()).toHaveLength(1)
  },
)

test('new migrations are preceded by a backup, and only they', async () => {
  target.push()
  target.commit('1.1.0')
  target.push()
  expect(existsSync(join(target.root, 'backups'))).toBe(false)
  target.commit('1.2.0', { files: { 'lib/db/migrations/002_more.sql': 'select 1' } })

  const { code, said } = target.push()

  expect([code, said]).toEqual([0, expect.any(String)])
  expect(readdirSync(join(target.root, 'backups'))).toEqual([expect.stringMatching(/\.tar\.gz$/)])
})

test('the last releases are kept', async () => {
  const versions = ['1.0.0', '1.1.0', '1.2.0']
  for (const version of versions.slice(1)) {
    target.push({ KEEP: '2' })
    target.commit(version)
  }

  target.push({ KEEP: '2' })

  expect(await target.version()).toBe('1.2.0')
  expect(releases()).toHaveLength(2)
})
