import { kind } from '../../contract/entities/routine_request.ts'
import { readRoutineRequest } from '../../core/schedule/read-routine-request.ts'

/** Characters of a message that the call quotes, and that a tool takes. */
const maxQuote = 2000

/** The call that a message asks for which says “every Friday at 5, …”, by rule; `null`: it asks for none. */
export function routineCall(message: string) {
  if (!readRoutineRequest(message)) return null
  const quote = message.slice(0, maxQuote).toWellFormed().trim()
  return { name: 'propose_change', input: { entity_type: kind.type, action: 'create', payload: { quote } } }
}
