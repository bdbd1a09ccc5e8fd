// What stands between a hostile text and the page, layer by layer, each of which a test can take away. Production has
// no switch for this: the tests bundle public/ themselves with a module swapped, and drop the header on its way to
// the browser.

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { bundleOptions } from '../../../lib/api/web/assets.ts'

export type Layers = {
  /** public/ui/markdown/markdown.ts, which escapes and checks. */
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

const app = 'public/start/main.ts'
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Bundles a module of this repository for the browser as lib/api/web does, without the layers that are to be away. */
export async function bundle(
  module: string,
  { renderer, cleaner }: Pick<Layers, 'renderer' | 'cleaner'>,
): Promise<Bundle> {
  const swapped = [
    ...(cleaner ? [] : [swap(/^#platform$/, 'bare/platform.ts')]),
    ...(renderer ? [] : [swap(/(?:\/markdown|^\.)\/markdown\.ts$/, 'bare/markdown.ts')]),
  ]
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints: [module],
    // What the chunks of the app share begins with the app: a module by itself would be evaluated in another order.
    inject: module === app ? bundleOptions.inject : [],
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

/**
 * Serves the site at another address, without the layers that are to be away. A server of its own, because a browser
 * that Playwright feeds each script of each page takes five times as long.
 */
export async function serveWeakened(site: string, layers: Layers): Promise<{ url: string; close(): void }> {
  const { entry, files } = await bundle(app, layers)
  const server = createServer((incoming, outgoing) => {
    const script = files.get(basename(incoming.url ?? ''))
    if (script !== undefined) {
      const headers = {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'immutable, max-age=9999',
      }
      outgoing.writeHead(200, headers).end(script)
      return
    }
    const { method, headers, url: path } = incoming
    const asked = request(`${site}${path}`, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
    })
    asked.on('response', (answer) => void passOn(answer, outgoing))
    asked.on('error', () => outgoing.destroy())
    outgoing.on('close', () => asked.destroy())
    incoming.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('server has no port')
  return { url: `http://127.0.0.1:${address.port}`, close: () => void server.close().closeAllConnections() }

  async function passOn(answer: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { 'content-security-policy': policy, 'content-length': _, ...headers } = answer.headers
    outgoing.writeHead(
      answer.statusCode ?? 502,
      layers.policy && policy ? { ...headers, 'content-security-policy': policy } : headers,
    )
    if (!headers['content-type']?.startsWith('text/html')) {
      answer.pipe(outgoing)
      return
    }
    const html = await text(answer)
    outgoing.end(html.replace(/\/assets\/main-\w+\.js/, `/assets/${entry}`))
  }
}
