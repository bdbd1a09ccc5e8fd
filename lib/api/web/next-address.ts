/** Where to go after signing in: an address of this server, however the parameter came about; `/` for anything else. */
export function safeNext(next: unknown): string {
  // A backslash counts as a slash in a browser, and control characters are dropped by it.
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/'
  const base = 'http://void.invalid'
  if (!URL.canParse(next, base)) return '/'
  const { origin, pathname, search, hash } = new URL(next, base)
  if (origin !== base || pathname.startsWith('//')) return '/'
  return pathname + search + hash
}
