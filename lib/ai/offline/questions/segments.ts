// A found text taken apart for quoting: each block that can be cited becomes sentences, list items, table rows, lines
// of front matter and code, with the heading above it.

import { plainText } from './plain-text.ts'

export type Segment = {
  kind: 'prose' | 'line' | 'item' | 'header' | 'row' | 'fact' | 'code'
  text: string
  /** Of a list item: what stands before it, such as `1.` or `-`. */
  marker: string
}

export type SegmentedBlock = { block: number; heading: string; segments: Segment[] }

type State = { fence: string; heading: string }
type Open = { segments: Segment[]; prose: string[] }

const item = /^\s{0,12}([-*+]|\d{1,4}[.)])\s+(?:\[([ xX])\]\s+)?(\S.*)$/
const fence = /^\s{0,12}(`{3,}|~{3,})/
const rule = /^(?=.{3,400}$)\s*(?:[-*_:|]\s*){3,}$/

/** The blocks in order; one that holds only headings has no segments. */
export function segmentBlocks(blocks: readonly string[]): SegmentedBlock[] {
  const state: State = { fence: '', heading: '' }
  return blocks.map((text, block) => {
    const segments = segmentsOf(text, state, block === 0)
    return { block, heading: state.heading, segments }
  })
}

function segmentsOf(text: string, state: State, isFirst: boolean): Segment[] {
  const lines = text.split('\n').slice(0, 2000)
  const open: Open = { segments: [], prose: [] }
  const facts =
    isFirst && lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, at) => at > 0 && /^---\s*$/.test(line))
      : 0
  if (facts > 0) open.segments.push(...factsOf(lines.slice(1, facts)))

  for (const line of lines.slice(facts > 0 ? facts + 1 : 0)) readLine(line, state, open)
  closeProse(open)
  return open.segments.filter((segment) => segment.text !== '')
}

function readLine(line: string, state: State, open: Open): void {
  const mark = fence.exec(line)?.[1]?.slice(0, 3) ?? ''
  if (state.fence !== '') {
    if (mark === state.fence) state.fence = ''
    else push(open, { kind: 'code', text: line.trimEnd(), marker: '' })
    return
  }
  if (mark !== '') {
    closeProse(open)
    state.fence = mark
    return
  }
  const heading = /^ {0,3}#{1,6}\s+(\S.*)$/.exec(line)?.[1]
  const listed = item.exec(line)
  if (heading !== undefined) {
    closeProse(open)
    state.heading = plainText(heading.replace(/\s#+\s*$/, ''))
  } else if (rule.test(line)) {
    closeProse(open)
    const last = open.segments.at(-1)
    if (last?.kind === 'row' && line.includes('|')) last.kind = 'header'
  } else if (listed) {
    const box = listed[2] === undefined ? '' : listed[2] === ' ' ? '☐ ' : '☑ '
    push(open, { kind: 'item', text: box + plainText(listed[3] ?? ''), marker: listed[1] ?? '-' })
  } else if (/^\s*\|/.test(line)) {
    push(open, { kind: 'row', text: rowText(line), marker: '' })
  } else if (/^\s{2,}\S/.test(line) && open.prose.length === 0 && open.segments.at(-1)?.kind === 'item') {
    open.segments.at(-1)!.text += ` ${plainText(line)}`
  } else {
    open.prose.push(line.replace(/^\s*(>\s?)+/, '').replace(/^\[![\w-]{1,40}\][+-]?/, ''))
  }
}

function push(open: Open, segment: Segment): void {
  closeProse(open)
  open.segments.push(segment)
}

function closeProse(open: Open): void {
  const lines = open.prose.map(plainText).filter(Boolean)
  const text = plainText(open.prose.join('\n'))
  open.prose = []
  if (text === '') return
  // Short lines that no one wrapped are meant as lines: an address, opening hours, a verse.
  if (lines.length > 1 && lines.every((line) => line.length < 60)) {
    open.segments.push(...lines.map((line) => ({ kind: 'line' as const, text: line, marker: '' })))
    return
  }
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)]
  open.segments.push(
    ...sentences.map(({ segment }) => ({ kind: 'prose' as const, text: segment.trim(), marker: '' })),
  )
}

const rowText = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .map((cell) => plainText(cell.replaceAll('\\|', '|')))
    .filter(Boolean)
    .join(' — ')

/** Front matter, a line each: `org: Obsidian, Kyoto` for a key with a list. */
function factsOf(lines: string[]): Segment[] {
  const facts: string[] = []
  for (const line of lines) {
    const value = plainText(line.replace(/^\s*-\s+/, '').replaceAll('"', ''))
    if (/^\s*-\s/.test(line) && facts.length > 0) {
      const last = facts.at(-1)!
      facts[facts.length - 1] = last.endsWith(':') ? `${last} ${value}` : `${last}, ${value}`
    } else if (/^[\w -]{1,60}:/.test(line)) facts.push(value)
  }
  return facts
    .filter((fact) => !/:(\s*(\[\]|\{\}|null))?$/.test(fact))
    .map((text) => ({ kind: 'fact', text, marker: '' }))
}
