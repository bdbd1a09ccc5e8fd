import { savedText, unsentName } from '../../app/storage/saved-text.ts'
import { otherMentions } from '../composer/mention.ts'
import type { Turn } from '../state/turn-state.ts'
import type { TurnContext } from './turn-context.ts'

/** Where a turn and its other versions are: the first of them. */
export const placeOf = ({ id, key, versions }: Turn): string => versions?.[0] ?? id ?? key

/**
 * Sends a message in the place of a turn, which goes with all behind it once the server has taken the message. False when
 * it was refused, which leaves the thread as it was.
 */
export async function sendInPlace({ app, part }: TurnContext, old: Turn, text: string): Promise<boolean> {
  if (!part || old.id === null) return false
  const { running, queued, turns } = part.state.get()
  if (running !== null || queued.length > 0) {
    app.toast('The companion is still answering. Wait for it, or stop it.', { tone: 'problem' })
    return false
  }
  const keys = new Set(turns.map(({ key }) => key))
  const isNew = ({ key }: Turn) => !keys.has(key)
  const accepted = new AbortController()
  part.state.watch((state) => state.turns.find(isNew)?.id ?? null, replace, accepted.signal)
  const { space } = app.state.get()
  const here = { replaces: old.id, ...(space && otherMentions(space.id, old.question?.pages ?? [], text)) }
  await part.send(text, null, { here, files: old.question?.files ?? [] })
  if (accepted.signal.aborted) return true

  const refused = part.state.get().turns.find(isNew)
  part.state.set((state) => ({ turns: state.turns.filter((turn) => !isNew(turn)) }))
  if (space) savedText(unsentName(space.id)).write('')
  app.toast(refused?.answer?.problem?.message ?? 'The message could not be sent.', { tone: 'problem' })
  return false

  function replace(id: string | null): void {
    if (id === null) return
    accepted.abort()
    const at = turns.findIndex(({ key }) => key === old.key)
    const gone = new Set(turns.slice(at).map(({ key }) => key))
    const versions = [...(old.versions ?? [old.id!]), id]
    part!.state.set((state) => ({
      turns: state.turns
        .filter(({ key }) => !gone.has(key))
        .map((turn) => (isNew(turn) ? { ...turn, versions } : turn)),
    }))
    // Whoever sent it reads its answer: the log is a column in reverse, which begins at its end.
    const log = document.querySelector<HTMLElement>('#rail .log')
    log?.scrollTo({ top: 0 })
    log?.focus({ preventScroll: true })
  }
}
