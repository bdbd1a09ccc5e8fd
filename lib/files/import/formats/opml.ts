import { maxBodyLength } from '../../../contract/entities/fields.ts'
import { SkippedFile } from '../../vault/paths.ts'
import { originalOf } from '../file/attachment.ts'
import { decodeText } from '../file/decode.ts'
import type { FileBytes, Format, ParsedFile } from '../file/format.ts'
import { writeNote } from '../file/notebook.ts'
import { escapeMarkdown } from '../html/inline.ts'
import { attribute, childrenOf, type HtmlNode } from '../html/node.ts'
import { parseXml } from '../html/parse-xml.ts'

/** An outline becomes a page with a list, with the notes and the state of its items. http://opml.org/spec2.opml */
export const format: Format = { extensions: ['.opml'], makes: 'page', parse }

const maxDepth = 200

async function parse(file: FileBytes): Promise<ParsedFile> {
  const xml = decodeText(file.bytes)?.text ?? ''
  const document = await parseXml(xml.replace(/<(\/?)(head|body|title)(?=[\s>])/gi, '<$1opml-$2'))
  const outline = document.querySelector('opml-body')
  if (!outline) throw new SkippedFile('it is not an outline in OPML')
  const head = document.querySelector('opml-head')
  const value = (name: string) =>
    (head ? childrenOf(head) : []).find((node) => node.nodeName.toLowerCase() === name)?.textContent?.trim()
  const lines: string[] = []
  write(outline, 0, lines)
  const about = {
    created: asTime(value('datecreated')),
    updated: asTime(value('datemodified')),
    author: value('ownername'),
  }
  const body = writeNote(about, lines.join('\n'))
  if (body.length > maxBodyLength) throw new SkippedFile('it is too long for a page')
  const title = value('opml-title') ?? null
  return { type: 'page', title: title || null, fields: { body }, attached: [originalOf(file)], warnings: [] }
}

function write(parent: HtmlNode, depth: number, lines: string[]): void {
  for (const item of childrenOf(parent)) {
    if (item.nodeName.toLowerCase() !== 'outline') continue
    const indent = '  '.repeat(Math.min(depth, maxDepth))
    const [first = '', ...others] = textOf(attribute(item, 'text') || attribute(item, 'title')).split('\n')
    const notes = textOf(attribute(item, '_note') || attribute(item, 'note')).split('\n')
    lines.push(`${indent}- ${boxOf(item)}${linked(item, first.trim())}`)
    for (const line of [...others, ...notes]) if (line.trim() !== '') lines.push(`${indent}  ${line.trim()}`)
    write(item, depth + 1, lines)
  }
}

/** Wikilinks, tags and bold text stay: outliners write them as they are. Their HTML goes. */
function textOf(text: string): string {
  const plain = text
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/?(?:b|strong)>/gi, '**')
    .replace(/<\/?(?:i|em)>/gi, '*')
    .replace(/<a\s[^<>]*href="(https?:[^"<>\s()]*)"[^<>]*>([^<>]*)<\/a>/gi, '[$2]($1)')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
  return plain
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => signs[entity] ?? entity)
    .replaceAll('<', '\\<')
}

const signs: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

function boxOf(item: HtmlNode): string {
  if (
    /^(?:true|checked)$/i.test(
      attribute(item, '_complete') || attribute(item, 'complete') || attribute(item, '_status'),
    )
  )
    return '[x] '
  return attribute(item, '_task') ||
    attribute(item, 'checkbox') ||
    /^unchecked$/i.test(attribute(item, '_status'))
    ? '[ ] '
    : ''
}

function linked(item: HtmlNode, text: string): string {
  const address = attribute(item, 'url') || attribute(item, 'htmlurl') || attribute(item, 'xmlurl')
  if (!/^https?:\/\/[^\s<>()]+$/i.test(address) || text.includes('](')) return text
  return `[${text ? text.replace(/[[\]]/g, '') : escapeMarkdown(address)}](${address})`
}

function asTime(text: string | undefined): string | null {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
