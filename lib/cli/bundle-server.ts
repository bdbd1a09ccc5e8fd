// Runs after `npm install`: makes the bundle that a start loads. Void starts without it, only later.

import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { bundleFolder, bundles, root } from '../server-bundle.ts'

/** What a module finds beside it stays where it is, and packages that are loaded with their first use stay packages. */
const asItWas: Plugin = {
  name: 'as-it-was',
  setup({ onLoad, onResolve }) {
    const sources = join(root, 'lib/')
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.startsWith(sources)) return null
      const own = `new URL(${JSON.stringify(relative(root, path))}, voidRoot).href`
      return {
        contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', own),
        loader: 'ts',
      }
    })
    onResolve({ filter: /^[^.]/ }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && importer.startsWith(sources) && !isAbsolute(path)
        ? { path, external: true }
        : null,
    )
    // An import of it as a module would load Node's client of WebSockets, a twentieth of a second.
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'node:http', namespace: 'built-in' }))
    onLoad({ filter: /./, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }))
  },
}

// CommonJS packages ask for Node's modules by `require`, which a module does not have. esbuild does not look into it: a
// module's own `URL` may stand in the same scope.
const banner = `import { createRequire as voidRequire } from 'node:module'
const voidRoot = new globalThis.URL('../../../../', import.meta.url)
const require = voidRequire(voidRoot)`

try {
  const folder = bundleFolder()
  if (!existsSync(folder)) await make(folder)
} catch (error) {
  console.warn('The server could not be bundled, so it takes a second longer to start.', error)
}

/** Those of other sources go. */
async function make(folder: string): Promise<void> {
  await rm(bundles, { recursive: true, force: true })
  const unfinished = `${folder}.unfinished`
  await build({
    absWorkingDir: root,
    entryPoints: ['lib/main.ts'],
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    logLevel: 'error',
    // Two find other files of theirs beside them; what a test or a tool hooks into is pg.
    external: ['@electric-sql/*', 'esbuild', 'pg'],
    plugins: [asItWas],
    banner: { js: banner },
  })
  await rename(unfinished, folder)
}
