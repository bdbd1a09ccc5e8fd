import type { Attachment } from '../../../lib/contract/imports.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { type UploadOptions, upload } from './upload.ts'

export const maxAttachmentMegabytes = 50

/** Stores a file in a Space, once for the same bytes. Rejects with an `ApiError`. */
export const attachTo = (
  spaceId: string,
  file: File,
  { name, ...options }: UploadOptions & { name: string },
): Promise<Attachment> =>
  upload<Attachment>(withQuery(`/api/spaces/${spaceId}/attachments`, { name }), file, options)

/** A picture out of the clipboard is called `image.png`, all of them. */
export function fileNameOf(file: File, now: Date): string {
  if (!/^image\.\w{1,5}$/.test(file.name)) return file.name || 'File'
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.')
  return `Pasted image ${day} ${time}${file.name.slice('image'.length)}`
}
