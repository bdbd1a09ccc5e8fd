// The search tool of a source that is connected to the Space. It is asked within bounds; one that fails costs the run a
// sentence, and is not asked again.

import { chunkText } from '../../../core/text/chunk.ts'
import { cleanLine, cleanText } from '../../../core/text/clean.ts'
import type { SearchTool } from '../../../outside/sources/search-tools.ts'
import { isAttended, type StageContext } from './stage.ts'

type FoundOutside = WebPassage & {
  /** The stored result, and the place in it. */
  entity_id: string
  ordinal: number
}

type WebSearch = {
  /** Best first; nothing once there is no source left to ask. Throws when the turn is aborted. */
  search(request: { q: string; limit: number }): Promise<FoundOutside[]>
  /** A sentence for each source that failed. */
  problems(): string[]
}

/** For one answer, and for all answers of a stage together. */
const callMs = 20_000

const stageMs = 60_000

const maxReason = 200

/** Asks nothing at a depth that searches only the Space, nor for an external agent. */
export async function openWebSearch(context: StageContext): Promise<WebSearch> {
  const { deps, turn, depth, state } = context
  const left =
    depth.searches_web && isAttended(state.run) ? await deps.outsideTools.searchTools(turn.turn.space_id) : []
  const problems: string[] = []
  const until = performance.now() + stageMs

  return {
    problems: () => problems,
    async search({ q, limit }) {
      for (let tool = left[0]; tool; tool = left[0]) {
        const ms = Math.min(callMs, until - performance.now())
        const answer = ms > 0 ? await ask(context, tool, { q, ms }) : { failed: 'It took too long.' }
        if ('id' in answer) return toFound(answer, limit)
        problems.push(`The source “${tool.source}” was left out: ${answer.failed}`)
        left.shift()
      }
      return []
    },
  }
}

type Answer = { id: string; text: string; title: string } | { failed: string }

async function ask(
  { deps, turn, step }: StageContext,
  { source, tool, argument }: SearchTool,
  { q, ms }: { q: string; ms: number },
): Promise<Answer> {
  turn.signal.throwIfAborted()
  return await step<Answer>({ tool: 'call_tool', args: { source, tool, q } }, async (id) => {
    const result = await callWithin(id)
    const isFailed = 'failed' in result
    return { result, summary: isFailed ? result.failed : `${result.text.length} characters`, isFailed }
  })

  async function callWithin(tool_use_id: string): Promise<Answer> {
    try {
      const result = await deps.outsideTools.call(turn.actor, {
        space_id: turn.turn.space_id,
        source,
        tool,
        arguments: { [argument]: q },
        reason: '',
        turn: { id: turn.turn.id, conversation_id: turn.turn.conversation_id },
        tool_use_id,
        signal: AbortSignal.any([turn.signal, AbortSignal.timeout(Math.ceil(ms))]),
      })
      if ('card' in result) return { failed: 'It may not be called freely.' }
      const { id, text, title, failed } = result
      return failed ? { failed: reasonOf(text) } : { id, text, title }
    } catch (error) {
      turn.signal.throwIfAborted()
      const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
      return { failed: isTimeout ? 'It took too long.' : reasonOf(error) }
    }
  }
}

const reasonOf = (problem: unknown): string =>
  cleanLine(problem instanceof Error ? problem.message : String(problem))
    .slice(0, maxReason)
    .toWellFormed()

const toFound = ({ id, text, title }: Exclude<Answer, { failed: string }>, limit: number): FoundOutside[] =>
  readSearchResult(text, limit).map((passage, ordinal) => ({
    ...passage,
    title: passage.title || title,
    entity_id: id,
    ordinal,
  }))

// What a search tool answered, as passages with their addresses. Servers answer in their own ways: JSON with a list of
// results, lines such as “Title: …” and “URL: …”, or plain text. All of it is text from outside, and none of it is
// trusted to be what it says.

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
