// A picture for one message: pasted, chosen, or taken of a window. It is kept with the conversation, not as a file of the
// Space.

import { maxImageBytes } from '../../../lib/contract/limits.ts'
import type { MessageScreenshot } from '../state/conversation-part.ts'

const types = ['image/png', 'image/jpeg', 'image/webp']

/** What a file input offers. */
export const screenshotTypes = types.join(',')

/** Whether a file may be the picture of a message. */
export const isScreenshot = ({ type, size }: File): boolean => types.includes(type) && size <= maxImageBytes

export async function readScreenshotFile(file: File): Promise<MessageScreenshot> {
  const reader = new FileReader()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  reader.addEventListener('load', () => resolve())
  reader.addEventListener('error', () => reject(new Error('Could not read the picture.')))
  reader.readAsDataURL(file)
  await promise
  return { data: String(reader.result), url: URL.createObjectURL(file) }
}

/** Whether the browser can take a picture of a window. */
export const canCapture = (): boolean => 'getDisplayMedia' in (navigator.mediaDevices ?? {})

/** A picture of the window, tab or screen that the owner chooses; `null` if they choose none. */
export async function captureScreen(): Promise<File | null> {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: true }).catch(() => null)
  if (!stream) return null
  try {
    const video = document.createElement('video')
    video.srcObject = stream
    video.muted = true
    await video.play()
    return await toFile(video)
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

/** Pixels of the longer side of a picture that is sent: text stays legible, and it stays well under 5 MB. */
const maxSide = 1920

async function toFile(video: HTMLVideoElement): Promise<File | null> {
  const { videoWidth, videoHeight } = video
  const scale = Math.min(1, maxSide / Math.max(videoWidth, videoHeight, 1))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(videoWidth * scale)
  canvas.height = Math.round(videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/jpeg', 0.9)
  })
  return blob && new File([blob], 'Screenshot.jpg', { type: blob.type })
}
