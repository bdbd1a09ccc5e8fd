// What `npm install` brings, and the Node that it brings to a machine with an older one.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const lock: { packages: Record<string, { dev?: boolean; optional?: boolean }> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)

test('what tests, checks and measures need is not installed with Void', () => {
  const dev = Object.keys(manifest.devDependencies)
  const installed = Object.entries(lock.packages).flatMap(([path, { dev: isDev }]) =>
    path && !isDev ? [path.replace(/^.*node_modules\//, '')] : [],
  )

  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^omit=dev$/m)
  expect(dev).toContain('vitest')
  expect(installed).toContain('express')
  expect(installed.filter((name) => dev.includes(name) && !name.startsWith('@types/'))).toEqual([])
})

test('an install leaves the lock file as it is', () => {
  expect(lock.packages['']).toMatchObject({ hasInstallScript: true })
})

test('the frameworks of one measurement are in no lock file but its own', () => {
  const folder = 'tests/tools/bench/frameworks'
  const own = Object.keys(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).dependencies)

  expect(own).toContain('ai')
  const shared = own.filter((name) => name !== 'zod' && lock.packages[`node_modules/${name}`])
  expect(shared).toEqual([])
  expect(existsSync(`${folder}/package-lock.json`)).toBe(true)
})

test('every script that needs the development packages installs them first', () => {
  const scripts: Record<string, string> = manifest.scripts
  const needing = Object.entries(scripts).filter(
    ([name, line]) => !name.startsWith('pre') && /tests\/tools|vitest|tsc|biome/.test(line),
  )

  expect(needing.length).toBeGreaterThan(10)
  expect(needing.filter(([name]) => scripts[`pre${name}`] !== 'node tests/tools/dev-packages.js')).toEqual([])
})

test('the README names the version that the launcher asks for', () => {
  const [, minimum] = /const minimum = (\d+)/.exec(readFileSync('server.js', 'utf8'))!

  expect(manifest.engines.node).toBe(`>=${minimum}`)
  expect(readFileSync('README.md', 'utf8')).toContain(`Node ${minimum} or newer`)
  expect(readFileSync('deploy/bring-node.js', 'utf8')).toMatch(new RegExp(`version = '${minimum}\\.`))
})

const older = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['-p', 'parseInt(process.versions.node)'], { encoding: 'utf8' })
  return stdout !== null && Number(stdout) >= 20 && Number(stdout) < 24
})

describe.runIf(older)('on a machine with an older Node', () => {
  const project = mkdtempSync(join(tmpdir(), 'void-older-'))
  const place = join(project, 'node_modules/.bin/node')
  const launch = () => spawnSync(older!, ['server.js'], { cwd: project, encoding: 'utf8' })
  const own = `node-${process.platform}-${process.arch}`

  beforeAll(() => {
    mkdirSync(join(project, 'deploy'))
    cpSync('server.js', join(project, 'server.js'))
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
    const work = join(project, 'package/bin')
    mkdirSync(work, { recursive: true })
    writeFileSync(join(work, 'node'), '#!/bin/sh\necho brought\n')
    chmodSync(join(work, 'node'), 0o700)
    spawnSync('tar', ['-czf', 'packed.tgz', 'package'], { cwd: project })
    writeFileSync(
      join(project, 'npm.cjs'),
      `const at = process.argv.indexOf('--pack-destination')
       require('fs').copyFileSync(${JSON.stringify(join(project, 'packed.tgz'))}, process.argv[at + 1] + '/packed.tgz')`,
    )
  })
  afterAll(() => rmSync(project, { recursive: true }))

  function bring(hash?: string, npm = 'npm.cjs') {
    const script = readFileSync('deploy/bring-node.js', 'utf8')
    const known = new RegExp(`(name: '${own}',\\s+hash: ')[^']+`)
    expect(script).toMatch(known)
    writeFileSync(join(project, 'deploy/bring-node.js'), hash ? script.replace(known, `$1${hash}`) : script)
    return spawnSync(older!, ['deploy/bring-node.js'], {
      cwd: project,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, npm_execpath: join(project, npm) },
    })
  }

  test('what has another hash is not used, and one line says what to do', () => {
    const { status, stderr } = bring()

    expect(status).toBe(0)
    expect(stderr).toMatch(
      /^Void needs Node 24 or newer; this is 2\d\.\S+, .* has another hash .*Install Node 24\.\n$/,
    )
    expect(readdirSync(join(project, 'node_modules/.bin'))).toEqual([])
    expect(readdirSync(join(project, 'node_modules'))).toEqual(['.bin'])
  })

  test('without a network one line says what to do, at the install and at the start', () => {
    const { status, stderr } = bring(undefined, 'no-such-npm.cjs')
    const started = launch()

    expect(status).toBe(0)
    expect(stderr).toMatch(/^Void needs Node 24 or newer;.*Install Node 24\.\n$/)
    expect(started.status).toBe(1)
    expect(started.stderr).toMatch(/^Void needs Node 24 or newer; .*Run "npm install".*\n$/)
  })

  test('the brought one can be run by every account, and npm start finds it', () => {
    const hash = createHash('sha512')
      .update(readFileSync(join(project, 'packed.tgz')))
      .digest('base64')

    const { status, stderr } = bring(hash)

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(spawnSync(place, { encoding: 'utf8' }).stdout).toBe('brought\n')
    expect(spawnSync('stat', ['-c', '%a', place], { encoding: 'utf8' }).stdout).toBe('755\n')
    expect(readdirSync(join(project, 'node_modules'))).toEqual(['.bin'])
    expect(launch().stderr).toMatch(/^Void needs Node 24 or newer; .*Run it with "npm start".*\n$/)
  })
})

test('a Node that is new enough brings none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'void-newer-'))
  mkdirSync(join(folder, 'deploy'))
  cpSync('deploy/bring-node.js', join(folder, 'deploy/bring-node.mjs'))

  const { status, stderr } = spawnSync(process.execPath, ['deploy/bring-node.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  })

  expect({ status, stderr, brought: existsSync(join(folder, 'node_modules')) }).toEqual({
    status: 0,
    stderr: '',
    brought: false,
  })
  rmSync(folder, { recursive: true })
})
