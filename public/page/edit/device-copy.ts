import { differs, type UnsavedStore } from '../unsaved/unsaved-text.ts'
import type { Autosave } from './autosave.ts'
import type { EditFields } from './edit-fields.ts'
import { unknownBase } from './resolve-conflict.ts'

const delayMs = 200

export type DeviceCopy = {
  /** Stores what the server does not have yet; returns whether it is stored. */
  store(): boolean
  /** Stores it shortly after the last call. */
  schedule(): void
}

/** The copy of the text on this device. */
export function createDeviceCopy(
  copies: UnsavedStore,
  { autosave, fields, now }: { autosave: Autosave; fields: EditFields; now: () => Date },
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
    const { version, title, body } = autosave.base()
    const text = fields.read()
    if (!differs(text, autosave.base())) return isStored
    const base = body === unknownBase.body ? null : { title, body }
    isStored = copies.write({ ...text, version, base, at: now().toISOString() })
    return isStored
  }
}
