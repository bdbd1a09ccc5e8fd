import type { CarriedMessage } from './carry-back.ts'

/**
 * Why the call at `index` of a message must not be run, as the model is told it. Only the last block can have been cut
 * off; the calls before it are whole.
 */
export function refusalOf(
  message: CarriedMessage,
  index: number,
  stopReason: string | null,
): string | undefined {
  if (isRunnable(stopReason)) return undefined
  if (stopReason !== 'max_tokens') return `This call was not run: the message stopped with "${stopReason}".`
  const isCut = index === message.calls.length - 1 && message.content.at(-1)?.type === 'tool_use'
  return isCut
    ? 'This call was not run: your message reached its length limit. Send it again, shorter.'
    : undefined
}

/** Some servers that speak the protocol say `end_turn` or nothing beside a tool call. */
const isRunnable = (stopReason: string | null) =>
  stopReason === null || ['tool_use', 'end_turn', 'stop_sequence', 'pause_turn'].includes(stopReason)
