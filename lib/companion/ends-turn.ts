/** Whether a turn is over with this message of the model: it calls no tool, and was not merely paused. */
export const endsTurn = (content: readonly { type: string }[], stopReason: string | null): boolean =>
  stopReason !== 'pause_turn' && !content.some(({ type }) => type === 'tool_use')
