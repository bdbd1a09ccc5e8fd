// The launcher: checks the Node version in syntax that old versions can still parse, then hands over.
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const wanted = 24
const major = Number(process.versions.node.split('.')[0])

if (major < wanted) {
  console.error(
    `Void needs Node ${wanted} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Run it with "npm start", which uses the Node that "npm install" brought along, or install Node 24.',
  )
  process.exit(1)
}

// What can be said to a process only before it begins. The memory allocator of Linux keeps up to 64 MB of what each thread
// frees, unless told to give it back, and V8 lets the young objects of each thread grow to two halves of 32 MB: a quarter of
// all that an idle server holds, for a thirtieth of a second. With 16 MB a busy server still looks through them seldom. The
// process stays the same one, with its number, files and signals.
const mayBeginAnew = process.platform === 'linux' && process.execve && !process.connected
if (mayBeginAnew && !process.env.MALLOC_TRIM_THRESHOLD_) {
  const options = ['--max-semi-space-size=16', ...process.execArgv]
  const env = { ...process.env, MALLOC_TRIM_THRESHOLD_: '131072' }
  process.execve(process.execPath, [process.execPath, ...options, ...process.argv.slice(1)], env)
}

// Stripping types and compiling a few hundred files is a quarter of a start; the next one finds it done. Beside the
// code and not in a shared temporary folder, from which no code is to come. Where it cannot be written there is none.
module.enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/void/', import.meta.url)))

await import('./lib/main.ts')
