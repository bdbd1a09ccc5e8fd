// What a search tool answered, as passages with their addresses. Servers answer in their own ways: JSON with a list of
// results, lines such as “Title: …” and “URL: …”, or plain text. All of it is text from outside, and none of it is
// trusted to be what it says.

import { chunkText } from '../../core/text/chunk.ts'
import { cleanLine, cleanText } from '../../core/text/clean.ts'

export type WebPassage = { title: string; address: string | null; text: string }

/** Characters of an answer that are looked at. */
const maxRead = 200_000

const maxResults = 20

/** Passages of one result. */
const perResult = 2

const maxTitle = 300

const maxAddress = 2000

type Result = { title: string; address: string | null; text: string }

/** At most so many passages, each of at most 2,000 characters, in the order of the answer. */
export function readSearchResult(answer: string, limit: number): WebPassage[] {
  const text = answer.slice(0, maxRead).toWellFormed()
  const results = (readJson(text) ?? readLabelled(text) ?? readPlain(text)).slice(0, maxResults)
  const passages = results.map(({ title, address, text: own }) =>
    chunkText(cleanText(withoutTags(own)))
      .slice(0, perResult)
      .map((chunk) => ({
        title: cleanLine(withoutTags(title)).slice(0, maxTitle),
        address,
        text: chunk.text,
      })),
  )
  return passages
    .flat()
    .filter(({ text: own }) => /[\p{L}\p{N}]{2}/u.test(own))
    .slice(0, limit)
}

const withoutTags = (text: string) => text.replace(/<\/?[a-z][a-z0-9]{0,10}(?:\s[^<>]{0,200})?>/gi, '')

const titleNames = ['title', 'name', 'heading']

const addressNames = ['url', 'link', 'href', 'uri']

const textNames = ['content', 'text', 'snippet', 'description', 'summary', 'body', 'extract', 'highlights']

/** How deep in an answer a list of results may be. */
const maxDepth = 4

/** `null` for what is no JSON with results. */
function readJson(text: string): Result[] | null {
  if (!/^\s{0,100}[[{]/.test(text)) return null
  try {
    const found = findResults(JSON.parse(text), 0)
    return found && found.length > 0 ? found : null
  } catch {
    return null
  }
}

/** The first list in which something has a text. */
function findResults(value: unknown, depth: number): Result[] | null {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return null
  if (Array.isArray(value)) {
    const results = value.slice(0, maxResults).flatMap((one) => toResult(one) ?? [])
    if (results.length > 0) return results
  }
  for (const inner of Object.values(value).slice(0, 100)) {
    const found = findResults(inner, depth + 1)
    if (found) return found
  }
  return null
}

function toResult(value: unknown): Result | null {
  if (typeof value !== 'object' || value === null) return null
  const text = textNames
    .map((name) => stringOf(Reflect.get(value, name)))
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)[0]
  const [title = ''] = titleNames.map((name) => stringOf(Reflect.get(value, name))).filter(Boolean)
  const [address = ''] = addressNames.map((name) => stringOf(Reflect.get(value, name))).filter(Boolean)
  return text ? { title, address: toAddress(address), text } : null
}

const stringOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.filter((one) => typeof one === 'string').join('\n')
      : ''

const label = /^\s{0,10}(?:\d{1,3}[.)]\s{0,5})?\*{0,2}(title|url|link)\*{0,2}:\*{0,2}\s{0,10}(.*)$/i

const textLabel =
  /^\s{0,10}\*{0,2}(?:description|content|text|snippet|summary|highlights)\*{0,2}:\*{0,2}\s{0,10}/i

/** Results that begin with a line “Title: …”; `null` where there is none. */
function readLabelled(text: string): Result[] | null {
  const results: (Result & { lines: string[] })[] = []
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = label.exec(line) ?? []
    const last = results.at(-1)
    if (name.toLowerCase() === 'title') results.push({ title: value, address: null, text: '', lines: [] })
    else if (name && last && last.address === null) last.address = toAddress(value.trim())
    else last?.lines.push(line.replace(textLabel, ''))
  }
  return results.length > 0 ? results.map(({ lines, ...one }) => ({ ...one, text: lines.join('\n') })) : null
}

const anyAddress = /https?:\/\/[^\s<>"'`)\]}]{1,1000}/

/** Passages of the text as it is, each with the first address in it. */
const readPlain = (text: string): Result[] =>
  chunkText(text).map((chunk) => ({
    title: '',
    address: toAddress(anyAddress.exec(chunk.text)?.[0] ?? ''),
    text: chunk.text,
  }))

/** As it may be shown and followed; `null` for anything but the address of a page. */
function toAddress(given: string): string | null {
  if (given === '' || given.length > maxAddress || !URL.canParse(given)) return null
  const { protocol, username, password, href } = new URL(given)
  const isPage = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  return isPage && href.length <= maxAddress ? href : null
}
