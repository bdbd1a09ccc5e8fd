import type { App } from '../../app/app.ts'
import { forgetKnownSpaces } from './known-spaces.ts'
import { createNoteSender } from './send-waiting.ts'
import { listWaiting, waitingText } from './waiting-notes.ts'

/** Sends the notes that wait on this device and removes what the page for notes stored; false where some stay behind. */
export async function beforeSignOut(app: App): Promise<boolean> {
  if (listWaiting().length > 0) {
    const { left } = await createNoteSender(app.api)()
    if (left.length > 0) {
      app.toast(`Not signed out: ${waitingText(left.length)} on this device.`, {
        tone: 'problem',
        action: { label: 'Show', run: () => location.assign('/capture') },
      })
      return false
    }
  }
  forgetKnownSpaces()
  return true
}
