// Markdown as it is read: what is struck out or hidden is gone. Takes time in proportion to the text.

const tag = /<(\/?)([a-z][a-z0-9]*)\b([^<>]*)>/gi
const struck: ReadonlySet<string> = new Set(['del', 's', 'strike', 'script', 'style', 'template'])

export function visibleText(markdown: string): string {
  let text = dropBetween(markdown, '<!--', '-->')
  for (const mark of ['~~', '%%']) text = dropBetween(text, mark, mark, '\n\n')
  return dropElements(text)
}

/** Without what lies between two marks; a pair does not reach over `border`. */
function dropBetween(text: string, open: string, close: string, border?: string): string {
  let rest = ''
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) return rest + text.slice(at)
    const reaches = border !== undefined && text.slice(start, end).includes(border)
    rest += text.slice(at, start)
    if (!reaches) rest += ' '
    at = reaches ? end : end + close.length
  }
}

/** Without struck and hidden elements. One that never closes is as it is. */
function dropElements(text: string): string {
  let rest = ''
  let at = 0
  let open: { name: string; start: number } | null = null
  for (const [whole, slash, name = '', attributes = ''] of matches(text)) {
    const lower = name.toLowerCase()
    if (open && slash === '/' && lower === open.name) {
      rest += `${text.slice(at, open.start)} `
      at = whole.end
      open = null
    } else if (!open && slash === '' && (struck.has(lower) || isHidden(attributes))) {
      open = { name: lower, start: whole.start }
    }
  }
  return rest + text.slice(at)
}

const isHidden = (attributes: string): boolean =>
  /(?:^|\s)hidden(?:$|[\s=/])|display\s?:\s?none|visibility\s?:\s?hidden/i.test(attributes)

function* matches(text: string): Generator<[{ start: number; end: number }, ...(string | undefined)[]]> {
  for (const { index, 0: all, 1: slash, 2: name, 3: attributes } of text.matchAll(tag))
    yield [{ start: index, end: index + all.length }, slash, name, attributes]
}
