// Elements whose content nobody sees, and that their author forgot to close: without this everything behind them would
// count as within. Drawings and formulas end where HTML begins in them, as in a browser.

/** Left out with all that is in them. Those of raw text reach to their end tag in any case. */
const unseen: ReadonlySet<string> = new Set([
  'svg',
  'math',
  'canvas',
  'object',
  'audio',
  'video',
  'button',
  'select',
  'template',
  'noscript',
  'picture',
  'head',
])

const raw: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'iframe', 'xmp'])

const foreign: ReadonlySet<string> = new Set(['svg', 'math'])

/** Where HTML may stand in a drawing or formula. https://html.spec.whatwg.org/#html-integration-point */
const holders: ReadonlySet<string> = new Set([
  'foreignobject',
  'desc',
  'annotation-xml',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
])

/** https://html.spec.whatwg.org/#parsing-main-inforeign */
const html: ReadonlySet<string> = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)

const inHead: ReadonlySet<string> = new Set(['meta', 'link', 'base', 'noscript', 'template'])

type Tag = { start: number; end: number; name: string; isEnd: boolean; isEmpty: boolean }

type Edit = { start: number; end: number; text: string }

/** The text with those elements closed, or their start tags left out. Takes time in proportion to it. */
export function closeOpen(text: string): string {
  const edits: Edit[] = []
  const open: Tag[] = []
  const counts = new Map<string, number>()
  const count = (name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by)
  const end = (at: number) => {
    const ended = open.splice(at)
    for (const { name } of ended) count(name, -1)
    return ended
  }
  const leaveOut = ({ start, end }: Tag) => edits.push({ start, end, text: '' })
  for (const tag of tagsOf(text)) {
    const { name, isEnd, isEmpty, start } = tag
    const inner = open.at(-1)?.name ?? ''
    // Outside of a drawing it is nothing but a mistake.
    if (name === '<![cdata[' && !foreign.has(inner)) leaveOut(tag)
    if (inner === 'head' && !isEnd && !inHead.has(name)) {
      edits.push({ start, end: start, text: '</head>' })
      end(open.length - 1)
    }
    if (foreign.has(inner) && html.has(name) && (!isEnd || name === 'p' || name === 'br')) {
      while (foreign.has(open.at(-1)?.name ?? ''))
        edits.push({ start, end: start, text: `</${end(open.length - 1)[0]!.name}>` })
    } else if (isEnd) {
      if (!counts.get(name)) continue
      // What was open within it ends with it.
      const [, ...within] = end(open.findLastIndex((one) => one.name === name))
      within.filter(isUnseen).forEach(leaveOut)
    } else if (!isEmpty && (unseen.has(name) || holders.has(name))) {
      if (open.length >= maxOpen) continue
      open.push(tag)
      count(name, 1)
    }
  }
  open.filter(isUnseen).forEach(leaveOut)
  return applied(text, edits)
}

/** Nesting is limited by the parser, whose limit is below this. */
const maxOpen = 5000

const isUnseen = ({ name }: Tag): boolean => unseen.has(name)

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = []
  let position = 0
  for (const { start, end, text: put } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(position, start), put)
    position = end
  }
  return parts.join('') + text.slice(position)
}

/** The tags outside of comments and of raw text. */
function* tagsOf(text: string): Generator<Tag> {
  const lower = text.toLowerCase()
  const tag = /<(?:!(?:--|\[cdata\[)|(\/?)([a-z][a-z0-9-]{0,40})[^<>]*>)/g
  const ends = new Map<string, number>()
  // Each end is looked for behind the last one: one that is not there is not there further on.
  const endOf = (wanted: string, from: number) => {
    const known = ends.get(wanted) ?? 0
    if (known >= from || known === -1) return known
    const at = lower.indexOf(wanted, from)
    ends.set(wanted, at)
    return at
  }
  for (let match = tag.exec(lower); match; match = tag.exec(lower)) {
    const { index: start, 0: whole, 1: slash, 2: name } = match
    const end = start + whole.length
    if (whole === '<![cdata[') {
      yield { start, end, name: whole, isEnd: false, isEmpty: true }
      continue
    }
    if (name === undefined || (raw.has(name) && slash === '')) {
      // `<!-->` is a whole comment.
      const close = name === undefined ? endOf('-->', start + 2) : endOf(`</${name}`, end)
      if (close === -1) return
      tag.lastIndex = close
      continue
    }
    yield { start, end, name, isEnd: slash === '/', isEmpty: whole.endsWith('/>') }
  }
}
