// MathML as TeX. https://www.w3.org/TR/mathml-core/

import { attribute, childrenOf, type HtmlNode, nameOf } from './node.ts'
import { accents, escapeTex, fence, functionName, signs } from './omml.ts'

const maxDepth = 60

/** A formula's TeX; of what has no counterpart there, the text. */
export const mathMlToTex = (math: HtmlNode): string => rowOf(math, 0).replace(/\s+/g, ' ').trim()

const unread = new Set(['', '#text', 'annotation', 'annotation-xml', 'mphantom', 'mprescripts', 'none'])

const partsOf = (node: HtmlNode): HtmlNode[] =>
  childrenOf(node).filter((child) => nameOf(child).startsWith('m'))

const rowOf = (node: HtmlNode, depth: number): string =>
  depth > maxDepth
    ? ''
    : childrenOf(node)
        .map((child) => texOf(child, depth + 1))
        .join('')

function texOf(node: HtmlNode | undefined, depth: number): string {
  if (!node || unread.has(nameOf(node))) return ''
  const name = nameOf(node)
  if (tokens.has(name)) return tokenOf(name, (node.textContent ?? '').replace(/\s+/g, ' ').trim())
  if (name === 'mspace') return ' '
  if (depth > maxDepth) return ''
  const parts = partsOf(node)
  const group = (at: number) => `{${texOf(parts[at], depth + 1)}}`
  const base = () => baseOf(texOf(parts[0], depth + 1))
  if (name === 'mfrac') return `\\frac${group(0)}${group(1)}`
  if (name === 'msqrt') return `\\sqrt{${rowOf(node, depth)}}`
  if (name === 'mroot') return `\\sqrt[${texOf(parts[1], depth + 1)}]${group(0)}`
  if (name === 'msup') return `${base()}^${group(1)}`
  if (name === 'msub') return `${base()}_${group(1)}`
  if (name === 'msubsup') return `${base()}_${group(1)}^${group(2)}`
  if (name === 'munder') return below(parts[0], group, depth)
  if (name === 'mover') return above(parts, group, depth)
  if (name === 'munderover') return `${base()}_${group(1)}^${group(2)}`
  if (name === 'mtable') {
    const rows = parts.map((row) => partsOf(row).map((cell) => rowOf(cell, depth + 1)))
    return `\\begin{matrix}${rows.map((row) => row.join(' & ')).join(' \\\\ ')}\\end{matrix}`
  }
  if (name === 'mfenced') {
    const [open, close] = [node.getAttribute?.('open') ?? '(', node.getAttribute?.('close') ?? ')']
    const inner = parts.map((part) => texOf(part, depth + 1))
    return `\\left${fence(open)}${inner.join(attribute(node, 'separators') || ',')}\\right${fence(close)}`
  }
  return rowOf(node, depth)
}

const tokens = new Set(['mi', 'mn', 'mo', 'ms', 'mtext'])

function tokenOf(name: string, text: string): string {
  if (text === '') return ''
  if (name === 'mtext' || name === 'ms') return `\\text{${escapeTex(text)}}`
  const sign = name === 'mo' ? (signs[text] ?? marks[text]) : undefined
  if (sign !== undefined) return sign === '' ? '' : `${sign} `
  if (!/^\p{L}{2,}$/u.test(text)) return escapeTex(text)
  const named = functionName(text)
  return named === text ? `\\mathrm{${text}}` : `${named} `
}

/** What is written otherwise in TeX, or not at all: operators that are not seen. */
const marks: Record<string, string> = { '\u2061': '', '\u2062': '', '\u2063': '', '\u2064': '', '−': '-' }

/** Of more than one character it is a group. */
const baseOf = (tex: string): string => {
  const plain = tex.trim()
  return /^(?:.|\\[a-z]+)$/u.test(plain) ? plain : `{${tex}}`
}

type Group = (at: number) => string

/** Of an operator and a name, such as a limit, it is an index. */
function below(base: HtmlNode | undefined, group: Group, depth: number): string {
  const tex = texOf(base, depth + 1)
  return /^\\[a-z]+ ?$/.test(tex) || (base && nameOf(base) === 'mo')
    ? `${baseOf(tex)}_${group(1)}`
    : `\\underset${group(1)}{${tex}}`
}

function above(parts: readonly HtmlNode[], group: Group, depth: number): string {
  const sign = (parts[1]?.textContent ?? '').trim()
  const accent = accents[accentSigns[sign] ?? sign]
  if (accent !== undefined) return `${accent}${group(0)}`
  const tex = texOf(parts[0], depth + 1)
  return /^\\[a-z]+ ?$/.test(tex) ? `${baseOf(tex)}^${group(1)}` : `\\overset${group(1)}{${tex}}`
}

/** As MathML writes what combines in OMML. */
const accentSigns: Record<string, string> = {
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  '¯': '\u0304',
  '‾': '\u0305',
  _: '\u0305',
  '˙': '\u0307',
  '¨': '\u0308',
  '→': '\u20d7',
}
