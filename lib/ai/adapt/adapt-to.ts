// A model that is sent only what its server takes, as far as that is known. A refusal that names a part of the request is
// remembered, and the request is sent again without that part: each part can be refused once, so this ends.

import { type CallModel, ModelError, type ModelMessage, type ModelRequest } from '../model.ts'
import type { WireName } from '../wires/wire.ts'
import type { Abilities } from './abilities.ts'
import { flattenTool, withFlatTools } from './flat-tools.ts'
import { withSourcesAsText } from './sources-as-text.ts'
import { hasImage, hasThinking, withoutImages, withoutPastThinking } from './without-images.ts'

export type AdaptOptions = {
  wire: WireName
  /** What is known by now. */
  abilities: () => Abilities
  /** Called with what a refusal has shown; resolves when it is kept. */
  learn: (found: Partial<Abilities>) => Promise<void>
}

/** What is left out of one request: what the server does not take, and what of this request alone it refused. */
type Known = Abilities & { pastThinking: boolean }

export function adaptTo(callModel: CallModel, { wire, abilities, learn }: AdaptOptions): CallModel {
  return async (request) => {
    let known: Known = { ...abilities(), pastThinking: true }
    let hasBegun = false
    const watched: ModelRequest = {
      ...request,
      onTextDelta: (text) => {
        hasBegun = true
        request.onTextDelta?.(text)
      },
    }
    for (;;) {
      const sent = toTaken(watched, known)
      const typed = known.unions ? callModel : withFlatTools(callModel)
      const call = known.blocks ? typed : withSourcesAsText(typed)
      try {
        return await call(sent)
      } catch (error) {
        const refusal = hasBegun ? null : readRefusal(error, sent, known, wire)
        if (!refusal) throw error
        if (refusal.found.images === false) request.onStatus?.(withoutThem)
        known = { ...known, ...refusal.found }
        if (refusal.isLasting) await learn(refusal.found)
      }
    }
  }
}

const withoutThem = 'The model did not accept the images. Asking again without them.'

function toTaken(request: ModelRequest, known: Known): ModelRequest {
  const { images, pastThinking, thinks, toolChoice, refused, maxTokens } = known
  const { thinking, withheldTools, ...rest } = request
  const changes = [
    ...(images === false ? [withoutImages] : []),
    ...(pastThinking ? [] : [withoutPastThinking]),
  ]
  const isSent = thinking !== undefined && thinks !== false && (thinking !== 'auto' || thinks === true)
  return {
    ...rest,
    ...(isSent ? { thinking } : {}),
    ...(withheldTools && toolChoice !== false ? { withheldTools } : {}),
    ...(refused.length > 0 ? { without: refused } : {}),
    ...(maxTokens === null ? {} : { maxTokens: Math.min(rest.maxTokens ?? maxTokens, maxTokens) }),
    messages: changes.reduce<readonly ModelMessage[]>(
      (messages, change) => messages.map(change),
      request.messages,
    ) as ModelMessage[],
  }
}

type Refusal = { found: Partial<Known>; isLasting: boolean }

/** What the server refused by this error; `null` where it names nothing that was sent. */
function readRefusal(error: unknown, sent: ModelRequest, known: Known, wire: WireName): Refusal | null {
  if (!(error instanceof ModelError) || !refusals.has(error.code)) return null
  // Behind the status, which is a number like any other.
  const words = String(error.cause).replace(/^Error: (?:\d{3}|stream) /, '')
  const lasting = (found: Partial<Abilities>): Refusal => ({ found, isLasting: true })
  const part = refusedPart(words, sent, wire)
  if (known.pastThinking && /signature/i.test(words) && sent.messages.some(hasThinking))
    return { found: { pastThinking: false }, isLasting: false }
  if (part) return lasting({ refused: [...known.refused, part] })
  const limit = namedLimit(words, sent)
  if (limit !== null) return lasting({ maxTokens: limit })
  if (/tool_choice/.test(words) && sent.withheldTools) return lasting({ toolChoice: false })
  if (known.unions && unionWords.test(words) && hasUnions(sent)) return lasting({ unions: false })
  if (known.blocks && /search_result|tool_result|citations/i.test(words)) return lasting({ blocks: false })
  const isOfImages = /image|vision|multimodal/i.test(words) || error.code === 'model_bad_request'
  if (known.images === false || !isOfImages || !sent.messages.some(hasImage)) return null
  // A server that is known to see images refused these alone.
  return { found: { images: false }, isLasting: known.images === null && /image|vision/i.test(words) }
}

const refusals: ReadonlySet<string> = new Set(['model_bad_request', 'model_failed'])

/** The part of a request that the words name, among those that were sent. */
function refusedPart(words: string, sent: ModelRequest, wire: WireName) {
  const { without = [], thinking } = sent
  const isEffort = /effort|output_config/i.test(words)
  const isThinking = isEffort || /think|reasoning/i.test(words)
  const ofThinking = thinking === 'off' ? (['off'] as const) : wire === 'chat' || isEffort ? effort : manner
  const named = [
    ...(thinking && isThinking ? ofThinking : []),
    ...(/cache_control|\bcache/i.test(words) ? (['caching'] as const) : []),
    ...(/stream_options|include_usage/i.test(words) ? (['stream_options'] as const) : []),
    ...(/max_completion_tokens/.test(words) && wire === 'chat' ? (['max_tokens'] as const) : []),
  ]
  return named.find((part) => !without.includes(part)) ?? null
}

const effort = ['effort'] as const
const manner = ['adaptive', 'budget'] as const

/** Alternatives by their name, or a schema of which the server can make no grammar or type. */
const unionWords =
  /(?:any|one)_?of\b|\bunions?\b|\b(?:schema|grammar)s?\b.{0,80}\b(?:support|unsupported|invalid|convert|conversion|pars\w+|fail\w*)|\b(?:unsupported|invalid|fail\w*|unable|cannot|could not)\b.{0,80}\b(?:schema|grammar|function parameters)|cannot unmarshal\b.{0,80}\btool/i

const hasUnions = ({ tools, withheldTools = [] }: ModelRequest) =>
  [...tools, ...withheldTools].some((tool) => flattenTool(tool) !== tool)

/** The longest answer that the server takes, where it says so in refusing a longer one. */
function namedLimit(words: string, { maxTokens }: ModelRequest): number | null {
  if (!/max_tokens|max_completion_tokens|max(?:imum)? (?:output|completion) tokens/i.test(words)) return null
  const numbers = [...words.matchAll(/\d[\d,]{2,8}/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
  const limit = Math.min(...numbers.filter((number) => number >= 256))
  return Number.isFinite(limit) && limit < (maxTokens ?? Number.POSITIVE_INFINITY) ? limit : null
}
