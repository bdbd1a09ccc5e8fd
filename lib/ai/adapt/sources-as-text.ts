// For servers that drop blocks of the type `search_result`, as Ollama, llama.cpp and LiteLLM do: each passage goes out as
// text, numbered by source and line, and the numbers in the answer become citations of the same shape that the Messages
// API gives. Everything above sees blocks and citations either way, and checks them alike.

import type {
  CallModel,
  ContentBlock,
  ModelMessage,
  ModelRequest,
  SearchResultBlock,
  TextBlock,
  TextCitation,
} from '../model.ts'
import { prompts } from '../prompts/prompts.ts'
import { filterMarks, type Mark, type MarkedSource } from './citation-marks.ts'

/** At the beginning of the system prompt, so that it is cached with it. */
const howToCite = prompts.sources.text

type NumberedSource = {
  block: SearchResultBlock
  /** `number`: in the text that they are of, else in the passage, from 1. */
  lines: { text: string; part: number; number: number }[]
}

export function withSourcesAsText(callModel: CallModel): CallModel {
  return async (request) => {
    const sources = numberSources(request.messages)
    if (sources.size === 0 && request.tools.length === 0) return await callModel(withoutCitations(request))
    const byNumber = [...sources.values()]
    const filter = startFilter(byNumber)
    const shown = startFilter(byNumber)
    const response = await callModel({
      ...toTextRequest(request, sources),
      onTextDelta: (text) => emit(shown.push(text)),
    })
    emit(shown.end())
    const text = filter.push(response.text) + filter.end()
    const texts = citedBlocks(text, filter.marks(), byNumber)
    return { ...response, text, content: withTexts(response.content, texts) }

    function emit(text: string): void {
      if (text !== '') request.onTextDelta?.(text)
    }
  }
}

const startFilter = (sources: readonly NumberedSource[]) =>
  filterMarks((number) => number >= 1 && number <= sources.length)

/** The passages of a request in their order: the first has the number 1. */
function numberSources(messages: readonly ModelMessage[]): Map<SearchResultBlock, NumberedSource> {
  const sources = new Map<SearchResultBlock, NumberedSource>()
  for (const block of messages.flatMap(toBlocks).flatMap((each) => [each, ...partsOf(each)])) {
    if (!isPassage(block)) continue
    const parts = block.content.flatMap(({ text }, part) =>
      text.split('\n').map((line, at) => ({ text: line, part, number: (block.lines?.[part] ?? 0) + at })),
    )
    const lines = block.lines ? parts : parts.map((line, at) => ({ ...line, number: at + 1 }))
    sources.set(block, { block, lines })
  }
  return sources
}

const toBlocks = ({ content }: ModelMessage): readonly ContentBlock[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const partsOf = (block: ContentBlock): readonly ContentBlock[] =>
  block.type === 'tool_result' && 'content' in block && Array.isArray(block.content) ? block.content : []

const isPassage = (block: ContentBlock): block is SearchResultBlock =>
  block.type === 'search_result' && 'content' in block && Array.isArray(block.content)

const isText = (block: ContentBlock): block is TextBlock =>
  block.type === 'text' && 'text' in block && typeof block.text === 'string'

type Sources = ReadonlyMap<SearchResultBlock, NumberedSource>

function toTextRequest(request: ModelRequest, sources: Sources): ModelRequest {
  const { system, systemFixed = system.length } = request
  return {
    ...request,
    system: `${howToCite}\n\n${system}`,
    systemFixed: systemFixed + howToCite.length + 2,
    messages: request.messages.map((message) => toTextMessage(message, sources)),
  }
}

const withoutCitations = (request: ModelRequest): ModelRequest => ({
  ...request,
  messages: request.messages.map((message) => toTextMessage(message, new Map())),
})

function toTextMessage(message: ModelMessage, sources: Sources): ModelMessage {
  const { role, content } = message
  if (typeof content === 'string') return message
  if (role === 'assistant') return { role, content: withMarks(content, [...sources.values()]) }
  const toText = (block: ContentBlock): ContentBlock =>
    isPassage(block) ? { type: 'text', text: renderSource(block, sources) } : block
  return {
    role,
    content: content.map((block) =>
      partsOf(block).some(isPassage) ? { ...block, content: partsOf(block).map(toText) } : toText(block),
    ),
  }
}

/** Each line carries its number, so that no text can pass for the beginning of another source. */
function renderSource(block: SearchResultBlock, sources: Sources): string {
  const number = [...sources.keys()].indexOf(block) + 1
  const lines = sources.get(block)?.lines ?? []
  const head = `Source ${number}: ${block.title.replace(/\s+/g, ' ')} (${block.source})`
  return [head, ...lines.map((line) => `${number}:${line.number}| ${line.text}`)].join('\n')
}

/** What the model said before, with its marks: it goes on as it began. Servers such as these take no citations. */
function withMarks(content: readonly ContentBlock[], sources: readonly NumberedSource[]): ContentBlock[] {
  const merged: ContentBlock[] = []
  for (const block of content) {
    if (!isText(block)) {
      merged.push(block)
      continue
    }
    const marks = [...new Set((block.citations ?? []).map((citation) => markOf(citation, sources)))].join('')
    const text = marks === '' ? block.text : withMark(block.text, marks)
    const last = merged.at(-1)
    if (last && isText(last)) last.text += text
    else merged.push({ type: 'text', text })
  }
  return merged
}

function withMark(text: string, marks: string): string {
  const words = text.trimEnd()
  return `${words} ${marks}${text.slice(words.length)}`
}

/** Empty for a source that is no longer among the messages. */
function markOf({ source, cited_text }: TextCitation, sources: readonly NumberedSource[]): string {
  const wanted = cited_text.trim().split('\n')
  for (const [index, { block, lines }] of sources.entries()) {
    if (block.source !== source) continue
    const from = lines.findIndex(({ text }) => text.trim() !== '' && text.trim() === wanted[0]?.trim())
    if (from === -1) continue
    const [first, last] = [lines[from], lines[Math.min(from + wanted.length, lines.length) - 1]]
    return `[${index + 1}:${first?.number}${wanted.length > 1 ? `-${last?.number}` : ''}]`
  }
  return ''
}

/** The text in blocks that end where a mark stood, each with its citations from the sentence before the mark on. */
function citedBlocks(text: string, marks: readonly Mark[], sources: readonly NumberedSource[]): TextBlock[] {
  const blocks: TextBlock[] = []
  let from = 0
  for (const { at, sources: named } of marks) {
    const start = from + sentenceStart(text.slice(from, at))
    if (start > from) blocks.push({ type: 'text', text: text.slice(from, start) })
    const citations = named.flatMap((each) => toCitation(each, sources))
    const said = text.slice(start, at)
    const last = blocks.at(-1)
    // A mark right after another one belongs to the same words.
    if (said.trim() === '' && last) {
      last.text += said
      last.citations = [...(last.citations ?? []), ...citations]
    } else if (said !== '') blocks.push({ type: 'text', text: said, citations })
    from = at
  }
  if (from < text.length) blocks.push({ type: 'text', text: text.slice(from) })
  return blocks.map((block) => (block.citations?.length === 0 ? { type: 'text', text: block.text } : block))
}

/** Where the sentence, list item or line begins that the text ends with. */
function sentenceStart(text: string): number {
  let end = text.length
  while (end > 0 && /[\s.!?…"'”’)*_]/.test(text[end - 1]!)) end -= 1
  const body = text.slice(0, end)
  const line = body.lastIndexOf('\n') + 1
  let start = line
  for (const { index, 0: stop } of body.slice(line).matchAll(/[.!?…]["'”’)*_]{0,3}\s+/g))
    start = line + index + stop.length
  const marker = /^\s*(?:[-*+]|\d{1,3}[.)]|#{1,6}|>)\s+/.exec(body.slice(line))
  return marker ? Math.max(start, line + marker[0].length) : start
}

/** Longest text that a citation of a whole source carries. */
const maxWhole = 600

function toCitation({ number, from, to }: MarkedSource, sources: readonly NumberedSource[]): TextCitation[] {
  const source = sources[number - 1]
  if (!source) return []
  const { block, lines } = source
  const [start = 1, end = 1] = [lines[0]?.number, lines.at(-1)?.number]
  const first = Math.max(start, from ?? start)
  const last = Math.min(end, Math.max(first, to ?? end))
  const named = lines.filter((line) => line.number >= first && line.number <= last)
  // Lines that the source does not have are no citation.
  if (named.length === 0) return []
  const ofOne = named.filter(({ part }) => part === named[0]!.part)
  let cited_text = ofOne
    .map(({ text }) => text)
    .join('\n')
    .trim()
  if (from === null && cited_text.length > maxWhole)
    cited_text = (ofOne.find(({ text }) => text.trim() !== '')?.text ?? '').trim()
  if (cited_text === '') return []
  const part = named[0]!.part
  return [
    {
      type: 'search_result_location',
      cited_text,
      source: block.source,
      title: block.title,
      search_result_index: number - 1,
      start_block_index: part,
      end_block_index: part + 1,
    },
  ]
}

/** The blocks with these texts in place of theirs, where the first of them stood. */
function withTexts(content: readonly ContentBlock[], texts: readonly TextBlock[]): ContentBlock[] {
  const at = content.findIndex(isText)
  if (at === -1) return [...content]
  const rest = content.slice(at).filter((block) => !isText(block))
  return [...content.slice(0, at), ...texts, ...rest]
}
