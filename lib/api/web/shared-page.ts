// A thread or an answer as one HTML file: no script, nothing loaded from anywhere, and every text escaped by the same
// code that shows it in the app.

import { escapeHtml } from './page.ts'
import { loadPainter } from './painter.ts'

/** Characters of a message that are read as Markdown; a longer one is shown as it is. */
const maxRead = 50_000

/**
 * The parts of a Markdown export, each a whole text, as a page. `slug`: of the Space, `origin`: of this server, for
 * links.
 */
export async function* sharedPage(
  parts: AsyncIterable<string>,
  { title, slug, origin }: { title: string; slug: string; origin: string },
): AsyncGenerator<string> {
  const { sharedText } = await loadPainter()
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
`
  for await (const part of parts)
    yield part.length > maxRead
      ? `<pre>${escapeHtml(part)}</pre>\n`
      : `${atOrigin(sharedText(part, slug), origin)}\n`
  yield '</main>\n</body>\n</html>\n'
}

/** Paths of this server as addresses. Texts have no quotation marks that are not escaped. */
const atOrigin = (html: string, origin: string): string =>
  html.replaceAll(' href="/', () => ` href="${escapeHtml(origin)}/`)

const style = `
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h2 { margin: 2.5rem 0 0; padding-top: 1rem; border-top: 1px solid; border-color: color-mix(in srgb, currentColor 20%, transparent); font-size: 1.1rem; }
pre { overflow-x: auto; white-space: pre-wrap; } pre, code { font-size: 0.9em; }
table { border-collapse: collapse; } td, th { border: 1px solid; padding: 0.2rem 0.5rem; }
img { max-width: 100%; } blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid; }
`
