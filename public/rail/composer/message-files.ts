// The files of the message that is being written: stored in the Space as they are added, shown above the field, and
// remembered on this device until the message is sent. Loaded with the first one.

import type { AttachedFile } from '../../../lib/contract/companion/companion.ts'
import { isImageType } from '../../../lib/contract/companion/image-type.ts'
import { maxImageBytes, maxMessageFiles } from '../../../lib/contract/limits.ts'
import { quoteShown } from '../../../lib/core/text/quote-name.ts'
import { messageOf } from '../../app/api/api.ts'
import { attachTo, fileNameOf, maxAttachmentMegabytes } from '../../app/api/upload.ts'
import type { App } from '../../app/app.ts'
import { iconButton, kindIcon } from '../../ui/components/icon.ts'
import { el } from '../../ui/dom.ts'
import type { MessageScreenshot } from '../state/conversation-part.ts'
import { isScreenshot, readScreenshotFile } from './message-screenshot.ts'
import { readFiles, storedFiles } from './stored-files.ts'

export type MessageFiles = {
  add(files: readonly File[]): Promise<void>
  /** Makes the first picture that of this message, unless it has one; the others are added as files. */
  addPasted(files: readonly File[]): Promise<void>
  takeScreenshot(): MessageScreenshot | undefined
  /** The files that are stored, which the message takes with it; `null` while one is on its way. */
  take(): AttachedFile[] | null
  /** Those of a message that could not be sent. */
  restore(files: readonly AttachedFile[], screenshot?: MessageScreenshot | undefined): void
}

type MessageFilesOptions = {
  app: App
  spaceId: string
  place: HTMLElement
  /** Called whenever there are more or fewer. */
  onChange: (count: number) => void
}

const megabyte = 1024 * 1024

type Upload = { name: string; part: number; controller: AbortController }

export function createMessageFiles({ app, spaceId, place, onChange }: MessageFilesOptions): MessageFiles {
  const storage = storedFiles(spaceId)
  let files = readFiles(spaceId)
  const uploads = new Set<Upload>()
  let screenshot: MessageScreenshot | undefined
  show()
  return { add, addPasted, takeScreenshot, take, restore }

  async function add(added: readonly File[]): Promise<void> {
    const room = maxMessageFiles - files.length - uploads.size
    if (added.length > room) tell(`A message takes at most ${maxMessageFiles} files.`)
    await Promise.all(added.slice(0, Math.max(0, room)).map(send))
  }

  async function addPasted(pasted: readonly File[]): Promise<void> {
    const picture = screenshot ? undefined : pasted.find(isScreenshot)
    await add(pasted.filter((file) => file !== picture))
    if (!picture) return
    screenshot = await readScreenshotFile(picture)
    show()
    app.announce('Added the picture to the message.')
  }

  function takeScreenshot(): MessageScreenshot | undefined {
    const taken = screenshot
    screenshot = undefined
    show()
    return taken
  }

  function take(): AttachedFile[] | null {
    if (uploads.size > 0) {
      tell('A file is still being attached. Wait for it, or remove it.')
      return null
    }
    const accepted = files
    set([])
    return accepted
  }

  function restore(back: readonly AttachedFile[], picture?: MessageScreenshot): void {
    screenshot ??= picture
    set([...back, ...files].slice(0, maxMessageFiles))
  }

  async function send(file: File): Promise<void> {
    const name = fileNameOf(file, app.now())
    const problem = whyRefused(file)
    if (problem) return tell(`${quoteShown(name)} ${problem}`)
    const upload: Upload = { name, part: 0, controller: new AbortController() }
    uploads.add(upload)
    show()
    const onProgress = (part: number) => {
      upload.part = part
      show()
    }
    try {
      const { signal } = upload.controller
      const attached = await attachTo(spaceId, file, { name, onProgress, signal })
      uploads.delete(upload)
      const { id, name: title, mime, size } = attached
      set([...files.filter((other) => other.id !== id), { id, title, mime, size }])
      app.announce(`Attached ${title}.`)
    } catch (error) {
      uploads.delete(upload)
      show()
      if (!upload.controller.signal.aborted) tell(`Could not attach ${quoteShown(name)}. ${messageOf(error)}`)
    }
  }

  function tell(problem: string): void {
    app.toast(problem, { tone: 'problem' })
  }

  function set(now: AttachedFile[]): void {
    files = now
    storage.write(files.length > 0 ? JSON.stringify(files) : '')
    show()
  }

  function show(): void {
    const count = files.length + uploads.size + (screenshot ? 1 : 0)
    place.hidden = count === 0
    place.replaceChildren(
      ...(screenshot ? [item(screenshotFace(screenshot), 'the picture', () => removeScreenshot())] : []),
      ...files.map((file) => item(fileFace(file), file.title, () => remove(file))),
      ...[...uploads].map((upload) =>
        item(
          [el('span', { class: 'file-name' }, upload.name), ` ${Math.floor(upload.part * 100)} %`],
          upload.name,
          () => upload.controller.abort(),
        ),
      ),
    )
    onChange(count)
  }

  function removeScreenshot(): void {
    takeScreenshot()
    document.querySelector<HTMLElement>('#composer')?.focus()
  }

  function remove(file: AttachedFile): void {
    set(files.filter((other) => other !== file))
    document.querySelector<HTMLElement>('#composer')?.focus()
  }
}

const screenshotFace = ({ url }: MessageScreenshot): Node[] => [
  el('img', { class: 'file-picture', src: url, alt: '' }),
  el('span', { class: 'file-name' }, 'Picture for this message'),
]

const item = (face: (Node | string)[], name: string, onRemove: () => void): HTMLElement =>
  el('li', { class: 'file-item' }, face, iconButton(`Remove ${name}`, 'close', onRemove))

/** Why a file is not even sent; `null` for one that may be. */
function whyRefused({ size, type }: File): string | null {
  if (size > maxAttachmentMegabytes * megabyte) return `is larger than ${maxAttachmentMegabytes} MB.`
  return isImageType(type) && size > maxImageBytes
    ? `is too large: an image may have ${maxImageBytes / megabyte} MB.`
    : null
}

/** A file of a message: a small picture of it or an icon, and its name. */
export const fileFace = ({ id, title, mime }: Pick<AttachedFile, 'id' | 'title' | 'mime'>): Node[] => [
  isImageType(mime)
    ? el('img', { class: 'file-picture', src: `/api/source-docs/${id}/original`, alt: '', loading: 'lazy' })
    : kindIcon('source_doc'),
  el('span', { class: 'file-name', title }, title),
]
