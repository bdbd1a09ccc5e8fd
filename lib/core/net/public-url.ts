// The address under which people reach this server, and the path in it that Void is below.

/** First segments of the addresses of Void itself: a base path must not begin with one. */
export const ownSegments: ReadonlySet<string> = new Set(
  '.well-known activity api assets capture connect diagrams health inbox mcp metrics oauth offline ready s search settings sign-in sign-out sources spaces today'.split(
    ' ',
  ),
)

/** The path of a public address; `''` for one at the root. */
export const basePathOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/** Why Void cannot be served at an address; none where it can. */
export function publicUrlProblems(publicUrl: string): string[] {
  const { pathname, search, hash, username } = new URL(publicUrl)
  const [, first = ''] = pathname.split('/')
  if (search || hash || username || pathname.includes('//') || !/^[\w.~/-]+$/.test(pathname))
    return ['must be an address such as https://void.example or https://example.org/void']
  if (ownSegments.has(first))
    return [`the path /${first} is one of Void’s own; use another one, such as /void`]
  return []
}
