// The conversation as the model is given it: recent turns whole (their blocks verbatim, tool results included), older
// ones as plain text, all within a budget; and always valid, whatever a crash left behind.

import type { ContentBlock, ModelMessage } from '../ai/model.ts'
import type { Queryable } from '../db/pool.ts'
import { createMessagesRepo, type SaidRow } from '../db/repos/messages.ts'
import { createTurnStepsRepo, type StepRow } from '../db/repos/turn_steps.ts'
import { toQuestion } from './outcome-block.ts'
import { repairHistory } from './repair-history.ts'

export type HistoryBudget = {
  /** Messages looked back upon. */
  messages: number
  /** Turns given whole. */
  wholeTurns: number
  /** Characters of all blocks together; about four to a token. */
  characters: number
}

export const defaultBudget: HistoryBudget = { messages: 80, wholeTurns: 6, characters: 240_000 }

/** The messages before `beforeId` (the message that is being answered), ready to be sent. */
export async function loadHistory(
  db: Queryable,
  conversationId: string,
  beforeId: string,
  budget = defaultBudget,
): Promise<ModelMessage[]> {
  const messages = await createMessagesRepo(db).listSaid(conversationId, beforeId, budget.messages)
  const turnIds = [...new Set(messages.flatMap(({ turn_id }) => turn_id ?? []))]
  const whole = turnIds.slice(-budget.wholeTurns)
  const steps = whole.length > 0 ? await createTurnStepsRepo(db).list(whole) : []
  return repairHistory(fitBudget(toTurns(messages, steps), budget.characters).flat())
}

/** `size` in characters as stored: to count the messages themselves would mean to make JSON of them again. */
type PastTurn = { messages: ModelMessage[]; size: number }

/** Oldest first. */
function toTurns(messages: readonly SaidRow[], steps: readonly StepRow[]): PastTurn[] {
  const stepsOf = Map.groupBy(steps, ({ turn_id }) => turn_id)
  const turns = Map.groupBy(messages, ({ turn_id, id }) => turn_id ?? id)

  return [...turns].map(([turnId, rows]) => {
    const own = stepsOf.get(turnId)
    if (!own) return { messages: rows.map(toText), size: charactersOf(rows) }
    const asked = rows.filter(({ role }) => role === 'user')
    return {
      messages: [...asked.map(toText), ...own.map(toStep)],
      size: own.reduce((sum, { content }) => sum + content.length, charactersOf(asked)),
    }
  })
}

// The newest turn that does not fit whole goes in as text, and so does everything before it, while there is room.
function fitBudget(turns: PastTurn[], characters: number): ModelMessage[][] {
  let left = characters
  let whole = true
  const kept: ModelMessage[][] = []

  for (const { messages, size } of turns.toReversed()) {
    if (whole && size > left) whole = false
    const text = whole ? [] : messages.flatMap(textOnly)
    left -= whole ? size : charactersOf(text)
    if (left < 0) break
    kept.unshift(whole ? messages : text.map(toText))
  }
  return kept
}

type Said = Pick<SaidRow, 'role' | 'body'>

const charactersOf = (said: readonly Said[]) => said.reduce((sum, { body }) => sum + body.length, 0)

const toText = ({ role, body, told }: Said & Partial<Pick<SaidRow, 'told'>>): ModelMessage =>
  role === 'user' ? toQuestion(body, told ?? []) : { role, content: body }

function toStep({ role, content }: StepRow): ModelMessage {
  const blocks: ContentBlock[] = JSON.parse(content)
  return { role, content: blocks }
}

function textOnly({ role, content }: ModelMessage): Said[] {
  if (typeof content === 'string') return [{ role, body: content }]
  const texts = content.flatMap((block) =>
    block.type === 'text' && 'text' in block ? [String(block.text)] : [],
  )
  // Of a question only the owner's own words, which come last.
  const body = role === 'user' ? (texts.at(-1) ?? '') : texts.join('')
  return body === '' ? [] : [{ role, body }]
}
