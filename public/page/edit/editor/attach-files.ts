import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView, WidgetType } from '@codemirror/view'
import type { Attachment } from '../../../../lib/contract/imports.ts'
import { quoteShown } from '../../../../lib/core/text/quote-name.ts'
import { ApiError, messageOf } from '../../../app/api/api.ts'
import { fileNameOf, maxAttachmentMegabytes } from '../../../app/api/upload.ts'
import { el } from '../../../ui/dom.ts'
import { addFiles } from './link-targets.ts'

export type Attaching = {
  /** Stores a file in the Space. */
  attach: (
    file: File,
    options: { name: string; onProgress: (part: number) => void; signal: AbortSignal },
  ) => Promise<Attachment>
  onAttached: (attached: readonly Attachment[]) => void
  onProblem: (message: string) => void
  now: () => Date
}

const maxFileBytes = maxAttachmentMegabytes * 1024 * 1024

const maxFiles = 50

/**
 * Stores files one after the other and puts an embed of each picture, a link to each other file, at a place of the text.
 * What cannot be stored is told, the rest comes in. Ends when the editor is closed.
 */
export async function attachFiles(
  view: EditorView,
  files: readonly File[],
  { at, attaching, closed }: { at: number; attaching: Attaching; closed: AbortSignal },
): Promise<void> {
  const id = Symbol('upload')
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, closed])
  const { attach, onAttached, onProblem, now } = attaching
  const problems = files.length > maxFiles ? [`Only the first ${maxFiles} files were attached.`] : []
  const accepted = files.slice(0, maxFiles)
  const attached: Attachment[] = []
  const names = accepted.map((file) => fileNameOf(file, now()))
  const labelOf = (index: number, part: number) =>
    `Attaching ${names[index]}${accepted.length > 1 ? ` (${index + 1} of ${accepted.length})` : ''}: ${Math.floor(part * 100)} %`
  view.dispatch({
    effects: beginUpload.of({ id, at, label: labelOf(0, 0), part: 0, cancel: () => controller.abort() }),
  })

  for (const [index, file] of accepted.entries()) {
    const show = (part: number) => {
      const isNow = !signal.aborted && placeOfUpload(view.state, id) !== null
      if (isNow) view.dispatch({ effects: showUpload.of({ id, label: labelOf(index, part), part }) })
    }
    if (signal.aborted) break
    if (file.size > maxFileBytes) {
      problems.push(`${quoteShown(names[index]!)} is larger than ${maxAttachmentMegabytes} MB.`)
      continue
    }
    show(0)
    try {
      attached.push(await attach(file, { name: names[index]!, onProgress: show, signal }))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'aborted') break
      problems.push(`Could not attach ${quoteShown(names[index]!)}. ${messageOf(error)}`)
    }
  }
  if (closed.aborted) {
    if (attached.length < accepted.length) onProblem('Attaching stopped because the editor was closed.')
    return
  }
  place(view, id, attached)
  if (attached.length > 0) onAttached(attached)
  if (problems.length > 0) onProblem(problems.join(' '))
}

/** Puts the embeds where the upload stood, as one step that can be undone. */
function place(view: EditorView, id: symbol, attached: readonly Attachment[]): void {
  const at = placeOfUpload(view.state, id)
  if (at === null) return
  const insert = attached.map(({ name, mime }) => `${isShown(mime) ? '!' : ''}[[${name}]]`).join('\n')
  const { main } = view.state.selection
  const follows = main.empty && main.head === at
  view.dispatch({
    changes: { from: at, insert },
    effects: [endUpload.of(id), addFiles.of(attached)],
    ...(follows && { selection: { anchor: at + insert.length } }),
    userEvent: 'input.paste',
  })
}

/** Shown in place; anything else is a link. */
const isShown = (mime: string) => /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/.test(mime)

// Files on their way into the text. Each upload stands at its place, with how far it is and a button to cancel it; what
// is typed meanwhile moves it along.

type Upload = { id: symbol; at: number; label: string; part: number; cancel: () => void }

const beginUpload = StateEffect.define<Upload>({
  map: (upload, changes) => ({ ...upload, at: changes.mapPos(upload.at, 1) }),
})

const showUpload = StateEffect.define<Pick<Upload, 'id' | 'label' | 'part'>>()

const endUpload = StateEffect.define<symbol>()

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
const placeOfUpload = (state: EditorState, id: symbol): number | null =>
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
