// The server's modules, and the packages that a start takes, in a few files: 1,600 files read one by one are two thirds
// of a start. A cache that `npm install` makes (lib/cli/bundle-server.ts). Without it, or once a source was edited, the
// server runs from its sources.

import { hash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))
export const bundles = join(root, 'node_modules/.cache/void-server')

/** Where the bundle of the sources and packages belongs that are here now. */
export function bundleFolder(): string {
  const sources = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
  const files = sources.filter((name) => name.endsWith('.ts')).map((name) => `lib/${name}`)
  // npm notes there what it installed.
  const stamps = [...files.sort(), 'node_modules/.package-lock.json'].map((name) => {
    const found = statSync(root + name, { throwIfNoEntry: false })
    // An archive or an image may keep no more than seconds.
    return `${name} ${found?.size} ${Math.trunc((found?.mtimeMs ?? 0) / 1000)}`
  })
  return join(bundles, hash('sha256', stamps.join('\n')).slice(0, 32))
}

/** What to import to start the server. */
export function findServer(): string {
  const bundled = join(bundleFolder(), 'main.mjs')
  return existsSync(bundled) ? pathToFileURL(bundled).href : new URL('./main.ts', import.meta.url).href
}
