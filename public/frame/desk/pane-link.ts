import type { Subject, Tab } from '../../app/app.ts'
// Messages between the page and the frame of its right pane: two windows of this origin, and of no other.

export type FromPane =
  /** What the pane shows now. */
  | { void: 'at'; tab: Tab; subject: Subject | null; saving: string | null }
  /** Somebody works in the pane. */
  | { void: 'active' }
  /** A key of the tabs was pressed there. */
  | { void: 'key'; key: string }
  /** The pane has no companion of its own. */
  | { void: 'companion' }
  /** Nor a palette, which would fill its half alone. */
  | { void: 'palette' }

export type ToPane = { void: 'go'; href: string }

/** Whether this page is shown in the pane of another one. */
export const isPane = (): boolean => window.parent !== window

export function sendToPage(message: FromPane): void {
  window.parent.postMessage(message, location.origin)
}

/** Calls the listener on each message of that window, until the signal is aborted. */
export function onMessageFrom<Message extends { void: string }>(
  from: () => Window | null | undefined,
  onMessage: (message: Message) => void,
  signal: AbortSignal,
): void {
  window.addEventListener(
    'message',
    ({ origin, source, data }: MessageEvent<Message>) => {
      if (origin === location.origin && source === from() && typeof data?.void === 'string') onMessage(data)
    },
    { signal },
  )
}
