// The launcher: checks the Node version in syntax that old versions can still parse, then hands over.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const minimum = 24
const major = Number(process.versions.node.split('.')[0])

if (major < minimum) {
  const brought = existsSync(new URL('./node_modules/.bin/node', import.meta.url))
  const advice = brought
    ? 'Run it with "npm start", which uses the Node that "npm install" brought'
    : 'Run "npm install", which brings one'
  const message = `Void needs Node ${minimum} or newer; this is ${process.versions.node} (${process.execPath}). ${advice}, or install Node ${minimum}.`
  const json = process.env.LOG_FORMAT === 'json'
  console.error(json ? JSON.stringify({ level: 60, time: Date.now(), msg: message }) : message)
  process.exit(1)
}

// Settings that a process takes only before it begins, which save a quarter of an idle server's memory: glibc keeps up to
// 64 MB of what each thread frees unless told to return it, and V8 lets the young objects of each thread grow to two halves
// of 32 MB; with 16 MB a busy server still collects them seldom. It takes a thirtieth of a second, and the process keeps its
// id, files and signals.
const canRestart = process.platform === 'linux' && process.execve && !process.connected
if (canRestart && !process.env.MALLOC_TRIM_THRESHOLD_) {
  const options = ['--max-semi-space-size=16', ...process.execArgv]
  const env = { ...process.env, MALLOC_TRIM_THRESHOLD_: '131072' }
  process.execve(process.execPath, [process.execPath, ...options, ...process.argv.slice(1)], env)
}

// Stripping types and compiling a thousand files is a quarter of a start; the next one finds it done. The cache is beside
// the code, not in a shared temporary folder, where others could change it. Where it cannot be written there is none.
module.enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/void/', import.meta.url)))

await import('./lib/main.ts')
