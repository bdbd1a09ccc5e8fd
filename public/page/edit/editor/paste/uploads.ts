// Files on their way into the text. Each upload stands at its place, with how far it is and a button to cancel it; what
// is typed meanwhile moves it along.

import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import { el } from '../../../../ui/dom.ts'

export type Upload = { id: symbol; at: number; label: string; part: number; cancel: () => void }

export const beginUpload = StateEffect.define<Upload>({
  map: (upload, changes) => ({ ...upload, at: changes.mapPos(upload.at, 1) }),
})
export const showUpload = StateEffect.define<Pick<Upload, 'id' | 'label' | 'part'>>()
export const endUpload = StateEffect.define<symbol>()

const uploadsField = StateField.define<readonly Upload[]>({
  create: () => [],
  update(before, { changes, effects }) {
    let uploads = changes.empty ? before : before.map((one) => ({ ...one, at: changes.mapPos(one.at, 1) }))
    for (const effect of effects) {
      if (effect.is(beginUpload)) uploads = [...uploads, effect.value]
      else if (effect.is(endUpload)) uploads = uploads.filter(({ id }) => id !== effect.value)
      else if (effect.is(showUpload)) {
        const { value } = effect
        uploads = uploads.map((one) => (one.id === value.id ? { ...one, ...value } : one))
      }
    }
    return uploads
  },
  provide: (field) =>
    EditorView.decorations.from(field, (uploads) =>
      Decoration.set(
        uploads.map((one) => Decoration.widget({ widget: new UploadWidget(one), side: 1 }).range(one.at)),
        true,
      ),
    ),
})

export const uploads: Extension = uploadsField

/** Where an upload stands now; null once it has ended. */
export const placeOfUpload = (state: EditorState, id: symbol): number | null =>
  state.field(uploadsField).find((upload) => upload.id === id)?.at ?? null

class UploadWidget extends WidgetType {
  readonly #upload: Upload

  constructor(upload: Upload) {
    super()
    this.#upload = upload
  }

  override eq(other: UploadWidget): boolean {
    return other === this
  }

  override toDOM(): HTMLElement {
    const { label, part, cancel } = this.#upload
    return el(
      'span',
      { class: 'md-upload' },
      el('span', { class: 'md-upload-label' }, label),
      el('progress', { max: 1, value: part, 'aria-label': label }),
      el('button', { type: 'button', class: 'md-upload-cancel', onclick: cancel }, 'Cancel'),
    )
  }

  /** The button stays the same, so that it can be pressed while the figure changes. */
  override updateDOM(dom: HTMLElement): boolean {
    const { label, part } = this.#upload
    dom.querySelector('.md-upload-label')!.textContent = label
    dom.querySelector('progress')!.value = part
    return true
  }

  override ignoreEvent(): boolean {
    return true
  }
}
