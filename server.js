// The launcher: checks the Node version in syntax that old versions can still parse, then hands over.
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const wanted = 24
const major = Number(process.versions.node.split('.')[0])

if (major < wanted) {
  console.error(
    `Void needs Node ${wanted} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Run it with "npm start", which uses the Node that "npm install" brought along, or install Node 24.',
  )
  process.exit(1)
}

// Stripping types and compiling a few hundred files is a quarter of a start; the next one finds it done. Beside the
// code and not in a shared temporary folder, from which no code is to come. Where it cannot be written there is none.
module.enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/void/', import.meta.url)))

// The embedded database is WebAssembly, and optimizing a single function of it takes V8 up to 0.5 GB and a second. Only
// what runs for a hundred times the default is worth that; the rest stays as the quick compiler made it.
setFlagsFromString('--wasm-tiering-budget=1300000000')

await import('./lib/main.ts')
