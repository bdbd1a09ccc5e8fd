import type { Page } from '../../../lib/contract/entities.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import type { ViewContext } from '../../app/view.ts'
import { differs, knownBase, type UnsavedStore } from '../unsaved/unsaved-text.ts'
import type { Autosave } from './autosave.ts'
import type { EditFields } from './edit-fields.ts'

const delayMs = 200

export type DeviceCopy = {
  /** Stores what the server does not have yet; returns whether it is stored. */
  store(): boolean
  /** Stores it shortly after the last call. */
  schedule(): void
}

type CopiedEditor = {
  autosave: Autosave
  fields: Pick<EditFields, 'read'>
  /** Of the save that may be on its way. */
  saveId: () => string | undefined
  now: () => Date
}

/** The copy of the text on this device. */
export function createDeviceCopy(
  copies: UnsavedStore,
  { autosave, fields, saveId, now }: CopiedEditor,
): DeviceCopy {
  let isStored = true
  let timer: ReturnType<typeof setTimeout> | undefined

  return {
    store,
    schedule() {
      clearTimeout(timer)
      timer = setTimeout(store, delayMs)
    },
  }

  function store(): boolean {
    clearTimeout(timer)
    const { version, ...rest } = autosave.base()
    const text = fields.read()
    if (!differs(text, autosave.base())) return isStored
    const base = knownBase(rest)
    isStored = copies.write({ ...text, version, base, saveId: saveId(), at: now().toISOString() })
    return isStored
  }
}

export type EditorExit = {
  /** Saves and ends the writing. When saving fails, the editor stays open the first time. */
  done(event?: Event): Promise<void>
  /** The text was saved, or has failed again: the next `done` is the first one. */
  reset(): void
}

/** Stores and saves the text whenever the editor is left. */
export function watchExit(
  page: Page,
  { autosave, copy, end }: { autosave: Autosave; copy: DeviceCopy; end: () => void },
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
      else end()
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
