// The model of a run whose findings are found by code: code in the place of one. It drafts what was found, and says what it
// could not draft; a run whose drafts are all refused, because they wait or were rejected, ends in silence.

import { z } from 'zod'
import {
  addUsage,
  type CallModel,
  type ModelMessage,
  type ModelResponse,
  noUsage,
  readJsonAnswer,
} from '../../../ai/model.ts'
import { renderPrompt } from '../../../ai/prompts/prompts.ts'
import type { GivenText } from '../../../changes/grounding/provenance.ts'
import { type ReadyName, readyRoutine } from '../../../contract/companion/ready-routines.ts'
import { findSpaceContradictions } from './find-contradictions.ts'
import { findStaleAnswers } from './find-stale-answers.ts'
import { checksIn, findUntidy } from './find-untidy.ts'
import { nothingToDoTool } from './nothing-to-do.ts'
import { overview } from './overviews.ts'
import type { AskModel, ReadyFound, ReadyRun } from './ready-run.ts'

/** Prefix of the ids of its calls. */
const ownCall = 'ready_'

type ReadyModel = {
  callModel: CallModel
  /** What the draft of a call quotes, beside what the turn has read. */
  sourcesOf(toolUseId: string | null): readonly GivenText[]
}

type ReadyOptions = Omit<ReadyRun, 'ask' | 'signal'> & {
  ready: ReadyName
  dry: boolean
  maxDrafts: number
  /** Judges findings; `null`: none is connected, or none may be paid for. */
  judge: CallModel | null
}

export function createReadyModel({ ready, dry, maxDrafts, judge, ...run }: ReadyOptions): ReadyModel {
  let usage = noUsage
  let found: Promise<ReadyFound> | undefined
  let drafts: ReadyFound['drafts'] = []

  return {
    sourcesOf: (id) => drafts[placeOf(id)]?.sources ?? [],

    async callModel({ messages, tools, signal = new AbortController().signal, onTextDelta }) {
      signal.throwIfAborted()
      const ask = judge && createAsk(judge, signal, (used) => (usage = addUsage(usage, used)))
      found ??= find(ready, { ...run, ask, signal })
      const { answer, settle, ...all } = await found
      drafts = all.drafts.slice(0, maxDrafts)
      const stored = storedDrafts(messages)
      if (stored === null && drafts.length > 0)
        return respond(callTools(drafts.map(({ input }) => ({ name: 'propose_change', input }))))
      const text = answer(stored ?? [])
      if (!dry) await settle?.(stored ?? [])
      if (text === null && tools.length > 0)
        return respond(callTools([{ name: nothingToDoTool.name, input: { why: 'Nothing new was found.' } }]))
      onTextDelta?.(text ?? '')
      return respond({
        text: text ?? '',
        content: [{ type: 'text', text: text ?? '' }],
        toolUses: [],
        stopReason: 'end_turn',
      })
    },
  }

  /** What was asked of the model that judges is of the response that it is for. */
  function respond(response: Omit<ModelResponse, 'usage'>): ModelResponse {
    const used = usage
    usage = noUsage
    return { ...response, usage: used }
  }
}

async function find(ready: ReadyName, run: ReadyRun): Promise<ReadyFound> {
  if (ready === 'contradictions') return await findSpaceContradictions(run)
  if (ready === 'stale_answers') return await findStaleAnswers(run)
  if (ready === 'tidy') return await chosen(await untidy(run), run)
  const text = await overview(ready, run)
  return { drafts: [], answer: () => text || null }
}

async function untidy({ database, space_id, instruction }: ReadyRun): Promise<ReadyFound> {
  const { drafts, notes } = await findUntidy(database, space_id, checksIn(instruction))
  return {
    drafts: drafts.map((input) => ({ input })),
    answer: ({ length }) =>
      length === 0
        ? null
        : [
            length === 1 ? 'One thing to tidy.' : `${length} things to tidy.`,
            ...(notes.length > 0 ? ['', 'Not drafted, because only you know what is right:', ''] : []),
            ...notes.map((note) => `- ${note}`),
          ].join('\n'),
  }
}

const maxChosen = 100
const kept = z.object({ keep: z.array(z.string().max(10)).max(maxChosen) })

/** Those that an edited instruction does not leave out, by the model where there is one. */
async function chosen(found: ReadyFound, { ask, instruction }: ReadyRun): Promise<ReadyFound> {
  const isOwn = instruction.trim() !== readyRoutine('tidy').instruction
  if (!ask || !isOwn || found.drafts.length === 0) return found
  const drafts = found.drafts.slice(0, maxChosen)
  const findings = drafts.map(({ input }, at) => ({
    id: String(at + 1),
    what: `${input.action} ${input.entity_type}`,
    because: input.reason.slice(0, 400).toWellFormed(),
  }))
  const content = JSON.stringify({ instruction, findings })
  const said = await ask({ system: renderPrompt('routine-choose', {}), content, schema: kept })
  return said ? { ...found, drafts: drafts.filter((_, at) => said.keep.includes(String(at + 1))) } : found
}

const createAsk =
  (callModel: CallModel, signal: AbortSignal, count: (usage: ModelResponse['usage']) => void): AskModel =>
  async ({ system, content, schema }) => {
    try {
      const response = await callModel({ system, messages: [{ role: 'user', content }], tools: [], signal })
      count(response.usage)
      return readJsonAnswer(response.text, schema)
    } catch {
      signal.throwIfAborted()
      // What code found stands without a judge.
      return null
    }
  }

const placeOf = (id: string | null): number =>
  id?.startsWith(ownCall) ? Number(id.slice(ownCall.length)) - 1 : -1

/** Places of the calls of this run that stored a draft; `null`: none were made yet. */
function storedDrafts(messages: readonly ModelMessage[]): number[] | null {
  const results = messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter((block) => block.type === 'tool_result' && placeOf(String(Object(block).tool_use_id)) >= 0)
  if (results.length === 0) return null
  return results
    .filter((block) => Object(block).is_error !== true)
    .map((block) => placeOf(String(Object(block).tool_use_id)))
}

function callTools(calls: { name: string; input: object }[]): Omit<ModelResponse, 'usage'> {
  const toolUses = calls.map((call, index) => ({ id: `${ownCall}${index + 1}`, ...call }))
  const content = toolUses.map((use) => ({ type: 'tool_use' as const, ...use }))
  return { text: '', content, toolUses, stopReason: 'tool_use' }
}
