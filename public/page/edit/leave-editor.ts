import type { Page } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { ViewContext } from '../../app/view.ts'
import type { Autosave } from './autosave.ts'
import type { DeviceCopy } from './device-copy.ts'

export type EditorExit = {
  /** Saves and returns to the read view. When saving fails, the editor stays open the first time. */
  done(event?: Event): Promise<void>
  /** The text was saved, or has failed again: the next `done` is the first one. */
  reset(): void
}

/** Stores and saves the text whenever the editor is left. */
export function watchExit(
  page: Page,
  { autosave, copy }: { autosave: Autosave; copy: DeviceCopy },
  { app, signal, url }: ViewContext,
): EditorExit {
  let isSecond = false
  const isStuck = () => ['failed', 'conflict'].includes(autosave.state().name)
  const onUnload = (event: BeforeUnloadEvent) => void (copy.store() || event.preventDefault())
  window.addEventListener('pagehide', () => copy.store(), { signal })
  window.addEventListener('beforeunload', onUnload, { signal })
  signal.addEventListener('abort', onLeave)

  return {
    async done(event) {
      event?.preventDefault()
      copy.store()
      await autosave.flush()
      if (isStuck() && !isSecond) isSecond = true
      else await app.navigate(url.pathname, { replace: true })
    },
    reset() {
      isSecond = false
    },
  }

  async function onLeave(): Promise<void> {
    copy.store()
    await autosave.flush()
    if (!isStuck()) return
    app.toast(`${quoteShown(page.title)} has unsaved changes. They are stored on this device.`, {
      tone: 'problem',
      action: { label: 'Open', run: () => app.navigate(`${url.pathname}?edit=1`) },
    })
  }
}
