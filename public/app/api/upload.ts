import type { Attachment } from '../../../lib/contract/imports.ts'
import { outward } from '../../ui/address.ts'
import { withQuery } from '../../ui/words/addresses.ts'
import { ApiError } from './api.ts'

type UploadOptions = {
  /** Called with the part that is sent, from 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Sends a file's bytes, which `fetch` does without saying how far it is. Rejects with an `ApiError`. */
export function upload<Answer>(path: string, file: Blob, options: UploadOptions): Promise<Answer> {
  const { onProgress, signal } = options
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const request = new XMLHttpRequest()
  const fail = (code: string, message: string) => reject(new ApiError(request.status, code, message))
  request.open('POST', outward(path))
  request.responseType = 'json'
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
  request.onerror = () => fail('unreachable', 'Could not reach the server.')
  request.onabort = () => fail('aborted', 'Canceled.')
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) return resolve(request.response)
    const { code, message } = request.response?.error ?? {}
    fail(code ?? `http_${request.status}`, message ?? `The server responded with status ${request.status}.`)
  }
  signal.addEventListener('abort', () => request.abort(), { once: true })
  if (signal.aborted) fail('aborted', 'Canceled.')
  else request.send(file)
  return promise
}

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
