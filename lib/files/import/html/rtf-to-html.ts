// RTF as HTML, from which Markdown is made. https://learn.microsoft.com/en-us/openspecs/office_file_formats (RTF 1.9.1)

type State = {
  bold: boolean
  italic: boolean
  strike: boolean
  position: '' | 'sup' | 'sub'
  isHidden: boolean
  /** The text belongs to no part that is shown. */
  isSkipped: boolean
  /** Bytes that follow a character in Unicode for older readers. */
  fallback: number
  /** An instruction of a field, collected for its result. */
  isInstruction: boolean
  isFootnote: boolean
}

const initial: State = {
  bold: false,
  italic: false,
  strike: false,
  position: '',
  isHidden: false,
  isSkipped: false,
  fallback: 1,
  isInstruction: false,
  isFootnote: false,
}

// Stand around a footnote until its paragraph ends.
const [startOfNote, endOfNote] = ['\uE006', '\uE007']

const skipped = new Set(
  (
    'fonttbl colortbl stylesheet info pict header footer headerl headerr headerf footerl footerr footerf listtable ' +
    'listoverridetable revtbl rsidtbl generator themedata datastore object xmlnstbl latentstyles filetbl fldtype ' +
    'bkmkstart bkmkend atnid atnauthor annotation nonshppict mmathPr'
  ).split(' '),
)

const symbols: Record<string, string> = {
  tab: ' ',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
}

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/gi

const maxDepth = 1000

/** Takes time in proportion to the text, in which each character is a byte. */
export function rtfToHtml(rtf: string): string {
  const paragraphs = createParagraphs()
  const groups: State[] = []
  let state = initial
  let page = 'windows-1252'
  let bytes: number[] = []
  let toSkip = 0
  let instruction = ''
  let isDestination = false

  for (const [, word, parameter, hex, sign, brace, text] of rtf.matchAll(token)) {
    const number = parameter === undefined ? null : Number(parameter)
    if (hex === undefined) endBytes()
    if (hex !== undefined) {
      if (toSkip > 0) toSkip--
      else bytes.push(Number.parseInt(hex, 16))
    } else if (brace === '{') {
      if (groups.length < maxDepth) groups.push(state)
      toSkip = 0
    } else if (brace === '}') {
      const isInstruction = state.isInstruction && !groups.at(-1)?.isInstruction
      const isNote = state.isFootnote && !groups.at(-1)?.isFootnote
      state = groups.pop() ?? initial
      if (isNote) paragraphs.add(endOfNote)
      if (isInstruction) paragraphs.startLink(addressIn(instruction), groups.length)
      else paragraphs.endLink(groups.length)
      toSkip = 0
    } else if (word !== undefined) control(word.toLowerCase(), number)
    else if (sign === '*') isDestination = true
    else if (sign !== undefined)
      add(sign === '\n' || sign === '\r' ? '' : (symbols[sign] ?? ''), sign === '\n')
    else if (text !== undefined) {
      add(text.slice(toSkip))
      toSkip = Math.max(0, toSkip - text.length)
    }
    if (sign !== '*' && brace === undefined) isDestination = false
  }
  endBytes()
  return paragraphs.end()

  function control(word: string, number: number | null): void {
    const isOn = number !== 0
    if (word === 'footnote' && !state.isSkipped) {
      state = { ...state, isFootnote: true, position: '' }
      paragraphs.add(startOfNote)
    } else if (isDestination && word !== 'fldinst') state = { ...state, isSkipped: true }
    else if (skipped.has(word)) state = { ...state, isSkipped: true }
    else if (word === 'fldinst') {
      state = { ...state, isInstruction: true }
      instruction = ''
    } else if (word === 'ansicpg' && number) page = pageOf(number)
    else if (word === 'u' && number !== null) {
      add(String.fromCharCode(number < 0 ? number + 65536 : number))
      toSkip = state.fallback
    } else if (word === 'uc' && number !== null)
      state = { ...state, fallback: Math.min(10, Math.max(0, number)) }
    else if (word === 'plain')
      state = {
        ...initial,
        isSkipped: state.isSkipped,
        fallback: state.fallback,
        isInstruction: state.isInstruction,
        isFootnote: state.isFootnote,
      }
    else if (word === 'b') state = { ...state, bold: isOn }
    else if (word === 'i') state = { ...state, italic: isOn }
    else if (word === 'strike' || word === 'striked') state = { ...state, strike: isOn }
    else if (word === 'v') state = { ...state, isHidden: isOn }
    else if (word === 'super') state = { ...state, position: isOn ? 'sup' : '' }
    else if (word === 'sub') state = { ...state, position: isOn ? 'sub' : '' }
    else if (word === 'nosupersub') state = { ...state, position: '' }
    else if (state.isSkipped) return
    else if (state.isFootnote && /^(?:par|pard|sect|page|cell|row|intbl|outlinelevel)$/.test(word)) add(' ')
    else if (word === 'par' || word === 'sect' || word === 'page') paragraphs.endLine()
    else if (word === 'line') paragraphs.add('<br>')
    else if (word === 'cell' || word === 'row') paragraphs.endCell(word === 'row')
    else if (word === 'pard') paragraphs.is('p')
    else if (word === 'intbl') paragraphs.isInTable()
    else if (word === 'outlinelevel' && number !== null) paragraphs.heading(number + 1)
    else if (word === 'listtext' || word === 'pntext') {
      state = { ...state, isSkipped: true }
      paragraphs.is('li')
    } else if (symbols[word] !== undefined) add(symbols[word])
  }

  function endBytes(): void {
    if (bytes.length > 0) add(new TextDecoder(page).decode(Uint8Array.from(bytes)))
    bytes = []
  }

  function add(text: string, isParagraph = false): void {
    if (state.isInstruction) instruction += text.slice(0, 4000)
    else if (state.isSkipped || state.isHidden) return
    else if (isParagraph) paragraphs.endLine()
    else paragraphs.add(styled(text, state))
  }
}

function styled(text: string, { bold, italic, strike, position }: State): string {
  if (text === '') return ''
  const marks = [bold && 'b', italic && 'i', strike && 's', position].filter(
    (mark) => mark !== false && mark !== '',
  )
  const before = marks.map((mark) => `<${mark}>`).join('')
  return (
    before +
    escapeHtml(text) +
    marks
      .toReversed()
      .map((mark) => `</${mark}>`)
      .join('')
  )
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const addressIn = (instruction: string): string => /HYPERLINK\s+"?([^"\s]+)/.exec(instruction)?.[1] ?? ''

function pageOf(number: number): string {
  const names: Record<number, string> = {
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    866: 'ibm866',
    65001: 'utf-8',
    10000: 'macintosh',
  }
  const name = names[number] ?? `windows-${number}`
  try {
    return new TextDecoder(name).encoding
  } catch {
    return 'windows-1252'
  }
}

/** Collects the paragraphs, items and rows of a document. */
function createParagraphs() {
  const blocks: string[] = []
  let parts: string[] = []
  let cells: string[] = []
  let rows: string[] = []
  let element = 'p'
  let inTable = false
  let linkDepth = 0

  const endLink = (depth = 0) => {
    if (linkDepth > depth) {
      parts.push('</a>')
      linkDepth = 0
    }
  }
  const endTable = () => {
    if (rows.length > 0) blocks.push(`<table>${rows.join('')}</table>`)
    rows = []
  }
  const take = () => {
    endLink()
    const text = parts
      .join('')
      .replace(/\uE006\s*/g, ' (')
      .replace(/\s*\uE007/g, ')')
    parts = []
    return text
  }
  return {
    add: (html: string) => void (html !== '' && parts.push(html)),
    endLink,
    startLink(address: string, depth: number) {
      endLink()
      if (address === '') return
      parts.push(`<a href="${escapeHtml(address)}">`)
      linkDepth = depth
    },
    is(name: 'p' | 'li') {
      element = name
      inTable = false
    },
    isInTable() {
      inTable = true
    },
    /** Of a paragraph in a cell, which ends with its own mark. */
    endLine() {
      if (inTable) parts.push('<br>')
      else this.endParagraph()
    },
    heading(level: number) {
      element = level >= 1 && level <= 6 ? `h${level}` : 'p'
    },
    endCell(isRow: boolean) {
      if (!isRow) cells.push(`<td>${take()}</td>`)
      else {
        rows.push(`<tr>${cells.join('')}</tr>`)
        cells = []
      }
    },
    endParagraph() {
      endTable()
      const text = take()
      const whole = `<${element}>${text}</${element}>`
      if (text !== '') blocks.push(element === 'li' ? `<ul>${whole}</ul>` : whole)
      if (element !== 'p') element = 'p'
    },
    end(): string {
      this.endParagraph()
      return blocks.join('').replaceAll('</ul><ul>', '')
    },
  }
}
