// Names that notes of other apps give themselves outside of front matter.

import { blockIds } from '../links/block-reference.ts'

const maxLines = 200
const maxNames = 200
const maxBlocks = 5000

/** `name:: value` on the first lines of a text, as Logseq has properties; in lower case. */
export function lineProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>()
  for (const line of text.slice(0, 20_000).split('\n', maxLines)) {
    if (line.trim() === '') continue
    const [, name, value = ''] = /^(?:- )?([a-z][\w-]{0,60})::[ \t]*(.*)$/i.exec(line) ?? []
    if (name === undefined) break
    if (!properties.has(name.toLowerCase())) properties.set(name.toLowerCase(), value.trim())
  }
  return properties
}

/**
 * The other names of a note by its own text and title: Logseq's `alias::` and the ids of its blocks, and the time that a
 * Zettelkasten begins or ends titles with, by which its links go on when a title changes.
 */
export function otherNames(title: string, content: string): string[] {
  const blocks = blockIds(content).take(maxBlocks)
  const aliases = (lineProperties(content).get('alias') ?? '').split(',', maxNames)
  const time = /^(\d{12}|\d{14})(?=[\s_.–-])|(?<=[\s_.–-])(\d{12}|\d{14})$/.exec(title.trim())?.[0]
  const names = aliases.map((alias) => alias.trim().replace(/^\[\[([^[\]]*)\]\]$/, '$1'))
  return [...names, ...(time ? [time] : []), ...blocks].filter((name) => name !== '')
}
