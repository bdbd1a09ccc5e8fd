// What makes Void an app that can be installed: its manifest, its service worker, the page for writing a note, and the empty
// page in which the service worker shows what was read lately. All of it is the same for everybody and holds nothing of
// anybody's, so it is served without signing in.

import { fileURLToPath } from 'node:url'
import { parseCookie } from 'cookie'
import { build } from 'esbuild'
import { Router } from 'express'
import { sha256 } from '../../changes/payload.ts'
import { outward } from '../base-path.ts'
import { type Assets, buildOnce, bundleOptions } from './assets.ts'
import { htmlPage, manifestPath, sendPage } from './page.ts'
import { loadPainter } from './painter.ts'

const capturePath = '/capture'
const offlinePath = '/offline'

/** What an app begins with that the server has not painted: the frame, pages and Home. */
const offlineModules = ['frame/load-frame.ts', 'page/page.ts', 'features/home/home.ts']

export function createInstallable(assets: Assets): Router {
  const router = Router()
  let worker: Promise<string> | null = null

  router.get(manifestPath, async (req, res) => {
    const { icons } = await assets.manifest()
    res
      .type('application/manifest+json')
      .send(JSON.stringify(appManifest(icons, (address) => outward(req, address))))
  })

  router.get('/service-worker.js', async (req, res) => {
    worker ??= assets.manifest().then(({ capture, script, preload, style, areas, icon }) => {
      const app = [script, ...offlineModules.flatMap(preload), ...Object.values(areas)]
      const files = new Set([capture.script, ...capture.preload, style, icon, ...app])
      return buildServiceWorker({
        shellFiles: [...files].map((file) => outward(req, file)),
        capturePath: outward(req, capturePath),
        offlinePath: outward(req, offlinePath),
        signInPath: outward(req, '/sign-in'),
        signOutPath: outward(req, '/sign-out'),
      })
    })
    res.setHeader('cache-control', 'no-cache')
    res.type('text/javascript').send(await worker)
  })

  router.get(capturePath, async (req, res) => {
    const painter = await loadPainter()
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    const { capture, style, areas, icon } = await assets.manifest()
    const head = { title: 'New note', ...capture, style, areas: { [areas.more!]: true }, icon }
    // The bookmarklet’s page hands over what it clips by a message, for which the two have to know each other. There is
    // nothing in this page that another one could read or press: it says what it got, and waits for its owner’s click.
    res.setHeader('cross-origin-opener-policy', 'unsafe-none')
    res.setHeader('content-security-policy', withoutFrames(String(res.getHeader('content-security-policy'))))
    await sendPage(req, res, 200, htmlPage(head, { html: painter.capturePage(), preloaded: {}, prefs }))
  })

  router.get(offlinePath, async (req, res) => {
    const painter = await loadPainter()
    const prefs = painter.parsePrefs(parseCookie(req.headers.cookie ?? '')[painter.prefsCookie])
    const { script, preload, style, areas, icon } = await assets.manifest()
    const further = Object.fromEntries(Object.values(areas).map((href) => [href, false]))
    const head = { title: 'Offline', app: true, script, preload: preload(null), style, areas: further, icon }
    await sendPage(req, res, 200, htmlPage(head, { html: '', preloaded: {}, prefs }))
  })

  return router
}

/** In no frame, not even of this app. */
const withoutFrames = (policy: string) => policy.replace(/frame-ancestors [^;]*/, "frame-ancestors 'none'")

const appManifest = (icons: Readonly<Record<string, string>>, at: (address: string) => string) => ({
  id: at('/'),
  name: 'Void',
  short_name: 'Void',
  description: 'Notes, tasks and documents, with a companion that changes nothing without you.',
  start_url: at('/'),
  scope: at('/'),
  display: 'standalone',
  background_color: '#17151f',
  theme_color: '#6d4fd0',
  icons: [
    { src: at(icons['icon-192.png']!), sizes: '192x192', type: 'image/png' },
    { src: at(icons['icon-512.png']!), sizes: '512x512', type: 'image/png' },
    { src: at(icons['icon-maskable-512.png']!), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'New note', url: at(capturePath) },
    { name: 'Today', url: at('/today') },
    { name: 'Inbox', url: at('/inbox') },
  ],
  share_target: {
    action: at(capturePath),
    method: 'GET',
    params: { title: 'title', text: 'text', url: 'url' },
  },
})

type WorkerAddresses = {
  shellFiles: readonly string[]
  capturePath: string
  offlinePath: string
  signInPath: string
  signOutPath: string
}

const entry = fileURLToPath(new URL('../../../public/start/service-worker.ts', import.meta.url))

/**
 * The script of the service worker, which stores these files. It names them, and their names change with what they hold,
 * so that a new version of any of them is a new service worker.
 */
async function buildServiceWorker({ shellFiles, ...paths }: WorkerAddresses): Promise<string> {
  const { outputFiles } = await buildOnce(() =>
    build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      target: [...bundleOptions.target],
      logLevel: 'silent',
      define: {
        shellVersion: JSON.stringify(sha256(shellFiles.join('\n')).slice(0, 16)),
        shellFiles: JSON.stringify(shellFiles),
        ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, JSON.stringify(path)])),
      },
    }),
  )
  return outputFiles[0]!.text
}
