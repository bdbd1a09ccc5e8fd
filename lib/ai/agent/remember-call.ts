import { memoryKind } from '../../contract/memory.ts'
import { readMemoryRequest } from '../../core/text/memory/memory-requests.ts'

/** The call that a message asks for which says “remember that …” or “forget that …”, by rule; `null`: it asks for none. */
export function rememberCall(message: string) {
  const request = readMemoryRequest(message)
  if (!request) return null
  const quote = 'remember' in request ? request.remember : request.forget
  return {
    name: 'propose_change',
    input: { entity_type: memoryKind.type, action: 'create', payload: { quote } },
  }
}
