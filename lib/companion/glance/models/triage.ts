// The first stage: a small model is shown what is in view and says whether a mail in it may need the owner. It has one
// tool, which ends it; whatever is not exactly one good call of it is silence.

import { z } from 'zod'
import { raceAbort } from '../../../ai/agent/turn.ts'
import type { CallModel, ContentBlock, ModelTool } from '../../../ai/model.ts'
import { prompts } from '../../../ai/prompts/prompts.ts'
import type { GlanceImage, GlanceReason } from '../../../contract/companion/glance.ts'
import { cleanLine } from '../../../core/text/clean.ts'

export type Candidate = { subject: string; sender: string; query: string }

export type TriageRequest = {
  callModel: CallModel
  seen: { title: string; text: string; image: GlanceImage | null }
  /** YYYY-MM-DD */
  today: string
  signal: AbortSignal
}

const maxWords = 5
const maxTokens = 300

const line = z.string().max(2000).overwrite(cleanLine)
const finding = z.strictObject({
  digIn: z.boolean(),
  reason: line.optional(),
  candidate: z
    .strictObject({ subject: line.optional(), sender: line.optional(), query: line.optional() })
    .optional(),
})

const triageTool: ModelTool = {
  name: 'finalize_glance_triage',
  description: 'State what you found. Call it exactly once, and nothing else.',
  input_schema: {
    type: 'object',
    properties: {
      digIn: { type: 'boolean', description: 'Whether a mail in view may need the owner' },
      reason: { type: 'string', description: 'Why, in a few words' },
      candidate: {
        type: 'object',
        properties: {
          subject: { type: 'string', description: 'The subject of that mail, as it is written' },
          sender: {
            type: 'string',
            description: 'Who wrote it: name and address of the From line, never a name from a salutation',
          },
          query: { type: 'string', description: 'Three to five words to search the mail by' },
        },
        additionalProperties: false,
      },
    },
    required: ['digIn'],
    additionalProperties: false,
  },
}

/** A mail to dig into, or why there is none. Never rejects. */
export async function triage({
  callModel,
  seen,
  today,
  signal,
}: TriageRequest): Promise<Candidate | GlanceReason> {
  const shown = JSON.stringify({ today, title: seen.title, text: seen.text })
  const content: ContentBlock[] = [
    ...(seen.image ? [imageBlock(seen.image)] : []),
    {
      type: 'text',
      text: seen.image ? `Today is ${today}. The picture is what the owner has on the screen.` : shown,
    },
  ]
  try {
    const call = callModel({
      system: prompts['glance-triage'].text,
      messages: [{ role: 'user', content }],
      tools: [triageTool],
      maxTokens,
      signal,
    })
    const { toolUses, stopReason } = await raceAbort(call, signal)
    const [use] = toolUses
    if (toolUses.length !== 1 || use?.name !== triageTool.name || stopReason === 'max_tokens')
      return 'triage_malformed'
    return readFinding(use.input)
  } catch {
    return 'triage_failed'
  }
}

function readFinding(input: unknown): Candidate | GlanceReason {
  const { data } = finding.safeParse(input)
  if (!data) return 'triage_malformed'
  if (!data.digIn) return 'triage_silent'
  const { subject = '', sender = '', query = '' } = data.candidate ?? {}
  if (subject === '' || sender === '') return 'not_legible'
  const words = query.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.length === 0 ? 'no_query' : { subject, sender, query: words.slice(0, maxWords).join(' ') }
}

/** A block of the Messages API. */
export const imageBlock = ({ media_type, data }: GlanceImage): ContentBlock => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
