import type { Request, Response } from 'express'
import { baseOf, outward, pageBelow } from '../base-path.ts'
import { compress, pickEncoding } from './compression.ts'
import type { Prefs } from './painter.ts'

type Head = {
  title: string
  /** `null`: the page has no script. */
  script: string | null
  /** Whether the script is the app, which fills the window. */
  app?: boolean
  style: string
  /** Further styles by address: whether the page needs them at once, or its script loads them. */
  areas?: Readonly<Record<string, boolean>>
  icon: string
  preload: readonly string[]
}

type Content = {
  /** Safe HTML. */
  html: string
  /** What the script begins with; for the app, answers of the API by path, so that it does not ask for them again. */
  preloaded: Readonly<Record<string, unknown>>
  prefs: Prefs
  /** Of the app: the live event after which the page wants to hear. */
  live?: string
  /** The owner's time zone; `null`: unknown. */
  zone?: string | null
}

export const manifestPath = '/manifest.webmanifest'

/** The document around painted content. */
export function htmlPage(
  { title, script, app = false, style, areas = {}, icon, preload }: Head,
  { html, preloaded, prefs, live, zone }: Content,
): string {
  const scripts = script
    ? [
        `<script type="module" src="${script}"></script>`,
        ...preload.map((href) => `<link rel="modulepreload" href="${href}">`),
      ]
    : []
  const further = Object.entries(areas).map(
    ([href, isNeeded]) =>
      `<link rel="${isNeeded ? 'stylesheet' : 'prefetch'}"${isNeeded ? '' : ' as="style"'} href="${href}" data-area>\n`,
  )
  const data = script
    ? `<script type="application/json" id="preloaded">${jsonForScript(preloaded)}</script>`
    : ''
  return `<!doctype html>
<html lang="en" data-base="/" data-theme="${escapeHtml(prefs.theme)}" data-rail="${prefs.railOpen ? prefs.railWidth : 'closed'}"${live ? ` data-live="${escapeHtml(live)}"` : ''}${zone ? ` data-zone="${escapeHtml(zone)}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Void</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="manifest" href="${manifestPath}">
<link rel="stylesheet" href="${style}">
${further.join('')}${scripts.join('\n')}
</head>
<body${app ? ' class="app"' : ''}>
<div id="app">${html}</div>
${data}
</body>
</html>
`
}

/** JSON that cannot end the script element it stands in. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Sends a page, compressed as the browser accepts it. */
export async function sendPage(req: Request, res: Response, status: number, page: string): Promise<void> {
  const encoding = pickEncoding(req.headers['accept-encoding'])
  res.status(status).type('html')
  res.setHeader('vary', 'accept-encoding')
  if (encoding !== 'identity') res.setHeader('content-encoding', encoding)
  res.end(await compress(Buffer.from(pageBelow(baseOf(req), page)), encoding, { brotliQuality: 4 }))
}

/** Whether a page of another site sent the browser here. */
export const isForeignNavigation = (req: Request): boolean =>
  req.headers['sec-fetch-site'] === 'cross-site' && req.headers['sec-fetch-mode'] === 'navigate'

/** Sends a page that makes the browser request an address by itself, as a navigation within this site. */
export function sendRefresh(res: Response, address: string): void {
  const escaped = outward(res, address).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
  res.status(200).type('html').send(`<!doctype html><meta http-equiv="refresh" content="0; url=${escaped}">`)
}
