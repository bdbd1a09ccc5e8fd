// What stands between a hostile text and the page, layer by layer, each of which a test can take away. Production has
// no switch for this: the tests bundle public/ themselves with a module swapped, and drop the header on its way to
// the browser.

import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import type { BrowserContext } from 'playwright-core'
import { bundleOptions } from '../../../lib/web/assets.ts'

export type Layers = {
  /** public/markdown.ts, which escapes and checks. */
  renderer: boolean
  /** DOMPurify. */
  cleaner: boolean
  /** The Content-Security-Policy header. */
  policy: boolean
}

export const allLayers: Layers = { renderer: true, cleaner: true, policy: true }

export type Bundle = {
  /** The name of the script to start with. */
  entry: string
  /** Scripts by name. */
  files: ReadonlyMap<string, string>
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Bundles a module of this repository for the browser as lib/web does, without the layers that are to be away. */
export async function bundle(
  module: string,
  { renderer, cleaner }: Pick<Layers, 'renderer' | 'cleaner'>,
): Promise<Bundle> {
  const swapped = [
    ...(cleaner ? [] : [swap(/^#platform$/, 'bare/platform.ts')]),
    ...(renderer ? [] : [swap(/\/markdown\.ts$/, 'bare/markdown.ts')]),
  ]
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints: [module],
    sourcemap: false,
    plugins: swapped,
  })
  const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === module)
  if (!found) throw new Error(`${module} is not in its bundle`)
  return {
    entry: basename(found[0]),
    files: new Map(outputFiles.map(({ path, text }) => [basename(path), text])),
  }
}

const swap = (filter: RegExp, replacement: string): Plugin => ({
  name: replacement,
  setup(building) {
    building.onResolve({ filter }, () => ({ path: here(replacement) }))
  },
})

/** Gives the app to a browser without the layers that are to be away. Nothing changes when none is. */
export async function weakenApp(context: BrowserContext, layers: Layers): Promise<void> {
  if (layers.renderer && layers.cleaner && layers.policy) return
  const { entry, files } = await bundle('public/main.ts', layers)

  await context.route(
    ({ pathname }) => pathname.startsWith('/assets/'),
    async (route) => {
      const script = files.get(basename(new URL(route.request().url()).pathname))
      if (script === undefined) await route.fallback()
      else await route.fulfill({ body: script, contentType: 'text/javascript; charset=utf-8' })
    },
  )
  await context.route(
    () => true,
    async (route) => {
      if (route.request().resourceType() !== 'document') return await route.fallback()
      const response = await route.fetch({ maxRedirects: 0 })
      const { 'content-security-policy': policy, ...headers } = response.headers()
      await route.fulfill({
        response,
        headers: layers.policy && policy ? { ...headers, 'content-security-policy': policy } : headers,
        body: (await response.text()).replace(/\/assets\/main-\w+\.js/, `/assets/${entry}`),
      })
    },
  )
}
