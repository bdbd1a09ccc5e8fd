// What a model server says when it fails, in all the shapes that servers use.

import { type Dict, isRecord } from '../../core/record.ts'

/** An error of the server, as an HTTP status or within a response. */
export type Failure = {
  status: number | undefined
  /** The server's name for it, such as `overloaded_error` or `context_length_exceeded`. */
  type: string | null
  /** The server's words. */
  message: string
  retryAfter?: string | null
  /** Tokens of the model's context and of the request, where the server says so. */
  contextTokens?: number | null
  neededTokens?: number | null
}

/** Characters of a server's words that are kept. */
const maxWords = 2000

/**
 * The failure in a body: `{"error": {"message", "type", "code"}}`, `{"error": "…"}`, `{"message"}`, `{"detail"}` (a
 * sentence or a list of `{msg, loc}`), `{"errors": […]}`, a list of these, text, or a page of HTML, of which the title says most.
 */
export function readFailure(body: unknown, status: number | undefined): Failure {
  const shape = Array.isArray(body) ? body[0] : body
  const words = wordsOf(shape)?.trim() || 'no message'
  const nested = isRecord(shape) && isRecord(shape.error) ? shape.error : isRecord(shape) ? shape : {}
  return {
    status: status ?? statusOf(nested),
    type: typeOf(nested),
    message: plainWords(words).slice(0, maxWords).toWellFormed(),
    contextTokens: tokens(nested.n_ctx),
    neededTokens: tokens(nested.n_prompt_tokens),
  }
}

/** Whether a response with a status of success says that it failed. */
export const saysFailure = (body: Dict): boolean =>
  (body.error !== undefined && body.error !== null) || body.type === 'error'

function wordsOf(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value
  if (Array.isArray(value))
    return (
      value
        .slice(0, 3)
        .flatMap((each) => wordsOf(each, depth + 1) ?? [])
        .join('; ') || null
    )
  if (!isRecord(value) || depth > 4) return null
  const raw = isRecord(value.metadata) ? wordsOf(value.metadata.raw, depth + 1) : null
  for (const name of ['error', 'message', 'msg', 'detail', 'errors', 'error_message', 'reason', 'title']) {
    const words = wordsOf(value[name], depth + 1)
    if (words) return raw && raw !== words ? `${words} (${raw})` : words
  }
  return raw
}

/** The most telling of `code`, `type` and `status`: providers put the name into any of them. */
function typeOf({ type, code, status }: Dict): string | null {
  const names = [code, type, status].filter(
    (name) => typeof name === 'string' && name !== '' && name !== 'error',
  )
  return (names.find((name) => kindNames.test(String(name))) ?? names[0] ?? null) as string | null
}

const kindNames =
  /rate|quota|overload|auth|permission|not_found|context|api_key|timeout|unavailable|exhausted/i

const statusOf = ({ code, status }: Dict): number | undefined =>
  [code, status].map(Number).find((each) => Number.isInteger(each) && each >= 300 && each < 600)

const tokens = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null)

/** Of a page of HTML its title, else its first words. */
function plainWords(words: string): string {
  if (!/^\s*(?:<!doctype|<html|<head|<body|<center)/i.test(words)) return words
  const page = words.slice(0, 20_000)
  const title = /<(title|h1)[^>]{0,200}>([^<]{1,300})/i.exec(page)?.[2]
  const text = title ?? page.replace(/<[^>]{0,500}>/g, ' ')
  return text.replace(/\s+/g, ' ').trim().slice(0, 300) || 'a web page'
}

// A request that is longer than the model's context. There is no common name for it, so it is known by words:
// Anthropic, Bedrock "prompt is too long", "Input is too long for requested model"; OpenAI, vLLM, DeepSeek "This model's
// maximum context length is 4096 tokens"; llama.cpp "exceeds the available context size"; LM Studio "the context
// overflows", "greater than the context length"; Ollama "input length exceeds the context length"; Gemini "The input
// token count (…) exceeds the maximum number of tokens"; Mistral "too large for model with … maximum context length";
// xAI "maximum prompt length is"; vLLM "is longer than the maximum model length"; Cohere "too many tokens"; TGI "must be
// <= 4097. Given: 5000 `inputs` tokens".
const overflowWords = [
  /(?:prompt|input|request|message|conversation)s?\b.{0,40}\b(?:is|are) too (?:long|large)/i,
  /maximum (?:context|prompt|model|sequence|input) (?:length|size|window)/i,
  /exceed\w*\b.{0,60}\b(?:context|maximum number of tokens|token limit|max_model_len|model length)/i,
  /context.{0,12}\boverflow/i,
  /(?:greater|longer|larger|more) than the (?:context|maximum)/i,
  /(?:context (?:length|window|size)|n_ctx)\b.{0,60}\b(?:exceed|exceeded|too (?:small|short)|of only|reached)/i,
  /reached (?:the )?context (?:length|size|limit)/i,
  /too many (?:input )?tokens|reduce the length of (?:the|your) (?:messages|prompt|input)/i,
  /tokens? .{0,60}must be <= \d+/i,
  /context.shift is disabled|context (?:the )?overflows/i,
]

const overflowTypes =
  /context_length_exceeded|exceed_context_size|context_window|request_too_large|string_above_max/i

/** Per minute: a rate limit, whatever else it says. */
const rateWords = /per (?:minute|hour|day|second)|\b(?:TPM|RPM|TPD)\b|rate limit/i

/** Whether the server refused the call because it is longer than the model's context. */
export function isTooLong({ status, type, message }: Failure): boolean {
  if (rateWords.test(message) || status === 429 || status === 401 || status === 403) return false
  if (status === 413 || overflowTypes.test(type ?? '')) return true
  return overflowWords.some((words) => words.test(message.slice(0, maxWords)))
}

/** Tokens that the context has and that the request needs, as far as the server says; a guess is `null`. */
export function readOverflow({ message, contextTokens, neededTokens }: Failure): {
  context: number | null
  needed: number | null
} {
  const numbers = [...message.slice(0, maxWords).matchAll(/\d[\d,_.]{0,12}\d|\d/g)].flatMap(({ 0: text }) => {
    const value = Number(text.replace(/[,_.](?=\d{3}\b)/g, ''))
    return Number.isInteger(value) && value >= 256 ? [value] : []
  })
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b)
  const context =
    contextTokens ?? numberIn(message, contextNumber) ?? (sorted.length === 2 ? sorted[0]! : null)
  const most = sorted.at(-1) ?? null
  const needed = neededTokens ?? (most !== null && context !== null && most > context ? most : null)
  return { context, needed }
}

const contextNumber =
  /(?:context (?:length|size|window)(?: of(?: only)?| is|:)?|maximum(?: model| prompt| context)? length (?:is|of)|only|maximum of|allowed|>|<=|limit of|limit:)\s*\(?(\d[\d,_]{2,12})/i

function numberIn(text: string, pattern: RegExp): number | null {
  const digits = pattern.exec(text)?.[1]?.replace(/[,_]/g, '')
  return digits ? Number(digits) : null
}
