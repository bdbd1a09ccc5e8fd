import { ApiError } from './api.ts'

export type UploadOptions = {
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
  request.open('POST', path)
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
