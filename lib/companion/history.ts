// The conversation as the model is given it: recent turns whole (their blocks verbatim, tool results included), older
// ones as plain text, what is older still as a running summary, all within a budget; and always valid, whatever a crash
// left behind. docs/reliability.md states the policy. Nothing of it is lost to the reader: only the model gets less.

import type { ModelMessage } from '../ai/model.ts'
import type { Queryable } from '../db/pool.ts'
import { createMessagesRepo, type SaidRow } from '../db/repos/messages.ts'
import { createRunningSummariesRepo, type RunningSummary } from '../db/repos/running_summaries.ts'
import { createTurnStepsRepo, type PastStepRow } from '../db/repos/turn_steps.ts'
import { markedBody, wordsBehind } from './broken-off.ts'
import { digestLines, longestLine, toDigestMessage } from './digest-lines.ts'
import { fitBudget, type PastTurn, type Said } from './fit-budget.ts'
import { toQuestion } from './outcome-block.ts'
import { repairHistory } from './repair-history.ts'
import { readBlocks, withoutThinking } from './valid-blocks.ts'

export type HistoryBudget = {
  /** Messages that are given as they are, at the most. */
  messages: number
  /** Messages from which on the older ones are summed up. */
  summarizeFrom: number
  /** Turns given whole. */
  wholeTurns: number
  /** Characters of all blocks together; about four to a token. */
  characters: number
}

export const defaultBudget: HistoryBudget = {
  messages: 120,
  summarizeFrom: 80,
  wholeTurns: 6,
  characters: 240_000,
}

export type HistoryRequest = {
  conversationId: string
  /** The message that is being answered. */
  beforeId: string
  /** The model that is to read it: the thinking of another one is left out. */
  model: string | null
  budget?: HistoryBudget
}

/** Messages without a summary that are looked at for one at the moment of asking. */
const mostDigested = 200

export type History = {
  messages: ModelMessage[]
  /** Whether there is enough for a running summary. */
  isLong: boolean
}

/** The messages before the one that is being answered, ready to be sent. */
export async function loadHistory(db: Queryable, request: HistoryRequest): Promise<History> {
  const { conversationId, beforeId, model, budget = defaultBudget } = request
  const all = await createMessagesRepo(db).listSaid(conversationId, beforeId, budget.messages)
  const isLong = all.length > budget.summarizeFrom
  const summary = isLong ? await createRunningSummariesRepo(db).find(conversationId) : nothing
  const messages = all.filter(({ id }) => summary.until === null || id > summary.until)

  const turnIds = [...new Set(messages.flatMap(({ turn_id }) => turn_id ?? []))]
  const whole = turnIds.slice(-budget.wholeTurns)
  const steps = whole.length > 0 ? await createTurnStepsRepo(db).listPast(whole) : []
  const { kept, left } = fitBudget(toTurns(messages, steps, model), budget.characters)

  const first = messages[0]?.id ?? beforeId
  const unseen =
    all.length === budget.messages && messages.length === all.length
      ? await createRunningSummariesRepo(db).listBetween(
          conversationId,
          { after: summary.until, before: first },
          { limit: mostDigested, characters: longestLine },
        )
      : []
  const digest = digestLines(summary.summary, [...unseen, ...left])
  const summed = digest === '' ? [] : [toDigestMessage(digest)]
  return { messages: repairHistory([...summed, ...kept]), isLong }
}

const nothing: RunningSummary = { summary: '', until: null }

/** Oldest first. */
function toTurns(
  messages: readonly SaidRow[],
  steps: readonly PastStepRow[],
  model: string | null,
): PastTurn[] {
  const stepsOf = Map.groupBy(steps, ({ turn_id }) => turn_id)
  const turns = Map.groupBy(messages, ({ turn_id, id }) => turn_id ?? id)

  return [...turns].map(([turnId, rows]) => {
    const own = stepsOf.get(turnId)
    const said: Said[] = rows.map((row) => ({ role: row.role, body: markedBody(row) }))
    if (!own) return { messages: rows.map(toText), said, size: charactersOf(rows) }
    const asked = rows.filter(({ role }) => role === 'user')
    const behind = rows.map((row) => wordsBehind(row, textsOf(own))).filter((words) => words !== null)
    return {
      messages: [
        ...asked.map(toText),
        ...own.map((step) => toStep(step, model)),
        ...behind.map((content) => ({ role: 'assistant' as const, content })),
      ],
      said,
      size: own.reduce((sum, { content }) => sum + content.length, charactersOf(asked)),
    }
  })
}

const charactersOf = (said: readonly Said[]) => said.reduce((sum, { body }) => sum + body.length, 0)

const toText = (row: SaidRow): ModelMessage =>
  row.role === 'user' ? toQuestion(row.body, row.told ?? []) : { role: row.role, content: markedBody(row) }

const textsOf = (steps: readonly PastStepRow[]): string[] =>
  steps
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ content }) => readBlocks(content))
    .flatMap((block) => (block.type === 'text' && 'text' in block ? [String(block.text)] : []))

function toStep({ role, content, model: said }: PastStepRow, model: string | null): ModelMessage {
  const blocks = readBlocks(content)
  return { role, content: said === model ? blocks : withoutThinking(blocks) }
}
