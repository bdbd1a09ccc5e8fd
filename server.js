// The launcher: checks the Node version in syntax that old versions can still parse, then hands over.
const wanted = 24
const major = Number(process.versions.node.split('.')[0])

if (major < wanted) {
  console.error(
    `Void needs Node ${wanted} or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Run it with "npm start", which uses the Node that "npm install" brought along, or install Node 24.',
  )
  process.exit(1)
}

await import('./lib/main.ts')
