// A routine as a draft. The companion may say which words of the owner ask for it; when it runs and
// what it does is read from those words, so that no text from outside has a say in either.

import { hasOutside } from '../../changes/grounding/provenance.ts'
import type { Proposal } from '../../changes/propose/proposal.ts'
import type { ProposeChange } from '../../changes/propose/propose.ts'
import type { Kinds } from '../../contract/entities/kinds.ts'
import { kind as routineKind, routineRequestFields } from '../../contract/entities/routine_request.ts'
import { forbidden, invalid } from '../../core/errors.ts'
import type { Calendar } from '../../core/schedule/calendar.ts'
import { type RoutineRequest, readRoutineRequest } from '../../core/schedule/read-routine-request.ts'
import { firstWords } from '../../core/text/bounds.ts'
import { findStatement } from '../../core/text/memory/statements.ts'
import type { Database } from '../../db/pool.ts'
import { readOwnWords } from '../memory/own-words.ts'

type RoutineDeps = { database: Database; kinds: Kinds; calendar: Calendar; proposeChange: ProposeChange }

const Given = routineRequestFields.partial().strict()

/**
 * Drafts routines, and leaves other drafts to `proposeChange`. Throws `AppError` as that does; 400 for words that the owner
 * did not say in this thread, or that name no times; 403 outside of a conversation.
 */
export function createProposeRoutine(deps: RoutineDeps): ProposeChange {
  const { database, kinds, calendar, proposeChange } = deps
  return async (actor, proposal) => {
    if (proposal.entity_type !== routineKind.type) return await proposeChange(actor, proposal)
    const { turn } = proposal
    if (!turn) throw forbidden('A routine is drafted only in a conversation with the owner.')
    const quote = readQuote(proposal)
    const said = await readOwnWords(database, turn)
    if (said === null) throw forbidden('A routine makes no routine: nobody is there who asks for it.')
    const asked = readRoutineRequest(said[0] ?? '')
    const isAsked = asked !== null && said[0]!.includes(quote.trim())
    const request = isAsked ? asked : findRequest(said, quote)
    if (!isAsked && (await hasOutside(database, kinds, proposal)))
      throw forbidden(
        'Text from outside was read in this conversation, so a routine is drafted only for a message that asks for it: “Every Friday at 5, …”.',
      )
    return await proposeChange(actor, {
      ...proposal,
      entity_id: undefined,
      payload: {
        title: firstWords(request.instruction).slice(0, 100).toWellFormed() || 'Routine',
        body: request.instruction,
        schedule: request.schedule,
        time_zone: calendar.zone(),
      },
      reason: 'You asked for it in this conversation. Approved, it is switched on.',
    })
  }
}

function readQuote({ action, payload, edits, supersedes }: Proposal): string {
  if (action !== 'create' || edits || supersedes)
    throw invalid('A routine can only be created. The owner changes routines in Settings, under Routines.')
  const parsed = Given.safeParse(payload ?? {})
  if (!parsed.success) throw invalid('A routine takes only quote.')
  const { quote } = parsed.data
  if (!quote?.trim()) throw invalid('quote: is missing. It is what the owner said in this conversation.')
  return quote
}

function findRequest(said: readonly string[], quote: string): RoutineRequest {
  const words = said.map((message) => findStatement(message, quote)).find((found) => found !== null)
  if (!words)
    throw invalid('quote: the owner did not say this in this conversation. Quote their words exactly.')
  const request = readRoutineRequest(words)
  if (!request) throw invalid('quote: it names no times. Ask for words like “every Friday at 5, …”.')
  return request
}
