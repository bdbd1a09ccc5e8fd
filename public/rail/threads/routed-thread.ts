import type { LastRouting } from '../../../lib/contract/companion/companion.ts'
import { toastFailure } from '../../app/actions/toast-failure.ts'
import type { ThreadContext } from '../state/conversation-part.ts'

/** Shows the thread that a turn was routed to: the turn itself at once, those before it when they are loaded. */
export function showRoutedThread(
  { app, part }: ThreadContext,
  { turn_id, routed, title }: LastRouting,
): void {
  const isNew = routed === 'new'
  part.state.set(({ turns, title: shown }) => {
    const own = turns.filter(({ id }) => id === turn_id)
    return { turns: own, more: !isNew, title: title || own[0]?.question?.text.slice(0, 80) || shown }
  })
  if (!isNew) toastFailure(app, part.loadOlder())
}
