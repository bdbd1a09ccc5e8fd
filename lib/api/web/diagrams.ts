// The frame in which diagrams are drawn. Mermaid sets inline styles, which the policy of the app forbids, and reads text
// that anybody may have written; so it runs in a document that has neither the origin of the app nor a connection, and
// gives back a picture. It holds nothing of anybody's, so it is served without signing in.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Router } from 'express'
import { createServedFile, type ServedFile, sendServedFile } from './compression.ts'

const mermaidPath = createRequire(import.meta.url).resolve('@mermaid-js/tiny')

export function createDiagrams(): Router {
  const router = Router()
  let loading: Promise<Frame> | null = null
  const load = () => {
    loading ??= loadFrame()
    return loading
  }

  router.get('/diagrams', async (_req, res) => {
    const { html, policy } = await load()
    res.setHeader('content-security-policy', policy)
    res.type('html').send(html)
  })

  router.get('/diagrams/:name', async (req, res, next) => {
    const { scriptName, script } = await load()
    if (req.params.name !== scriptName) return next()
    // The frame is of no origin.
    res.setHeader('cross-origin-resource-policy', 'cross-origin')
    await sendServedFile(req, res, { file: script, type: 'text/javascript; charset=utf-8' })
  })

  return router
}

type Frame = { html: string; policy: string; scriptName: string; script: ServedFile }

async function loadFrame(): Promise<Frame> {
  const [mermaid, page] = await Promise.all([
    readFile(mermaidPath),
    readFile(new URL('./diagrams.html', import.meta.url), 'utf8'),
  ])
  const scriptName = `mermaid-${sha256(mermaid, 'hex').slice(0, 8)}.js`
  const inline = /<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? ''
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'sha256-${sha256(inline, 'base64')}'`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ]
  return {
    html: page.replace('MERMAID', `diagrams/${scriptName}`),
    policy: policy.join('; '),
    scriptName,
    script: createServedFile(mermaid),
  }
}

const sha256 = (bytes: Uint8Array | string, encoding: 'hex' | 'base64') =>
  createHash('sha256').update(bytes).digest(encoding)
