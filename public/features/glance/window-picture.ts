import type { GlanceImage } from '../../../lib/contract/companion/glance.ts'
import { el } from '../../ui/dom.ts'
import type { Cells } from './settled-frames.ts'

/** Pixels of the longer side of a picture that is sent: text stays legible, and it stays well under 5 MB. */
const maxSide = 1600
const quality = 0.85
const columns = 64
const rows = 36

/** The picture that a video shows now; `null` before it shows any. */
export type WindowPicture = {
  cells(): Cells | null
  /** Draws it into a small canvas. */
  drawInto(canvas: HTMLCanvasElement): void
  toImage(): GlanceImage
  toFile(): Promise<Blob | null>
}

export function createWindowPicture(video: HTMLVideoElement): WindowPicture {
  const small = el('canvas', { width: columns, height: rows })
  const brush = small.getContext('2d', { willReadFrequently: true })!

  return {
    cells() {
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return null
      brush.drawImage(video, 0, 0, columns, rows)
      const { data } = brush.getImageData(0, 0, columns, rows)
      return Uint8Array.from({ length: columns * rows }, (_, at) => brightness(data.subarray(at * 4)))
    },
    drawInto(canvas) {
      canvas.height = Math.round((canvas.width * video.videoHeight) / video.videoWidth)
      canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
    },
    toImage() {
      const media_type = 'image/jpeg'
      return { media_type, data: draw(video).toDataURL(media_type, quality).split(',')[1]! }
    },
    toFile: () => new Promise((resolve) => draw(video).toBlob(resolve, 'image/png')),
  }
}

const brightness = ([red = 0, green = 0, blue = 0]: Uint8ClampedArray): number =>
  0.299 * red + 0.587 * green + 0.114 * blue

function draw(video: HTMLVideoElement): HTMLCanvasElement {
  const { videoWidth, videoHeight } = video
  const scale = Math.min(1, maxSide / Math.max(videoWidth, videoHeight))
  const canvas = el('canvas', {
    width: Math.round(videoWidth * scale),
    height: Math.round(videoHeight * scale),
  })
  canvas.getContext('2d')!.drawImage(video, 0, 0, canvas.width, canvas.height)
  return canvas
}
