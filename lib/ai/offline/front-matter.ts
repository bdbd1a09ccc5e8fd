// Front matter in what was found of a text.

import { splitFrontMatter } from '../../core/text/markdown.ts'
import { listProperties } from '../../core/text/properties/read-properties.ts'

/** Search gives the lines that answer: of front matter often without its beginning or its end. */
export function withMatterClosed([first = '', ...rest]: readonly string[]): string[] {
  const lines = first.split('\n')
  const opens = lines[0] === '---'
  const from = Number(opens)
  if (!matterKey.test(lines[from] ?? '')) return [first, ...rest]
  const length = lines.slice(from).findIndex((line) => !matterKey.test(line) && !/^\s*- |^\s+\S/.test(line))
  const end = length < 0 ? lines.length : from + length
  const isClosed = /^---\s*$/.test(lines[end] ?? '')
  const closesLater = opens && rest.some((block) => /\n---\s*(?:\n|$)/.test(block))
  if (opens === isClosed || closesLater) return [first, ...rest]
  const closed = opens ? [...lines.slice(0, end), '---', ...lines.slice(end)] : ['---', ...lines]
  return [closed.join('\n'), ...rest]
}

const matterKey = /^[^\s:#-][^:\n]{0,100}:(?:\s|$)/

/** The aliases in the front matter of a text. */
export const aliasesIn = (blocks: readonly string[]): string[] =>
  listProperties(splitFrontMatter(`${withMatterClosed(blocks)[0]}\n`).yaml).flatMap(({ name, values }) =>
    /^alias(?:es)?$/i.test(name) ? values : [],
  )
