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

// Stripping types and compiling a few hundred files is a quarter of a start; the next one finds it done. Beside the
// code and not in a shared temporary folder, from which no code is to come. Where it cannot be written there is none.
module.enableCompileCache(fileURLToPath(new URL('./node_modules/.cache/void/', import.meta.url)))

await import('./lib/main.ts')
