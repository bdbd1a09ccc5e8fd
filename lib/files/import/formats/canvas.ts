import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { type CanvasCard, type CanvasEdge, readCanvas } from '../../../core/text/canvas.ts'
import { cleanLine, cleanText } from '../../../core/text/clean.ts'
import { parseAttachment } from '../file/attachment.ts'
import { decodeText } from '../file/decode.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { escapeMarkdown } from '../html/inline.ts'

/**
 * Obsidian's drawing boards (https://jsoncanvas.org/spec/1.0/), kept unchanged. Their text can be read, searched and
 * cited: the cards of each group, files as links, and the connections.
 */
export const format: Format = { extensions: ['.canvas'], makes: 'source_doc', parse }

const maxCards = 2000
const maxGroups = 200
const maxEdges = 5000

type Group = Extract<CanvasCard, { type: 'group' }>

function parse(file: FileBytes): ParsedFile {
  const attachment = parseAttachment(file)
  const canvas = readCanvas(decodeText(file.bytes)?.text ?? '')
  if (!canvas) return { ...attachment, warnings: ['it is not a canvas, despite its name; stored as a file'] }
  const { cards, edges } = canvas
  const [shownCards, shownEdges] = [cards.slice(0, maxCards), edges.slice(0, maxEdges)]
  const text = cleanText(writeCanvas(shownCards, shownEdges))
  const isCut = cards.length > maxCards || edges.length > maxEdges || text.length > maxBodyLength
  const warnings = isCut ? ['it is large; only its first cards can be searched'] : []
  return { ...attachment, fields: { ...attachment.fields, text: text.slice(0, maxBodyLength) }, warnings }
}

function writeCanvas(all: readonly CanvasCard[], edges: readonly CanvasEdge[]): string {
  const inOrder = all.toSorted((a, b) => a.y - b.y || a.x - b.x)
  const groups = inOrder.filter((card) => card.type === 'group').slice(0, maxGroups)
  const byGroup = Map.groupBy(
    inOrder.filter(({ type }) => type !== 'group'),
    (card) => groupOf(card, groups),
  )
  const section = (heading: string, cards: readonly CanvasCard[]) =>
    cards.length === 0 ? [] : [...(heading ? [`## ${heading}`] : []), ...cards.map(writeCard)]
  const names = new Map(all.map((card) => [card.id, nameOf(card)]))
  const connections = edges.flatMap((edge) => writeEdge(edge, names) ?? [])
  return [
    ...section('', byGroup.get(null) ?? []),
    ...groups.flatMap((group) => section(nameOf(group), byGroup.get(group) ?? [])),
    ...(connections.length > 0 ? ['## Connections', connections.join('\n')] : []),
  ].join('\n\n')
}

/** The smallest group that contains a card's centre. */
function groupOf({ x, y, width, height }: CanvasCard, groups: readonly Group[]): Group | null {
  const [left, top] = [x + width / 2, y + height / 2]
  const around = groups.filter(
    (group) =>
      left >= group.x && left <= group.x + group.width && top >= group.y && top <= group.y + group.height,
  )
  const area = (group: Group) => group.width * group.height
  return around.length === 0 ? null : around.reduce((best, next) => (area(next) < area(best) ? next : best))
}

function writeCard(card: CanvasCard): string {
  if (card.type !== 'text') return `- ${nameOf(card)}`
  return cleanText(card.text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

/** One line of Markdown: a link, or the beginning of its text. */
function nameOf(card: CanvasCard): string {
  if (card.type === 'file') return fileLink(card.file, card.subpath)
  if (card.type === 'link') return webLink(card.url)
  return shorten(card.type === 'group' ? card.label : card.text) || (card.type === 'group' ? 'Group' : 'Card')
}

function fileLink(path: string, subpath: string): string {
  const target = cleanLine(path).replace(/\.md$/i, '')
  const heading = cleanLine(subpath)
  return /[[\]|#]/.test(target) || /[[\]|]/.test(heading)
    ? escapeMarkdown(target)
    : `[[${target}${heading.replace(/^(?=[^#])/, '#')}]]`
}

function webLink(text: string): string {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol)
    ? `[${escapeMarkdown(url.host)}](<${url.href}>)`
    : escapeMarkdown(cleanLine(text).slice(0, maxName))
}

function writeEdge(
  { fromNode, toNode, label }: CanvasEdge,
  names: ReadonlyMap<string, string>,
): string | null {
  const [from, to] = [names.get(fromNode), names.get(toNode)]
  if (from === undefined || to === undefined) return null
  const name = shorten(label)
  return `- ${from} → ${to}${name && `: ${name}`}`
}

const maxName = 80

/** The first non-empty line of a text, without markup. */
function shorten(text: string): string {
  const line =
    text
      .slice(0, 2000)
      .split('\n')
      .find((each) => /[\p{L}\p{N}]/u.test(each)) ?? ''
  const plain = cleanLine(
    line
      .replace(/^[\s#>*+-]+/, '')
      .replace(/\]\([^()\n]{0,300}\)/g, ']')
      .replace(/[*`[\]]/g, ''),
  )
  return escapeMarkdown(plain.length > maxName ? `${plain.slice(0, maxName)}…` : plain)
}
