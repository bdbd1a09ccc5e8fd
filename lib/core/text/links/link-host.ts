/** The server of a link target, in lower case and as it is requested (`xn--…`); `null` for a target within Void. */
export function hostOf(target: string): string | null {
  const address = decodeTarget(target)
  const mail = /^mailto:[^?]*@([^?,\s]+)/i.exec(address)
  if (mail) return mail[1]!.toLowerCase()
  const absolute = /^[\\/]{2}/.test(address) ? `https:${address}` : address
  if (!/^(?:https?:|[a-z][a-z0-9+.-]*:[\\/])/i.test(absolute)) return null
  return URL.parse(absolute)?.hostname || null
}

/** A target as a reader of Markdown and HTML resolves it: without escapes, entities and white space. */
export function decodeTarget(target: string): string {
  return target
    .replace(/&#(\d{1,7});?/g, (_, digits) => fromCode(Number(digits)))
    .replace(/&#x([0-9a-f]{1,6});?/gi, (_, digits) => fromCode(Number.parseInt(digits, 16)))
    .replace(
      /&(colon|sol|period|amp|tab|newline);/gi,
      (_, name: string) => entities[name.toLowerCase()] ?? '',
    )
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/[\t\n\r]/g, '')
    .trim()
}

const entities: Record<string, string> = {
  colon: ':',
  sol: '/',
  period: '.',
  amp: '&',
  tab: '\t',
  newline: '\n',
}

const fromCode = (point: number) => (point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '')
