import type { SpaceOverview } from '../../../lib/contract/space/home.ts'
import { visible } from '../components/visible.ts'
import { type Child, el } from '../dom.ts'
import { timeAgo } from '../time.ts'

type FolderState = NonNullable<SpaceOverview['folder']>

/** "In step · 2 min ago", "Paused: the reason", with what is held and what waits, and how late changes are found. */
export function folderLine(folder: FolderState, now: Date): Child[] {
  const { state, problem, held, waiting, last_at, watched } = folder
  const parts: Child[] = [
    state === 'paused' ? ['Paused: ', visible(problem ?? '')] : state === 'syncing' ? 'Syncing…' : 'In step',
    last_at !== null && state !== 'syncing' && timeAgo(last_at, now),
    waiting > 0 &&
      el('a', { href: '/inbox' }, `${waiting} ${waiting === 1 ? 'change' : 'changes'} in the Inbox`),
    !watched && state !== 'paused' && 'changes in the folder are found every minute, not at once',
    held > 0 && `${held} ${held === 1 ? 'file' : 'files'} held`,
  ]
  return parts.filter(Boolean).flatMap((part, index) => (index === 0 ? [part] : [' · ', part]))
}
